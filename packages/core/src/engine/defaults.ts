/**
 * Defaulting as the API server does it after decoding, on reading from storage and after mutating admission: nulls that
 * a field may not have are dropped when it has no default, then absent fields and such nulls get their defaults, also
 * inside of values that came from defaults. Inputs are never changed.
 */
import { hasNull, mapItems } from "../meta/deep.ts";
import {
  getKey,
  isJsonArray,
  isJsonObject,
  type Json,
  type JsonObject,
  type MutableJsonObject,
  setKey,
} from "../meta/json.ts";
import type { StructuralSchema } from "../schema/structural.ts";
import { fieldSchema } from "./ratchet.ts";

/** The value with all defaults of the schema; the same reference when nothing was missing. */
export function applyDefaults<Value extends Json>(value: Value, schema: StructuralSchema): Value {
  return defaultNode(value, schema) as Value;
}

/** The value without nulls in fields that are neither nullable nor defaulted; the same reference when there are none. */
export function dropNulls<Value extends Json>(value: Value, schema: StructuralSchema): Value {
  return hasNull(value) ? (dropNullsNode(value, schema) as Value) : value;
}

function defaultNode(value: Json, schema: StructuralSchema | undefined): Json {
  if (schema === undefined) return value;
  if (isJsonArray(value)) return mapItems(value, (item) => defaultNode(defaultFor(item, schema.items), schema.items));
  return isJsonObject(value) ? defaultFields(value, schema) : value;
}

/** The default, where it stands for a null that may not be. Null itself is what a missing default amounts to. */
function defaultFor(value: Json, schema: StructuralSchema | undefined): Json {
  return value === null && schema !== undefined && !schema.nullable ? (schema.default ?? null) : value;
}

function defaultFields(object: JsonObject, schema: StructuralSchema): Json {
  let missing: MutableJsonObject | undefined;
  for (const [name, property] of Object.entries(schema.properties ?? {})) {
    if (property.default === undefined || property.default === null || Object.hasOwn(object, name)) continue;
    missing ??= {};
    setKey(missing, name, property.default);
  }
  const whole = missing === undefined ? object : withFields(object, missing);
  return mapFields(whole, (name, value) => {
    if (isScalar(value)) return value;
    const property = fieldSchema(schema, name);
    return defaultNode(defaultFor(value, property), property);
  });
}

function withFields(object: JsonObject, more: JsonObject): JsonObject {
  const result: MutableJsonObject = {};
  for (const source of [object, more]) {
    for (const name of Object.keys(source)) setKey(result, name, getKey(source, name));
  }
  return result;
}

function dropNullsNode(value: Json, schema: StructuralSchema | undefined): Json {
  if (schema === undefined) return value;
  if (isJsonArray(value)) return mapItems(value, (item) => dropNullsNode(item, schema.items));
  if (!isJsonObject(value)) return value;
  return mapFields(value, (name, field) => {
    if (isScalar(field)) return field;
    const property = fieldSchema(schema, name);
    const goes = field === null && property !== undefined && !property.nullable && property.default === undefined;
    return goes ? undefined : dropNullsNode(field, property);
  });
}

/** Text, numbers and flags stay as they are, whatever their schema. Null does not. */
function isScalar(value: Json): boolean {
  return typeof value !== "object";
}

function mapFields(object: JsonObject, change: (name: string, value: Json) => Json | undefined): JsonObject {
  let changed: MutableJsonObject | undefined;
  const names = Object.keys(object);
  let index = 0;
  for (const name of names) {
    const before = object[name] ?? null;
    const after = change(name, before);
    if (after !== before) changed ??= copyOf(object, names.slice(0, index));
    index++;
    if (changed !== undefined && after !== undefined) setKey(changed, name, after);
  }
  return changed ?? object;
}

function copyOf(object: JsonObject, names: readonly string[]): MutableJsonObject {
  const copy: MutableJsonObject = {};
  for (const name of names) setKey(copy, name, object[name] ?? null);
  return copy;
}
