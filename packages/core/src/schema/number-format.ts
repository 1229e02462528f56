/**
 * Numbers of a JSON Schema in Kubernetes' terms. Libraries spell the width of a number as bounds; Kubernetes spells it
 * as a format, so bounds that are exactly a width's limits become the format alone. Used by from-json-schema.ts.
 */
import type { JsonSchema } from "./conversion.ts";
import { FORMAT_KEYWORD } from "./schema-mark.ts";
import type { StructuralSchema } from "./structural.ts";

const INT32 = { format: "int32", minimum: -(2 ** 31), maximum: 2 ** 31 - 1 };
const INT64 = { format: "int64", minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER };
const FLOAT32_MAX = 3.4028234663852886e38;
const FLOAT = { format: "float", minimum: -FLOAT32_MAX, maximum: FLOAT32_MAX };
const DOUBLE = { format: "double", minimum: -Number.MAX_VALUE, maximum: Number.MAX_VALUE };

/** Type, format and bounds of a number. */
export function numberKeywords(json: JsonSchema, type: "integer" | "number"): StructuralSchema {
  const [minimum, exclusiveMinimum] = boundOf(json["minimum"], json["exclusiveMinimum"]);
  const [maximum, exclusiveMaximum] = boundOf(json["maximum"], json["exclusiveMaximum"]);
  const width = widthOf(type, minimum, maximum);
  const format = json[FORMAT_KEYWORD] ?? json["format"] ?? width?.format;
  return {
    type,
    ...(typeof format === "string" ? { format } : {}),
    ...(minimum === undefined || minimum === width?.minimum ? {} : { minimum }),
    ...(exclusiveMinimum ? { exclusiveMinimum } : {}),
    ...(maximum === undefined || maximum === width?.maximum ? {} : { maximum }),
    ...(exclusiveMaximum ? { exclusiveMaximum } : {}),
    ...(typeof json["multipleOf"] === "number" ? { multipleOf: json["multipleOf"] } : {}),
    ...furtherDivisors(json["allOf"]),
  };
}

/** zod writes a second and third divisor as `allOf`. */
function furtherDivisors(members: unknown): StructuralSchema {
  const divisors = (Array.isArray(members) ? (members as readonly JsonSchema[]) : [])
    .map(({ multipleOf }) => multipleOf)
    .filter((divisor) => typeof divisor === "number");
  return divisors.length === 0 ? {} : { allOf: divisors.map((multipleOf) => ({ multipleOf })) };
}

/** A bound in OpenAPI 3.0's spelling (a flag beside it) or in later drafts' (a number of its own). */
function boundOf(inclusive: unknown, exclusive: unknown): [bound: number | undefined, exclusive: boolean] {
  if (typeof exclusive === "number") return [exclusive, true];
  return [typeof inclusive === "number" ? inclusive : undefined, exclusive === true];
}

/** The narrowest width whose limits hold both bounds; none when a bound is missing (the library said nothing). */
function widthOf(type: "integer" | "number", minimum: number | undefined, maximum: number | undefined) {
  if (type === "number") {
    return [FLOAT, DOUBLE].find((width) => minimum === width.minimum || maximum === width.maximum);
  }
  if (minimum === undefined || maximum === undefined) return undefined;
  return [INT32, INT64].find((width) => minimum >= width.minimum && maximum <= width.maximum);
}
