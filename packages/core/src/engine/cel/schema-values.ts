/**
 * An object's JSON as CEL values, read through its schema: integers become ints, date-times timestamps, sets compare
 * without order. Lists and objects convert when they are looked at, and each part once.
 */
import { getKey, isJsonArray, isJsonObject, type Json, type JsonObject } from "../../meta/json.ts";
import { formatGoJson } from "../../protocol/go-format.ts";
import type { StructuralSchema } from "../../schema/structural.ts";
import { mapListKey } from "../ratchet.ts";
import { CelError } from "./cel-error.ts";
import { escapeName } from "./schema-types.ts";
import { parseDate, parseDuration, parseTimestamp } from "./time.ts";
import { type ListValue, listOf, type MapValue, type Value } from "./values.ts";

/** The value of JSON that has a schema. */
export function schemaValue(json: Json, schema: StructuralSchema): Value {
  if (json === null) return null;
  if (isJsonArray(json)) return listValue(json, schema);
  if (isJsonObject(json)) {
    const { additionalProperties } = schema;
    return typeof additionalProperties === "object"
      ? mapValue(json, () => additionalProperties)
      : objectValue(json, schema);
  }
  if (typeof json === "string") return textValue(json, schema);
  return typeof json === "number" && schema.type !== "number" && Number.isInteger(json)
    ? BigInt(json)
    : scalarValue(json, schema);
}

function scalarValue(json: number | bigint | boolean, schema: StructuralSchema): Value {
  return typeof json === "bigint" && schema.type === "number" ? Number(json) : json;
}

/** The value of JSON without a schema: whole numbers are ints. */
export function dynamicValue(json: Json): Value {
  if (isJsonArray(json)) return lazyList(json, dynamicValue);
  if (isJsonObject(json)) return mapValue(json, undefined);
  return typeof json === "number" && Number.isInteger(json) ? BigInt(json) : json;
}

function textValue(text: string, schema: StructuralSchema): Value {
  if (schema.type !== "string") return text;
  switch (schema.format) {
    case "byte":
      return new Uint8Array(Buffer.from(text, "base64"));
    case "duration":
      return orThrow(parseDuration(text), "duration");
    case "date":
      return orThrow(parseDate(text), "date");
    case "date-time":
      return orThrow(parseTimestamp(text), "date-time");
    default:
      return text;
  }
}

function orThrow(value: Value | undefined, format: string): Value {
  if (value === undefined) throw new CelError(`Invalid ${format}`);
  return value;
}

function lazyList(items: readonly Json[], convert: (item: Json) => Value): ListValue {
  const known: (Value | undefined)[] = [];
  return {
    kind: "list",
    size: items.length,
    at: (index) => (known[index] ??= convert(items[index] as Json)),
  };
}

function listValue(items: readonly Json[], schema: StructuralSchema): Value {
  const { items: itemSchema } = schema;
  if (itemSchema === undefined) return listOf(items.map(dynamicValue));
  const list = lazyList(items, (item) => schemaValue(item, itemSchema));
  const listType = schema["x-kubernetes-list-type"];
  if (listType !== "set" && listType !== "map") return list;
  const jsonOf = new Map<Value, Json>();
  const keyOf = (item: Value): string => {
    const json = toJson(item, jsonOf);
    return listType === "map" ? (mapListKey(json, schema) ?? "") : formatGoJson(json);
  };
  return { ...list, identity: { type: listType, keyOf } };
}

function mapValue(object: JsonObject, schemaOf: (() => StructuralSchema) | undefined): MapValue {
  const known = new Map<string, Value>();
  const convert = (json: Json): Value => (schemaOf === undefined ? dynamicValue(json) : schemaValue(json, schemaOf()));
  return {
    kind: "map",
    size: Object.keys(object).length,
    get: (key) => (typeof key === "string" ? lookUp(object, key, { known, convert }) : undefined),
    keys: () => Object.keys(object),
  };
}

interface Conversion {
  readonly known: Map<string, Value>;
  convert(json: Json): Value;
}

function lookUp(object: JsonObject, key: string, { known, convert }: Conversion): Value | undefined {
  const before = known.get(key);
  if (before !== undefined) return before;
  const json = getKey(object, key);
  if (json === undefined) return undefined;
  const value = convert(json);
  known.set(key, value);
  return value;
}

/** Fields by their names in rules. A null field is as good as absent to rules; only maps and lists hold nulls. */
function objectValue(object: JsonObject, schema: StructuralSchema): MapValue {
  const { properties = {} } = schema;
  const names = propertyNames(schema);
  const known = new Map<string, Value>();
  const isVisible = (name: string): boolean => Object.hasOwn(properties, name) && getKey(object, name) !== null;
  const visible = Object.keys(object).filter(isVisible);
  const hidden = visible.length === Object.keys(object).length ? {} : { hidden: without(object, visible) };
  return {
    kind: "map",
    size: visible.length,
    get(key) {
      const property = typeof key === "string" ? names.get(key) : undefined;
      const propertySchema = property === undefined ? undefined : properties[property];
      if (property === undefined || propertySchema === undefined || !isVisible(property)) return undefined;
      return lookUp(object, property, { known, convert: (json) => schemaValue(json, propertySchema) });
    },
    keys: () => visible.map((name) => escapeName(name) ?? name),
    ...hidden,
  };
}

function without(object: JsonObject, names: readonly string[]): JsonObject {
  const gone = new Set(names);
  return Object.fromEntries(Object.entries(object).filter(([name]) => !gone.has(name)));
}

const namesOfSchemas = new WeakMap<StructuralSchema, ReadonlyMap<string, string>>();

/** Property names by what rules call them. */
function propertyNames(schema: StructuralSchema): ReadonlyMap<string, string> {
  const known = namesOfSchemas.get(schema);
  if (known !== undefined) return known;
  const names = new Map(Object.keys(schema.properties ?? {}).map((name) => [escapeName(name) ?? name, name]));
  namesOfSchemas.set(schema, names);
  return names;
}

/** A value as JSON, to be compared by text. */
export function toJson(value: Value, known: Map<Value, Json> = new Map()): Json {
  if (value === null || typeof value !== "object") return value;
  const before = known.get(value);
  if (before !== undefined) return before;
  const json = objectToJson(value, known);
  known.set(value, json);
  return json;
}

function objectToJson(value: Exclude<Value, null | boolean | bigint | number | string>, known: Map<Value, Json>): Json {
  if (value instanceof Uint8Array) return Buffer.from(value).toString("base64");
  if (value.kind === "list") return Array.from({ length: value.size }, (_, index) => toJson(value.at(index), known));
  if (value.kind === "map") {
    return Object.fromEntries(
      value.keys().map((key) => [String(toJson(key, known)), toJson(value.get(key) ?? null, known)]),
    );
  }
  if (value.kind === "uint") return value.value;
  if (value.kind === "timestamp" || value.kind === "duration") return value.nanoseconds;
  if (value.kind === "optional") return value.value === undefined ? null : toJson(value.value, known);
  return value.kind === "type" ? value.name : value.text;
}
