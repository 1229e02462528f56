/**
 * `@kubewright/api/check-object`: whether a plain object would decode into the Go type of a built-in kind. A Go API
 * server refuses a value of the wrong type and reports fields that the type does not have; so does this, by the rows of
 * tables/type-table.ts and in the words of Go's JSON decoder.
 */
import {
  canonicalQuantity,
  canonicalTime,
  type GroupVersionKind,
  getKey,
  isJsonArray,
  isJsonObject,
  type Json,
  type JsonObject,
  type MutableJsonObject,
  malformed,
  parseMicroTime,
  setKey,
  stringifyJson,
} from "@kubewright/core/meta";
import { type FieldRow, type GoType, typeOfKind, typeRow } from "./tables/type-table.ts";

const OBJECT_META = "meta/v1.ObjectMeta";

/**
 * The paths of fields that the kind does not have (`spec.containers[0].foo`), in the order in which they stand. Throws
 * a `MalformedError` for the first value of a wrong type. Kinds that are not built in have every field. Fields at the top
 * that are those of `known`, an object of the kind, are passed over.
 */
export function unknownFieldsOf(
  { group, version, kind }: GroupVersionKind,
  object: JsonObject,
  known?: JsonObject,
): readonly string[] {
  const id = typeOfKind(group, version, kind);
  return id === undefined ? [] : checkRoot(id, known === undefined ? object : otherThan(known, object), "");
}

/** The fields of an object that are not those of another. */
function otherThan(known: JsonObject, object: JsonObject): JsonObject {
  const others: MutableJsonObject = {};
  for (const name in object) {
    if (object[name] !== getKey(known, name)) setKey(others, name, object[name]);
  }
  return others;
}

/** The same for metadata alone, which custom resources have too; paths start with that of the metadata. */
export function unknownMetadataFieldsOf(metadata: Json, path = "metadata"): readonly string[] {
  if (metadata === null) return [];
  if (!isJsonObject(metadata)) {
    const given = isJsonArray(metadata) ? "array" : typeof metadata === "boolean" ? "bool" : typeof metadata;
    throw malformed(`json: cannot unmarshal ${given} into Go value of type v1.ObjectMeta`);
  }
  return checkRoot(OBJECT_META, metadata, path);
}

function checkRoot(id: string, object: JsonObject, root: string): readonly string[] {
  const unknown: string[] = [];
  checkStruct(id, object, { parent: undefined, step: root, goStep: "", owner: "", unknown });
  return unknown;
}

/** Where a value stands, as a chain: paths are written only when there is something to tell. */
interface Place {
  readonly parent: Place | undefined;
  /** The last step as clients write it: ".name", "[0]". */
  readonly step: string | number;
  /** The last step as Go writes it: without indices, with embedded structs. */
  readonly goStep: string;
  /** Name of the struct that has the field itself. */
  readonly owner: string;
  readonly unknown: string[];
}

/** As clients write it: spec.containers[0].name. */
function pathOf({ parent, step }: Place): string {
  const before = parent === undefined ? "" : pathOf(parent);
  if (typeof step === "number") return `${before}[${step}]`;
  return before === "" ? step : `${before}.${step}`;
}

function goPathOf({ parent, goStep }: Place): string {
  const before = parent === undefined ? "" : goPathOf(parent);
  return before === "" || goStep === "" ? `${before}${goStep}` : `${before}.${goStep}`;
}

/** A field of a struct, or of a struct embedded in it. */
interface FieldPlace {
  readonly row: FieldRow;
  /** Name of the struct that has the field itself. */
  readonly owner: string;
  /** Its name, after those of the embedded structs on the way. */
  readonly goStep: string;
}

const fieldsById = new Map<string, ReadonlyMap<string, FieldPlace>>();

function checkStruct(id: string, object: JsonObject, place: Place): void {
  const fields = fieldsOf(id);
  const { unknown } = place;
  for (const name in object) {
    const field = fields.get(name);
    const value = object[name] ?? null;
    if (field === undefined) unknown.push(pathOf({ ...place, parent: place, step: name }));
    else if (!isPlain(field.row.type, value)) {
      const { owner, goStep, row } = field;
      checkValue(row.type, value, { parent: place, step: name, goStep, owner, unknown });
    }
  }
}

/** Most values are text, numbers or flags, and right: they need no place. */
function isPlain(type: GoType, value: Json): boolean {
  if (value === null) return true;
  if (type.kind === "pointer") return isPlain(type.of, value);
  if (type.kind !== "scalar") return false;
  switch (type.name) {
    case "string":
      return typeof value === "string";
    case "bool":
      return typeof value === "boolean";
    case "int32":
      return typeof value === "number" && (value | 0) === value;
    default:
      return false;
  }
}

function fieldsOf(id: string): ReadonlyMap<string, FieldPlace> {
  const known = fieldsById.get(id);
  if (known !== undefined) return known;
  const fields = new Map(collectFields(id, "").map((field) => [field.row.name, field]));
  fieldsById.set(id, fields);
  return fields;
}

