/**
 * `@kubewright/api/zero-values`: objects of built-in kinds as Go writes them. A Go API server decodes into structs and
 * encodes those again, so its answers have `"status":{}` though nobody sent a status, lack `"paused":false` though
 * somebody did, and say `"cpu":"500m"` where 0.5 was asked for. `withZeroValues` does the same to a plain object, by the
 * rows of tables/type-table.ts.
 */
import {
  canonicalQuantity,
  canonicalTime,
  formatMicroTime,
  type GroupVersionKind,
  isJsonArray,
  isJsonObject,
  type Json,
  type JsonObject,
  type MutableJsonObject,
  parseMicroTime,
} from "@kubewright/core/meta";
import { type FieldRow, type GoType, typeOfKind, typeRow } from "./tables/type-table.ts";

/**
 * The object with the fields that Go always writes, without those that Go leaves out when they are empty, and without
 * those that the kind does not have; fields stand in Go's order, quantities and times have their canonical spelling.
 * Kinds that are not built in are returned as they are. The object must have the types of the kind's schema: a value of
 * another type is passed on as it is. Throws `MalformedError` for text that is no quantity or time. Parts that are those of
 * `known`, an object that has been through this, are passed over, and parts that become equal to them are shared with it.
 */
export function withZeroValues(
  { group, version, kind }: GroupVersionKind,
  object: JsonObject,
  known?: JsonObject,
): JsonObject {
  const id = typeOfKind(group, version, kind);
  return id === undefined ? object : writeStruct(id, object, known);
}

/** Metadata as Go writes it; that of custom resources goes through the same Go type. */
export function metadataWithZeroValues(metadata: JsonObject): JsonObject {
  return writeStruct("meta/v1.ObjectMeta", metadata);
}

/** A field with what is known of it beforehand: this is done for every field of every object that is written. */
interface FieldWriter {
  readonly name: string;
  readonly omit: FieldRow["omit"];
  /** Structs are never empty for Go. */
  readonly isStruct: boolean;
  readonly isPointer: boolean;
  write: Write;
}

/** Writes a value; `known` is what stands in its place in an object that was written before. */
type Write = (given: Json | undefined, known: Json | undefined) => Json;

/** How the structs of one type are written. */
interface StructWriter {
  /** In Go's order. */
  readonly fields: readonly FieldWriter[];
  readonly placeOf: ReadonlyMap<string, number>;
  /** The places of fields that Go writes even when they are absent. */
  readonly always: readonly number[];
}

const writersById = new Map<string, StructWriter>();

/** Looks at the keys that are there, not at all fields of the type: most of those are absent. */
function writeStruct(id: string, object: JsonObject, known?: Json): JsonObject {
  if (object === known) return object;
  const { fields, placeOf, always } = writersOf(id);
  const before = isJsonObject(known) ? known : undefined;
  const places: number[] = [];
  const values = new Map<number, Json>();
  let isWritten = true;
  for (const name in object) {
    const place = placeOf.get(name) ?? -1;
    const field = fields[place];
    const value = field && writeField(field, object[name], before?.[name]);
    isWritten &&= value !== undefined && value === object[name] && place > (places.at(-1) ?? -1);
    if (value === undefined) continue;
    places.push(place);
    values.set(place, value);
  }
  for (const place of always) {
    if (values.has(place)) continue;
    isWritten = false;
    places.push(place);
    values.set(place, fields[place]?.write(undefined, undefined) ?? null);
  }
  if (isWritten && before === undefined) return object;
  const nameOf = (place: number): string => fields[place]?.name ?? "";
  if (before !== undefined && isSame(before, places, (place) => values.get(place) === before[nameOf(place)]))
    return before;
  if (isWritten) return object;
  const written: MutableJsonObject = {};
  // Names of fields are those of Go types, none of which an object inherits.
  for (const place of places.sort((left, right) => left - right)) written[nameOf(place)] = values.get(place) ?? null;
  return written;
}

/** Whether an object has exactly these fields, and each of them as `isEqual` wants it. */
function isSame(before: JsonObject, places: readonly number[], isEqual: (place: number) => boolean): boolean {
  return places.every(isEqual) && Object.keys(before).length === places.length;
}

