/**
 * `@kubewright/api/zero-values`: objects of built-in kinds as Go writes them. A Go API server decodes into structs and
 * encodes those again, so its answers have `"status":{}` though nobody sent a status, lack `"paused":false` though
 * somebody did, and say `"cpu":"500m"` where 0.5 was asked for. `withZeroValues` does the same to a plain object, by the
 * rows of tables/type-table.ts.
 */
import {
  canonicalQuantity,
  formatMicroTime,
  formatTime,
  getKey,
  isJsonArray,
  isJsonObject,
  type Json,
  type JsonObject,
  type MutableJsonObject,
  parseMicroTime,
  parseTime,
} from "@kubewright/core/meta";
import { type FieldRow, type GoType, typeOfKind, typeRow } from "./tables/type-table.ts";

/**
 * The object with the fields that Go always writes, without those that Go leaves out when they are empty, and without
 * those that the kind does not have; fields stand in Go's order, quantities and times have their canonical spelling.
 * Kinds that are not built in are returned as they are. The object must have the types of the kind's schema: a value of
 * another type is passed on as it is. Throws `MalformedError` for text that is no quantity or time.
 */
export function withZeroValues(group: string, version: string, kind: string, object: JsonObject): JsonObject {
  const id = typeOfKind(group, version, kind);
  return id === undefined ? object : writeStruct(id, object);
}

/** Metadata as Go writes it; that of custom resources goes through the same Go type. */
export function metadataWithZeroValues(metadata: JsonObject): JsonObject {
  return writeStruct("meta/v1.ObjectMeta", metadata);
}

function writeStruct(id: string, object: JsonObject): JsonObject {
  const written: MutableJsonObject = {};
  writeFields(id, object, written);
  return written;
}

function writeFields(id: string, object: JsonObject, written: MutableJsonObject): void {
  for (const field of typeRow(id).fields) {
    if (field.name !== "") {
      const value = writeField(field, getKey(object, field.name));
      if (value !== undefined) written[field.name] = value;
    } else if (field.type.kind === "struct") {
      writeFields(field.type.id, object, written);
    }
  }
}

/** What Go writes for a field; undefined if it leaves the field out. */
function writeField({ type, omit }: FieldRow, given: Json | undefined): Json | undefined {
  const absent = given === undefined || given === null;
  if (omit === "zero" && (absent || isEmpty(given))) return undefined;
  if (omit === "empty" && !isStruct(type) && (absent || (type.kind !== "pointer" && isEmpty(given)))) return undefined;
  return writeValue(type, given);
}

function writeValue(type: GoType, given: Json | undefined): Json {
  if (given === undefined || given === null) return zeroOf(type);
  switch (type.kind) {
    case "pointer":
      return writeValue(type.of, given);
    case "list":
      return isJsonArray(given) ? given.map((item) => writeValue(type.of, item)) : given;
    case "map":
      return isJsonObject(given) ? writeMap(type.of, given) : given;
    case "struct":
      return isJsonObject(given) ? writeStruct(type.id, given) : given;
    case "scalar":
      return writeScalar(type.name, given);
  }
}

function writeScalar(name: string, given: Json): Json {
  switch (name) {
    case "Quantity":
      return isJsonObject(given) || isJsonArray(given) ? given : canonicalQuantity(String(given));
    case "Time":
      return typeof given === "string" ? formatTime(parseTime(given)) : given;
    case "MicroTime":
      return typeof given === "string" ? formatMicroTime(parseMicroTime(given)) : given;
    default:
      return name.startsWith("JSONSchemaPropsOr") ? writeSchemaUnion(given) : given;
  }
}

function writeMap(of: GoType, map: JsonObject): JsonObject {
  if (of.kind === "scalar" && /^[a-z]/.test(of.name)) return map;
  return Object.fromEntries(Object.entries(map).map(([key, value]) => [key, writeValue(of, value)]));
}

const SCHEMA: GoType = { kind: "struct", id: "apiextensions/v1.JSONSchemaProps" };

/** A schema, a list of schemas or names, or a flag. */
function writeSchemaUnion(given: Json): Json {
  if (isJsonArray(given)) return given.map((item) => writeSchemaUnion(item));
  return isJsonObject(given) ? writeValue(SCHEMA, given) : given;
}

/** Structs are never empty for Go, and these are structs although their JSON is one value. */
function isStruct(type: GoType): boolean {
  return type.kind === "struct" || (type.kind === "scalar" && /^[A-Z]/.test(type.name));
}

function isEmpty(value: Json): boolean {
  if (isJsonArray(value)) return value.length === 0;
  if (isJsonObject(value)) return Object.keys(value).length === 0;
  return value === "" || value === 0 || value === false || value === 0n;
}

function zeroOf(type: GoType): Json {
  if (type.kind === "struct") return writeStruct(type.id, {});
  if (type.kind !== "scalar") return null;
  switch (type.name) {
    case "string":
      return "";
    case "bool":
    case "JSONSchemaPropsOrBool":
      return false;
    case "int32":
    case "int64":
    case "float64":
    case "IntOrString":
      return 0;
    case "Quantity":
      return "0";
    default: // times, bytes and JSON are null
      return null;
  }
}
