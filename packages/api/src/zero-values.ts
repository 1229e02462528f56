/**
 * `@kubewright/api/zero-values`: objects of built-in kinds as Go writes them. A Go API server decodes into structs and
 * encodes those again, so its answers have `"status":{}` though nobody sent a status, lack `"paused":false` though
 * somebody did, and say `"cpu":"500m"` where 0.5 was asked for. The functions here do the same to a plain object, by the
 * rows of tables/type-table.ts: each type is read once and becomes a writer of its structs.
 */
import {
  canonicalMicroTime,
  canonicalQuantity,
  canonicalTime,
  type GroupVersionKind,
  getKey,
  isJsonArray,
  isJsonObject,
  isMalformed,
  type Json,
  type JsonObject,
  type MutableJsonObject,
  setKey,
} from "@kubewright/core/meta";
import { type Accepts, acceptsFor } from "./accepted-values.ts";
import { type GoType, typeOfKind, typeRow } from "./tables/type-table.ts";

/** An object that has been through `withoutNil`: its parts need no second look. */
export interface KnownObject {
  readonly given: JsonObject;
  /** What was written for it before: parts of `given` become those of it. @default it was not written yet */
  readonly written?: JsonObject | undefined;
}

/**
 * The object with the fields that Go always writes, without those that Go leaves out when they are empty, and without
 * those that the kind does not have; fields stand in Go's order, quantities and times have their canonical spelling.
 * Kinds that are not built in are returned as they are. The object must have the types of the kind's schema: a value of
 * another type is passed on as it is. Throws `MalformedError` for text that is no quantity or time.
 */
export function withZeroValues({ group, version, kind }: GroupVersionKind, object: JsonObject): JsonObject {
  const id = typeOfKind(group, version, kind);
  return id === undefined ? object : writeStruct(structWriter(GO, id), object, undefined, undefined);
}

/** Objects of one kind in other forms. Objects of kinds that are not built in stay as they are. */
export interface KindForms {
  /**
   * As `withZeroValues`, but nil is left out where Go would write null. Parts of `known`, which has been through this, are passed
   * over, and parts that become equal to them are shared with it.
   */
  readonly withoutNil: (object: JsonObject, known?: JsonObject) => JsonObject;
  /**
   * The same for an object that nobody has looked at yet: undefined when it has fields that its kind does not have, or values of
   * a wrong type. What is wrong with it, if anything, is told by `unknownFieldsOf` in check-object.ts, which takes its time.
   */
  readonly read: (object: JsonObject, known?: JsonObject) => JsonObject | undefined;
  /**
   * The same for a value that may not be JSON: fields that are undefined are left out, and all else that JSON does not have makes it
   * undefined, as do parts of which the kind says nothing.
   */
  readonly readGiven: (object: JsonObject, known?: JsonObject) => JsonObject | undefined;
  /**
   * As `withZeroValues`, but as Kubernetes' storage gives it back: it does not tell an empty list from none. Parts of `known`
   * are passed over where they were written before, and where their types have nothing that is null.
   */
  readonly asStored: (object: JsonObject, known?: KnownObject) => JsonObject;
}

/** The forms of a kind. */
export function formsOf({ group, version, kind }: GroupVersionKind): KindForms {
  const id = typeOfKind(group, version, kind);
  if (id === undefined)
    return {
      withoutNil: (object) => object,
      read: (object) => object,
      readGiven: () => undefined,
      asStored: (object) => object,
    };
  const settled = structWriter(WITHOUT_NIL, id);
  const stored = structWriter(STORED, id);
  return {
    withoutNil: (object, known) => writeStruct(settled, object, known, known),
    read: (object, known) => readStruct(settled, object, known),
    readGiven: (object, known) => readGiven(settled, object, known),
    asStored: (object, known) => writeStruct(stored, object, known?.given, known?.written),
  };
}

function readStruct(writer: StructWriter, object: JsonObject, known: JsonObject | undefined): JsonObject | undefined {
  isSuspect = false;
  try {
    const read = writeStruct(writer, object, known, known);
    return isSuspect ? undefined : read;
  } catch (error) {
    if (isMalformed(error)) return undefined;
    throw error;
  }
}

