/**
 * How large values of a schema can become: by their limits, and where there is none by how much fits into one request. Rules are
 * judged by it before there is an object (rule-costs.ts). Has the shape that schema-types.ts gives the same schema.
 */
import type { StructuralSchema } from "../../../schema/structural.ts";
import { escapeName, ruleSchema } from "../schema-types.ts";

/** The sizes of one node and of those below. */
export interface SchemaSizes {
  /** Elements of a list, entries of a map, bytes of a text; 0 for everything else. */
  readonly elementsMax: number;
  /** The fewest bytes of the value as JSON. */
  readonly bytesMin: number;
  readonly elements?: SchemaSizes;
  readonly keys?: SchemaSizes;
  readonly fields?: ReadonlyMap<string, SchemaSizes>;
}

const REQUEST_BYTES_MAX = 3 * 1024 * 1024;
const BYTES_PER_CHARACTER_MAX = 4;

/** The fewest bytes, and the most, of texts with a format. */
const FORMAT_BYTES: Readonly<Record<string, SchemaSizes>> = {
  duration: { bytesMin: 3, elementsMax: 32 },
  date: { bytesMin: 12, elementsMax: 12 },
  "date-time": { bytesMin: 21, elementsMax: 32 },
};

const SCALARS: Readonly<Record<string, SchemaSizes>> = {
  boolean: { bytesMin: 4, elementsMax: 0 },
  number: { bytesMin: 1, elementsMax: 0 },
  integer: { bytesMin: 1, elementsMax: 0 },
};

/** The names of a map's entries, whose length Kubernetes takes for nothing. */
const KEYS: SchemaSizes = { bytesMin: 2, elementsMax: 0 };

/** The sizes of a schema; undefined when rules cannot see it. */
export function schemaSizes(schema: StructuralSchema, isRoot: boolean): SchemaSizes | undefined {
  if (schema["x-kubernetes-int-or-string"]) {
    const { maxLength } = schema;
    const elementsMax = maxLength === undefined ? REQUEST_BYTES_MAX - 2 : charactersMax(maxLength);
    return { bytesMin: 1, elementsMax };
  }
  const seen = ruleSchema(schema, isRoot);
  switch (seen.type) {
    case "array":
      return listSizes(seen);
    case "object":
      return typeof seen.additionalProperties === "object" ? mapSizes(seen) : objectSizes(seen);
    case "string":
      return textSizes(seen);
    default:
      return SCALARS[seen.type ?? ""];
  }
}

/** How often a value of so few bytes can stand in one request. */
export function occurrencesMax(bytesMin: number): number {
  return Math.floor(REQUEST_BYTES_MAX / (bytesMin + 1));
}

function listSizes({ items, maxItems }: StructuralSchema): SchemaSizes | undefined {
  const elements = items && schemaSizes(items, false);
  if (elements === undefined) return undefined;
  const fitting = Math.floor((REQUEST_BYTES_MAX - 2) / (elements.bytesMin + 1));
  return { bytesMin: 2, elementsMax: limitOf(maxItems) ?? fitting, elements };
}

function mapSizes({ additionalProperties, maxProperties }: StructuralSchema): SchemaSizes | undefined {
  const elements = typeof additionalProperties === "object" ? schemaSizes(additionalProperties, false) : undefined;
  if (elements === undefined) return undefined;
  // Each entry has an empty name in quotes, a colon, a comma and a value.
  const fitting = Math.floor((REQUEST_BYTES_MAX - 2) / (elements.bytesMin + 6));
  return { bytesMin: 2, elementsMax: limitOf(maxProperties) ?? fitting, elements, keys: KEYS };
}

/** An object has at least the fields that must be there and that nobody fills in. */
function objectSizes({ properties = {}, required = [] }: StructuralSchema): SchemaSizes {
  const fields = new Map<string, SchemaSizes>();
  let bytesMin = 2;
  for (const [name, schema] of Object.entries(properties)) {
    const sizes = schemaSizes(schema, false);
    if (sizes === undefined) continue;
    const escaped = escapeName(name);
    if (escaped !== undefined) fields.set(escaped, sizes);
    const isWritten = required.includes(name) && schema.default === undefined;
    if (isWritten) bytesMin += Buffer.byteLength(name) + sizes.bytesMin + 4;
  }
  return { bytesMin, elementsMax: 0, fields };
}

function textSizes({ format = "", maxLength, enum: values }: StructuralSchema): SchemaSizes {
  const fixed = Object.hasOwn(FORMAT_BYTES, format) ? FORMAT_BYTES[format] : undefined;
  if (fixed !== undefined) return fixed;
  return { bytesMin: 2, elementsMax: textBytesMax(format, maxLength, values) };
}

function textBytesMax(format: string, maxLength: number | undefined, values: StructuralSchema["enum"]): number {
  if (maxLength !== undefined) return format === "byte" ? Math.max(0, maxLength) : charactersMax(maxLength);
  const choices = format === "byte" ? [] : (values ?? []);
  if (choices.length === 0) return REQUEST_BYTES_MAX - 2;
  return Math.max(0, ...choices.map((choice) => (typeof choice === "string" ? Buffer.byteLength(choice) : 0)));
}

function charactersMax(maxLength: number): number {
  return Math.max(0, maxLength) * BYTES_PER_CHARACTER_MAX;
}

function limitOf(limit: number | undefined): number | undefined {
  return limit === undefined ? undefined : Math.max(0, limit);
}
