/** Enums and constants of a JSON Schema: their values and the one type they must have. Used by from-json-schema.ts. */
import type { Json } from "../meta/json.ts";
import type { JsonSchema } from "./conversion.ts";
import type { StructuralSchema } from "./structural.ts";

/** The values, null left out: `nullable` says it. */
export function enumOf(json: JsonSchema): StructuralSchema {
  const values = json["enum"] ?? constantOf(json);
  return values === undefined ? {} : { enum: (values as readonly Json[]).filter((value) => value !== null) };
}

/** True for values with null among them. */
export function hasNull(values: unknown): boolean {
  return Array.isArray(values) && values.includes(null);
}

/** A constant as an enum of one value. */
export function constantOf(json: JsonSchema): readonly unknown[] | undefined {
  return json["const"] === undefined ? undefined : [json["const"]];
}

/** The one type that all values of an enum have. */
export function typeOfEnum(values: unknown): string | undefined {
  if (!Array.isArray(values)) return undefined;
  const types = new Set(values.filter((value) => value !== null).map(jsonType));
  if (types.size === 2 && types.has("integer") && types.has("number")) return "number";
  return types.size === 1 ? [...types][0] : undefined;
}

/** True for values that are all integers. */
export function areIntegers(values: unknown): boolean {
  return Array.isArray(values) && values.every(Number.isInteger);
}

function jsonType(value: unknown): string {
  if (typeof value === "number") return Number.isInteger(value) ? "integer" : "number";
  return Array.isArray(value) ? "array" : typeof value;
}