function readGiven(writer: StructWriter, object: JsonObject, known: JsonObject | undefined): JsonObject | undefined {
  if (isDoubtful(object)) return undefined;
  isGiven = true;
  try {
    return readStruct(writer, object, known);
  } finally {
    isGiven = false;
  }
}

/** Whether what is read may not be JSON where no type says what it is. */
let isGiven = false;

/**
 * Whether a value that was given away may not be what it seems: objects that say themselves what they are as JSON, such as a Date, are
 * not what their fields say, and how long all texts may be together is nothing that a type says.
 */
function isDoubtful(given: Json): boolean {
  if (typeof given === "string") return given.length > TEXT_LENGTH_MAX;
  return isJsonObject(given) && typeof given["toJSON"] === "function";
}

const TEXT_LENGTH_MAX = 65_536;

/** Whether something was met, since it was last set back, that may be no field of its type, or of a wrong type. */
let isSuspect = false;

/** Metadata as Go writes it; that of custom resources goes through the same Go type. */
export function metadataWithZeroValues(metadata: JsonObject): JsonObject {
  return writeStruct(structWriter(GO, "meta/v1.ObjectMeta"), metadata, undefined, undefined);
}

/** One way to write. */
interface Form {
  readonly writesNil: boolean;
  readonly keepsEmptyLists: boolean;
  /** The order of a struct's fields, from Go's. */
  readonly order: (fields: readonly FieldWriter[]) => readonly FieldWriter[];
  readonly structs: Map<string, StructWriter>;
}

const GO: Form = { writesNil: true, keepsEmptyLists: true, order: (fields) => fields, structs: new Map() };
const WITHOUT_NIL: Form = { writesNil: false, keepsEmptyLists: true, order: versionFirst, structs: new Map() };
const STORED: Form = { writesNil: true, keepsEmptyLists: false, order: versionFirst, structs: new Map() };

/** Objects begin with their apiVersion where people read them; Go puts their kind first. */
function versionFirst(fields: readonly FieldWriter[]): readonly FieldWriter[] {
  const [first, second, ...others] = fields;
  return first?.name === "kind" && second?.name === "apiVersion" ? [second, first, ...others] : fields;
}

/**
 * Writes a value that is there; undefined leaves it out. `known` is what stands in its place in an object that was written
 * before, `before` what was written then.
 */
type Write = (given: Json, known: Json | undefined, before: Json | undefined) => Json | undefined;

/** What a key comes after: another one, or the start of a struct. */
interface Followed {
  /** The field that came after it the last time. */
  next: FieldWriter | undefined;
}

/** A field with what is known of it beforehand: this is done for every field of every object that is written. */
interface FieldWriter extends Followed {
  readonly name: string;
  readonly type: GoType;
  /** Where it stands in Go's order. */
  place: number;
  /** Go writes it even when it is absent. */
  readonly isAlways: boolean;
  readonly omitsEmpty: boolean;
  /** Most fields are text, which is written as it is. */
  readonly isText: boolean;
  readonly accepts: Accepts;
  readonly write: Write;
  /** What is written when it is absent. */
  readonly zero: () => Json | undefined;
}

/** How the structs of one type are written. */
interface StructWriter extends Followed {
  readonly form: Form;
  /** Whether there can be null in one that has been through `withoutNil`; found when it is asked for. */
  mayHaveNil?: boolean;
  /** In Go's order. */
  readonly fields: readonly FieldWriter[];
  readonly byName: ReadonlyMap<string, FieldWriter>;
  /** Those that are written even when they are absent, in the same order. */
  readonly always: readonly FieldWriter[];
  /** What is written for a struct that is not there; made when one is. */
  zero?: JsonObject;
}