/** The fields of a struct in Go's order, those of embedded structs among them. */
function writersOf(id: string): StructWriter {
  const known = writersById.get(id);
  if (known !== undefined) return known;
  const fields = typeRow(id).fields.flatMap(({ name, type, omit }): readonly FieldWriter[] => {
    if (name === "") return type.kind === "struct" ? writersOf(type.id).fields : [];
    return [{ name, omit, isStruct: isStruct(type), isPointer: type.kind === "pointer", write: writerOf(type) }];
  });
  const placeOf = new Map(fields.map(({ name }, place) => [name, place]));
  const always = [...placeOf.values()].filter((place) => isAlways(fields[place]));
  const writer = { fields, placeOf, always };
  writersById.set(id, writer);
  return writer;
}

function isAlways(field: FieldWriter | undefined): boolean {
  return field?.omit === "never" || (field?.omit === "empty" && field.isStruct);
}

/** What Go writes for a field; undefined if it leaves the field out. */
function writeField(
  { omit, isStruct, isPointer, write }: FieldWriter,
  given: Json | undefined,
  known: Json | undefined,
): Json | undefined {
  const absent = given === undefined || given === null;
  if (omit === "zero" && (absent || isEmpty(given))) return undefined;
  if (omit === "empty" && !isStruct && (absent || (!isPointer && isEmpty(given)))) return undefined;
  return write(given, known);
}

/** Writes values of a type. */
function writerOf(type: GoType): Write {
  const write = presentWriterOf(type);
  return (given, known) => {
    if (given === undefined || given === null) return zeroOf(type);
    return given === known && typeof given === "object" ? given : write(given, known);
  };
}

function presentWriterOf(type: GoType): (given: Json, known: Json | undefined) => Json {
  switch (type.kind) {
    case "pointer":
      return presentWriterOf(type.of);
    case "list": {
      const writeItem = writerOf(type.of);
      return (given, known) => (isJsonArray(given) ? writeItems(given, writeItem, known) : given);
    }
    case "map": {
      const writeItem = writerOf(type.of);
      if (type.of.kind === "scalar" && /^[a-z]/.test(type.of.name)) {
        return (given) => (isJsonObject(given) && hasNull(given) ? writeMap(given, writeItem) : given);
      }
      return (given) => (isJsonObject(given) ? writeMap(given, writeItem) : given);
    }
    case "struct":
      return (given, known) => (isJsonObject(given) ? writeStruct(type.id, given, known) : given);
    case "scalar":
      return scalarWriterOf(type.name);
  }
}

function scalarWriterOf(name: string): (given: Json) => Json {
  switch (name) {
    case "Quantity":
      return (given) => (isJsonObject(given) || isJsonArray(given) ? given : canonicalQuantity(String(given)));
    case "Time":
      return (given) => (typeof given === "string" ? canonicalTime(given) : given);
    case "MicroTime":
      return (given) => (typeof given === "string" ? formatMicroTime(parseMicroTime(given)) : given);
    default:
      return name.startsWith("JSONSchemaPropsOr") ? writeSchemaUnion : (given) => given;
  }
}

function writeItems(items: readonly Json[], write: Write, known: Json | undefined): readonly Json[] {
  const knownItems = isJsonArray(known) ? known : [];
  let isKnown = items.length === knownItems.length;
  let written: Json[] | undefined;
  for (let index = 0; index < items.length; index++) {
    const before = items[index] ?? null;
    const after = write(before, knownItems[index]);
    isKnown &&= after === knownItems[index];
    if (after !== before) written ??= items.slice(0, index);
    written?.push(after);
  }
  return isKnown && isJsonArray(known) ? known : (written ?? items);
}

/** Only null among plain values is written as something else. */
function hasNull(map: JsonObject): boolean {
  for (const key in map) if (map[key] === null) return true;
  return false;
}

function writeMap(map: JsonObject, write: Write): JsonObject {
  return Object.fromEntries(Object.entries(map).map(([key, value]) => [key, write(value, undefined)]));
}

/** A schema, a list of schemas or names, or a flag. */
function writeSchemaUnion(given: Json): Json {
  if (isJsonArray(given)) return given.map((item) => writeSchemaUnion(item));
  return isJsonObject(given) ? writeStruct("apiextensions/v1.JSONSchemaProps", given) : given;
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

const zeroStructs = new Map<string, JsonObject>();

function zeroStruct(id: string): JsonObject {
  const known = zeroStructs.get(id);
  if (known !== undefined) return known;
  const zero = writeStruct(id, {});
  zeroStructs.set(id, zero);
  return zero;
}

function zeroOf(type: GoType): Json {
  if (type.kind === "struct") return zeroStruct(type.id);
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
