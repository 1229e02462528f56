/**
 * `@kubewright/api/defaults`: fills in what clients left out of objects of built-in kinds. Constants come with the rows
 * of tables/type-table.ts; what depends on other fields comes as rules of the caller, by type, so that a rule for
 * containers serves every kind that has containers somewhere. A struct's rule runs before those of its parts.
 */
import {
  type GroupVersionKind,
  isJsonArray,
  isJsonObject,
  type Json,
  type JsonObject,
  type MutableJsonObject,
} from "@kubewright/core/meta";
import { type GoType, typeOfKind, typeRow } from "./tables/type-table.ts";

/**
 * Rules by the id of the type they are for: "core/v1.Container". A rule returns the same object or a changed copy; parts of `known`,
 * which was filled in before, need no look.
 */
export type DefaultRules = ReadonlyMap<string, DefaultRule>;

type DefaultRule = (struct: JsonObject, known: JsonObject) => JsonObject;

/** Makes the function that fills in the defaults of any built-in kind; other kinds are returned as they are. */
export function createDefaulter(
  rules: DefaultRules,
): (kind: GroupVersionKind, object: JsonObject, known?: JsonObject) => JsonObject {
  const defaulter: Defaulter = { rules, concerned: new Map(), structs: new Map() };
  return ({ group, version, kind }, object, known) => {
    const id = typeOfKind(group, version, kind);
    const filler = id === undefined ? undefined : structFiller(defaulter, id);
    return filler === undefined ? object : fillStruct(filler, object, known);
  };
}

interface Defaulter {
  readonly rules: DefaultRules;
  /** Types that have, themselves or in a part, something to fill in. */
  readonly concerned: Map<string, boolean>;
  readonly structs: Map<string, StructFiller>;
}

/** Fills in a value, if there is one; `known` is what stands in its place in an object that is filled in. */
type Fill = (value: Json | undefined, known: Json | undefined) => Json | undefined;

/** What is to be filled in of the structs of one type; made once for each type. */
interface StructFiller {
  readonly rule: DefaultRule | undefined;
  readonly fields: readonly FieldFiller[];
}

/** A field with something to fill in. */
interface FieldFiller {
  /** "" for a struct whose fields stand among those around it. */
  readonly name: string;
  readonly fallback: Json | undefined;
  readonly isScalar: boolean;
  /** Undefined when there is nothing in it to fill in. */
  readonly fill: Fill | undefined;
}

/** Undefined for a type that has nothing to fill in. */
function structFiller(defaulter: Defaulter, id: string): StructFiller | undefined {
  const known = defaulter.structs.get(id);
  if (known !== undefined) return known;
  if (!isConcerned(defaulter, id)) return undefined;
  const filler = { rule: defaulter.rules.get(id), fields: fieldFillers(defaulter, id) };
  defaulter.structs.set(id, filler);
  return filler;
}

function fieldFillers(defaulter: Defaulter, id: string): readonly FieldFiller[] {
  return typeRow(id)
    .fields.map(({ name, type, attributes }) => ({
      name,
      fallback: attributes.default,
      isScalar: type.kind === "scalar",
      fill: fillerOf(defaulter, type),
    }))
    .filter(({ fallback, fill }) => fallback !== undefined || fill !== undefined);
}

/** Parts of `known`, which is filled in, are passed over where they stand in the same place: nobody changed them since. */
function fillStruct({ rule, fields }: StructFiller, object: JsonObject, known: Json | undefined): JsonObject {
  if (object === known) return object;
  const knownFields = isJsonObject(known) ? known : NO_FIELDS;
  let filled = rule?.(object, knownFields) ?? object;
  let own: MutableJsonObject | undefined;
  for (const field of fields) {
    if (field.name === "") {
      filled = field.fill?.(filled, knownFields) as JsonObject; // Structs stay structs.
      own = undefined;
      continue;
    }
    const given = filled[field.name]; // Names of fields are those of Go types, none of which an object inherits.
    const value = fillField(field, given, knownFields[field.name]);
    if (value === given || value === undefined) continue;
    own ??= { ...filled };
    own[field.name] = value;
    filled = own;
  }
  return filled;
}