/** Looks at the keys that are there, not at all fields of the type, and copies nothing until something has to change. */
function writeStruct(
  writer: StructWriter,
  object: JsonObject,
  known: Json | undefined,
  before: Json | undefined,
): JsonObject {
  if (object === known) {
    if (isJsonObject(before)) return before;
    if (!mayHaveNil(writer)) return object;
  }
  const knownFields = isJsonObject(known) ? known : NO_FIELDS;
  const beforeFields = isJsonObject(before) ? before : NO_FIELDS;
  const { always } = writer;
  let struct: MutableJsonObject | undefined;
  let isBefore = beforeFields !== NO_FIELDS;
  let isOrdered = true;
  let lastPlace = -1;
  let nextAlways = 0;
  let previous: Followed = writer;
  // Names of fields are those of Go types, none of which an object inherits.
  for (const name in object) {
    const field = fieldAfter(previous, name, writer);
    const given = object[name];
    const knownValue = knownFields === NO_FIELDS ? undefined : knownFields[name];
    const beforeValue = beforeFields === knownFields ? knownValue : beforeFields[name];
    const value = field && writeField(field, given, knownValue, beforeValue);
    isBefore &&= value === beforeValue;
    if (field === undefined || value === undefined) {
      if (field === undefined) isSuspect = true;
      struct ??= fieldsUntil(object, name);
      continue;
    }
    for (; (always[nextAlways]?.place ?? Number.POSITIVE_INFINITY) <= field.place; nextAlways++) {
      const absent = always[nextAlways] as FieldWriter;
      if (absent === field || object[absent.name] !== undefined) continue;
      struct ??= fieldsUntil(object, name);
      struct[absent.name] = absent.zero();
      isBefore &&= struct[absent.name] === beforeFields[absent.name];
    }
    if (value !== given) struct ??= fieldsUntil(object, name);
    if (struct !== undefined) struct[name] = value;
    isOrdered &&= field.place > lastPlace;
    lastPlace = field.place;
    previous = field;
  }
  for (; nextAlways < always.length; nextAlways++) {
    const absent = always[nextAlways] as FieldWriter;
    struct ??= { ...object };
    struct[absent.name] = absent.zero();
    isBefore &&= struct[absent.name] === beforeFields[absent.name];
  }
  const whole = isOrdered ? (struct ?? object) : inOrder(writer, struct ?? object);
  return isBefore && keyCount(beforeFields) === keyCount(whole) ? beforeFields : whole;
}

const NO_FIELDS: JsonObject = {};

/** The field of this name. Objects of a type mostly have the same keys in the same order, so the guess is nearly always right. */
function fieldAfter(previous: Followed, name: string, { byName }: StructWriter): FieldWriter | undefined {
  const guess = previous.next;
  if (guess !== undefined && guess.name === name) return guess;
  const field = byName.get(name);
  previous.next = field;
  return field;
}

function keyCount(object: JsonObject): number {
  let count = 0;
  for (const _ in object) count++;
  return count;
}

/** The fields before one of them, all of which are written as they are. */
function fieldsUntil(object: JsonObject, end: string): MutableJsonObject {
  const fields: MutableJsonObject = {};
  for (const name in object) {
    if (name === end) break;
    fields[name] = object[name];
  }
  return fields;
}

function inOrder({ fields }: StructWriter, object: JsonObject): JsonObject {
  const ordered: MutableJsonObject = {};
  for (const { name } of fields) {
    const value = object[name];
    if (value !== undefined) ordered[name] = value;
  }
  return ordered;
}

/** The writer of a struct, with the fields of embedded structs among its own. */
function structWriter(form: Form, id: string): StructWriter {
  const known = form.structs.get(id);
  if (known !== undefined) return known;
  const fields = form.order(fieldWriters(form, id)).map((field, place) => ({ ...field, place }));
  const byName = new Map(fields.map((field) => [field.name, field]));
  const always = [...byName.values()].filter(({ isAlways }) => isAlways);
  const writer: StructWriter = { form, fields, byName, always, next: undefined };
  form.structs.set(id, writer);
  return writer;
}

function fieldWriters(form: Form, id: string): readonly FieldWriter[] {
  return typeRow(id).fields.flatMap(({ name, type, omit }): readonly FieldWriter[] => {
    if (name === "") return type.kind === "struct" ? fieldWriters(form, type.id) : [];
    const keepsEmpty = omit === "never" || (omit === "empty" && isStruct(type));
    return [
      {
        name,
        type,
        place: 0,
        next: undefined,
        isAlways: keepsEmpty && (form.writesNil || !isNilable(type)),
        omitsEmpty: !keepsEmpty && (omit === "zero" || type.kind !== "pointer"),
        isText: isText(type),
        accepts: acceptsFor(type),
        write: writerOf(form, type),
        zero: () => zeroOf(form, type),
      },
    ];
  });
}