function collectFields(id: string, embedded: string): FieldPlace[] {
  return typeRow(id).fields.flatMap((row) => {
    if (row.name !== "" || row.type.kind !== "struct")
      return [{ row, owner: nameOf(id), goStep: `${embedded}${row.name}` }];
    return collectFields(row.type.id, `${embedded}${nameOf(row.type.id)}.`);
  });
}

function checkValue(type: GoType, value: Json, place: Place): void {
  if (value === null) return;
  switch (type.kind) {
    case "pointer":
      checkValue(type.of, value, place);
      return;
    case "list":
      if (!isJsonArray(value)) throw wrongType(value, type, place);
      for (let index = 0; index < value.length; index++) {
        const item = value[index] ?? null;
        if (!isPlain(type.of, item)) checkValue(type.of, item, { ...place, parent: place, step: index, goStep: "" });
      }
      return;
    case "map":
      if (!isJsonObject(value)) throw wrongType(value, type, place);
      for (const key in value) {
        const item = value[key] ?? null;
        if (!isPlain(type.of, item)) checkValue(type.of, item, { ...place, parent: place, step: key, goStep: "" });
      }
      return;
    case "struct":
      if (!isJsonObject(value)) throw wrongType(value, type, place);
      checkStruct(type.id, value, place);
      return;
    case "scalar":
      checkScalar(type.name, value, place);
  }
}

const INTEGER_BITS: Readonly<Record<string, number>> = { int32: 32, int64: 64 };

function checkScalar(name: string, value: Json, place: Place): void {
  const type: GoType = { kind: "scalar", name };
  switch (name) {
    case "string":
      if (typeof value !== "string") throw wrongType(value, type, place);
      return;
    case "bytes":
      if (typeof value !== "string") throw wrongType(value, type, place);
      checkBase64(value);
      return;
    case "bool":
      if (typeof value !== "boolean") throw wrongType(value, type, place);
      return;
    case "int32":
    case "int64":
      if (!isInteger(value, INTEGER_BITS[name] ?? 64)) throw wrongType(value, type, place);
      return;
    case "float64":
      if (typeof value !== "number" && typeof value !== "bigint") throw wrongType(value, type, place);
      return;
    case "IntOrString":
      if (typeof value !== "string" && !isInteger(value, 32)) {
        throw wrongType(value, { kind: "scalar", name: "int32" }, place);
      }
      return;
    case "Quantity":
      canonicalQuantity(typeof value === "string" ? value : stringifyJson(value)); // Go reads the text of any value.
      return;
    case "Time":
      if (typeof value !== "string") throw wrongType(value, { kind: "scalar", name: "string" }, place);
      canonicalTime(value);
      return;
    case "MicroTime":
      if (typeof value !== "string") throw wrongType(value, { kind: "scalar", name: "string" }, place);
      parseMicroTime(value);
      return;
    default:
      return; // Any JSON.
  }
}

function checkBase64(text: string): void {
  const stripped = text.replace(/[\r\n]/g, "");
  const bad = stripped.search(/[^A-Za-z0-9+/=]/);
  if (bad >= 0) throw malformed(`illegal base64 data at input byte ${bad}`);
  if (!/^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/.test(stripped)) {
    throw malformed(`illegal base64 data at input byte ${stripped.length - (stripped.length % 4)}`);
  }
}

function isInteger(value: Json, bits: number): boolean {
  if (typeof value !== "number" && typeof value !== "bigint") return false;
  if (typeof value === "number" && !Number.isInteger(value)) return false;
  const integer = BigInt(value);
  return BigInt.asIntN(bits, integer) === integer;
}

function wrongType(value: Json, type: GoType, place: Place): Error {
  const { owner } = place;
  const goPath = goPathOf(place);
  const wanted = goTypeName(type);
  return malformed(
    `json: cannot unmarshal ${describe(value, wanted)} into Go struct field ${owner}.${goPath} of type ${wanted}`,
  );
}

/** What stands in the JSON; numbers that are of the right kind but do not fit are told themselves. */
function describe(value: Json, wanted: string): string {
  if (isJsonArray(value)) return "array";
  if (isJsonObject(value)) return "object";
  if (typeof value === "string") return "string";
  if (typeof value === "boolean") return "bool";
  return wanted.startsWith("int") ? `number ${stringifyJson(value)}` : "number";
}

function goTypeName(type: GoType): string {
  switch (type.kind) {
    case "pointer":
      return goTypeName(type.of);
    case "list":
      return `[]${goTypeName(type.of)}`;
    case "map":
      return `map[string]${goTypeName(type.of)}`;
    case "struct":
      return type.id.slice(type.id.indexOf("/") + 1);
    case "scalar":
      return type.name === "bytes" ? "[]uint8" : type.name;
  }
}

function nameOf(id: string): string {
  return id.slice(id.lastIndexOf(".") + 1);
}