const NO_FIELDS: JsonObject = {};

function fillField(field: FieldFiller, given: Json | undefined, known: Json | undefined): Json | undefined {
  const value = field.fallback !== undefined && isUnset(given, field.isScalar) ? field.fallback : given;
  return field.fill === undefined ? value : field.fill(value, known);
}

/** Text, numbers and flags are unset when they are zero, except behind pointers. */
function isUnset(value: Json | undefined, isScalar: boolean): boolean {
  return value === undefined || value === null || (isScalar && (value === "" || value === 0));
}

function fillerOf(defaulter: Defaulter, type: GoType): Fill | undefined {
  const part = structOf(type);
  if (part === undefined || !isConcerned(defaulter, part)) return undefined;
  switch (type.kind) {
    case "pointer": {
      const fill = fillerOf(defaulter, type.of);
      return fill && ((value, known) => (value === undefined || value === null ? value : fill(value, known)));
    }
    case "struct":
      return presentFiller(defaulter, type.id);
    case "list": {
      const fill = fillerOf(defaulter, type.of);
      return fill && ((value, known) => (isJsonArray(value) && value !== known ? fillList(fill, value, known) : value));
    }
    case "map": {
      const fill = fillerOf(defaulter, type.of);
      return fill && ((value, known) => (isJsonObject(value) && value !== known ? fillMap(fill, value) : value));
    }
    case "scalar":
      return undefined;
  }
}

/** A struct that is no pointer is always there for Go, so its rules always run. */
function presentFiller(defaulter: Defaulter, id: string): Fill {
  // Found with the first value: types may contain themselves.
  let filler: StructFiller | undefined;
  return (value, known) => {
    filler ??= structFiller(defaulter, id) ?? NOTHING_TO_FILL;
    if (isJsonObject(value)) return fillStruct(filler, value, known);
    if (value !== undefined && value !== null) return value;
    const filled = fillStruct(filler, ABSENT, known);
    return filled === ABSENT || Object.keys(filled).length === 0 ? undefined : filled;
  };
}

const ABSENT: JsonObject = {};

const NOTHING_TO_FILL: StructFiller = { rule: undefined, fields: [] };

function fillList(fill: Fill, list: readonly Json[], known: Json | undefined): readonly Json[] {
  const knownItems = isJsonArray(known) ? known : NO_ITEMS;
  let filled: Json[] | undefined;
  for (let index = 0; index < list.length; index++) {
    const item = list[index] ?? null;
    const value = fill(item, knownItems[index]) ?? item;
    if (value !== item) filled ??= [...list];
    if (filled !== undefined) filled[index] = value;
  }
  return filled ?? list;
}

const NO_ITEMS: readonly Json[] = [];

function fillMap(fill: Fill, map: JsonObject): JsonObject {
  const entries = Object.entries(map);
  const filled = entries.map(([key, value]) => [key, fill(value, undefined)] as const);
  return filled.some(([, value], index) => value !== entries[index]?.[1]) ? Object.fromEntries(filled) : map;
}

function isConcerned(defaulter: Defaulter, id: string): boolean {
  const { rules, concerned } = defaulter;
  const known = concerned.get(id);
  if (known !== undefined) return known;
  concerned.set(id, rules.has(id)); // Stands for types that contain themselves.
  const isAny =
    rules.has(id) ||
    typeRow(id).fields.some(({ type, attributes }) => {
      const part = structOf(type);
      return attributes.default !== undefined || (part !== undefined && isConcerned(defaulter, part));
    });
  concerned.set(id, isAny);
  return isAny;
}

function structOf(type: GoType): string | undefined {
  if (type.kind === "scalar") return undefined;
  return type.kind === "struct" ? type.id : structOf(type.of);
}