/** Whether null may be written in a struct that has been through `withoutNil`. */
function mayHaveNil(writer: StructWriter): boolean {
  if (writer.mayHaveNil !== undefined) return writer.mayHaveNil;
  writer.mayHaveNil = true; // Stands for types that contain themselves.
  writer.mayHaveNil = writer.fields.some(
    ({ isAlways, type }) => (isAlways && isNilable(type)) || isListPointer(type) || partMayHaveNil(writer.form, type),
  );
  return writer.mayHaveNil;
}

function partMayHaveNil(form: Form, type: GoType): boolean {
  switch (type.kind) {
    case "pointer":
      return partMayHaveNil(form, type.of);
    case "list":
    case "map":
      return type.of.kind === "list" || isListPointer(type.of) || partMayHaveNil(form, type.of);
    case "struct":
      return mayHaveNil(structWriter(form, type.id));
    case "scalar":
      return type.name.startsWith("JSONSchemaPropsOr");
  }
}

function isText(type: GoType): boolean {
  return type.kind === "pointer" ? isText(type.of) : type.kind === "scalar" && type.name === "string";
}

function isListPointer(type: GoType): boolean {
  return type.kind === "pointer" && type.of.kind === "list";
}

/** What Go writes for a field; undefined if it leaves the field out. */
function writeField(
  field: FieldWriter,
  given: Json | undefined,
  known: Json | undefined,
  before: Json | undefined,
): Json | undefined {
  if (typeof given === "string" && field.isText) {
    if (isGiven && isDoubtful(given)) isSuspect = true;
    return given === "" && field.omitsEmpty ? undefined : given;
  }
  if (given === undefined || given === null) return field.isAlways ? field.zero() : undefined;
  if (!field.accepts(given) || (isGiven && isDoubtful(given))) isSuspect = true;
  if (field.omitsEmpty && isEmpty(given)) return undefined;
  return given === known && before !== undefined ? before : field.write(given, known, before);
}

function writerOf(form: Form, type: GoType): Write {
  switch (type.kind) {
    case "pointer":
      return writerOf(form, type.of);
    case "list":
      return listWriter(form, type.of);
    case "map":
      return mapWriter(form, type.of);
    case "struct": {
      const { id } = type;
      // Found with the first value: types may contain themselves.
      let writer: StructWriter | undefined;
      return (given, known, before) => {
        writer ??= structWriter(form, id);
        return isJsonObject(given) ? writeStruct(writer, given, known, before) : given;
      };
    }
    case "scalar":
      return scalarWriter(form, type.name);
  }
}

function scalarWriter(form: Form, name: string): Write {
  switch (name) {
    case "Quantity":
      return (given) => (isJsonObject(given) || isJsonArray(given) ? given : canonicalQuantity(String(given)));
    case "Time":
      return (given) => (typeof given === "string" ? canonicalTime(given) : given);
    case "MicroTime":
      return (given) => (typeof given === "string" ? canonicalMicroTime(given) : given);
    default:
      return name.startsWith("JSONSchemaPropsOr") ? (given) => writeSchemaUnion(form, given) : writeAsIs;
  }
}

function writeAsIs(given: Json): Json {
  const isScalar = typeof given === "string" || typeof given === "boolean" || Number.isSafeInteger(given);
  if (isGiven && !isScalar) isSuspect = true;
  return given;
}

function listWriter(form: Form, of: GoType): Write {
  const writeItem = writerOf(form, of);
  const accepts = acceptsFor(of);
  const writeAny: Write = (item, known, before) => {
    if (item === null) return zeroOf(form, of) ?? null;
    if (!accepts(item) || (isGiven && isDoubtful(item))) isSuspect = true;
    return item === known && before !== undefined ? before : writeItem(item, known, before);
  };
  return (given, known, before) => {
    if (!isJsonArray(given)) return given;
    return given.length === 0 && !form.keepsEmptyLists ? null : writeItems(given, writeAny, { known, before });
  };
}

function writeItems(
  items: readonly Json[],
  write: Write,
  { known, before }: { readonly known: Json | undefined; readonly before: Json | undefined },
): readonly Json[] {
  const knownItems = isJsonArray(known) ? known : NO_ITEMS;
  const beforeItems = isJsonArray(before) ? before : NO_ITEMS;
  let isBefore = items.length === beforeItems.length;
  let result: Json[] | undefined;
  for (let index = 0; index < items.length; index++) {
    const item = items[index] ?? null;
    const after = write(item, knownItems[index], beforeItems[index]) ?? null;
    isBefore &&= after === beforeItems[index];
    if (after !== item) result ??= items.slice(0, index);
    result?.push(after);
  }
  return isBefore && beforeItems !== NO_ITEMS ? beforeItems : (result ?? items);
}

const NO_ITEMS: readonly Json[] = [];

function mapWriter(form: Form, of: GoType): Write {
  const writeItem = writerOf(form, of);
  const accepts = acceptsFor(of);
  const isPlain = of.kind === "scalar" && /^[a-z]/.test(of.name);
  const write: Write = (item) => {
    if (item === null) return zeroOf(form, of);
    if (!accepts(item) || (isGiven && isDoubtful(item))) isSuspect = true;
    return isPlain ? item : writeItem(item, undefined, undefined);
  };
  return (given, _, before) => (isJsonObject(given) ? writeMap(given, write, before) : given);
}

function writeMap(given: JsonObject, write: Write, before: Json | undefined): JsonObject {
  const beforeItems = isJsonObject(before) ? before : NO_FIELDS;
  let isBefore = beforeItems !== NO_FIELDS;
  let changed: MutableJsonObject | undefined;
  for (const key of Object.keys(given)) {
    if (given[key] === undefined) isSuspect = true; // JSON would not have the key.
    const item = given[key] ?? null;
    const value = write(item, undefined, undefined);
    isBefore &&= value === getKey(beforeItems, key);
    if (value === item) continue;
    changed ??= { ...given };
    if (value === undefined) delete changed[key];
    else setKey(changed, key, value);
  }
  const map = changed ?? given;
  return isBefore && keyCount(beforeItems) === keyCount(map) ? beforeItems : map;
}

/** A schema, a list of schemas or names, or a flag. */
function writeSchemaUnion(form: Form, given: Json): Json {
  if (isJsonArray(given)) return given.map((item) => writeSchemaUnion(form, item));
  if (!isJsonObject(given)) return given;
  return writeStruct(structWriter(form, "apiextensions/v1.JSONSchemaProps"), given, undefined, undefined);
}

/** Structs are never empty for Go, and these are structs although their JSON is one value. */
function isStruct(type: GoType): boolean {
  return type.kind === "struct" || (type.kind === "scalar" && /^[A-Z]/.test(type.name));
}

function isEmpty(value: Json): boolean {
  if (typeof value !== "object") return value === "" || value === 0 || value === false || value === 0n;
  if (isJsonArray(value)) return value.length === 0;
  for (const _ in value) return false;
  return value !== null;
}

/** Scalars that are never nil; times, bytes and JSON may be. */
const ZERO_SCALARS: ReadonlyMap<string, Json> = new Map<string, Json>([
  ["string", ""],
  ["bool", false],
  ["JSONSchemaPropsOrBool", false],
  ["int32", 0],
  ["int64", 0],
  ["float64", 0],
  ["IntOrString", 0],
  ["Quantity", "0"],
]);

function isNilable(type: GoType): boolean {
  return type.kind === "scalar" ? !ZERO_SCALARS.has(type.name) : type.kind !== "struct";
}

/** What is written for a value that is not there; undefined when that is nothing. */
function zeroOf(form: Form, type: GoType): Json | undefined {
  if (type.kind === "struct") return zeroStruct(form, type.id);
  const scalar = type.kind === "scalar" ? ZERO_SCALARS.get(type.name) : undefined;
  return scalar ?? (form.writesNil ? null : undefined);
}

function zeroStruct(form: Form, id: string): JsonObject {
  const writer = structWriter(form, id);
  writer.zero ??= writeStruct(writer, {}, undefined, undefined);
  return writer.zero;
}
