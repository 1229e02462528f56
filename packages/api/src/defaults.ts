/**
 * `@kubewright/api/defaults`: fills in what clients left out of objects of built-in kinds. Constants come with the rows
 * of tables/type-table.ts; what depends on other fields comes as rules of the caller, by type, so that a rule for
 * containers serves every kind that has containers somewhere. A struct's rule runs before those of its parts.
 */
import { type GroupVersionKind, isJsonArray, isJsonObject, type Json, type JsonObject } from "@kubewright/core/meta";
import { type FieldRow, type GoType, typeOfKind, typeRow } from "./tables/type-table.ts";

/** Rules by the id of the type they are for: "core/v1.Container". A rule returns the same object or a changed copy. */
export type DefaultRules = ReadonlyMap<string, (struct: JsonObject) => JsonObject>;

/** Makes the function that fills in the defaults of any built-in kind; other kinds are returned as they are. */
export function createDefaulter(
  rules: DefaultRules,
): (kind: GroupVersionKind, object: JsonObject, known?: JsonObject) => JsonObject {
  const defaulter: Defaulter = { rules, concerned: new Map(), fields: new Map() };
  return ({ group, version, kind }, object, known) => {
    const id = typeOfKind(group, version, kind);
    return id === undefined ? object : fillStruct(defaulter, id, object, known);
  };
}

interface Defaulter {
  readonly rules: DefaultRules;
  /** Types that have, themselves or in a part, something to fill in. */
  readonly concerned: Map<string, boolean>;
  /** The fields of a type that are concerned. */
  readonly fields: Map<string, readonly FieldRow[]>;
}

/** Parts of `known`, which is filled in, are passed over where they stand in the same place: nobody changed them since. */
function fillStruct(defaulter: Defaulter, id: string, object: JsonObject, known: Json | undefined): JsonObject {
  if (object === known || !isConcerned(defaulter, id)) return object;
  const ruled = defaulter.rules.get(id)?.(object) ?? object;
  return fillFields(defaulter, id, { object: ruled, known: isJsonObject(known) ? known : NO_FIELDS });
}

const NO_FIELDS: JsonObject = {};

function fillFields(
  defaulter: Defaulter,
  id: string,
  { object, known }: { readonly object: JsonObject; readonly known: JsonObject },
): JsonObject {
  let filled = object;
  for (const { name, type, attributes } of fieldsToFill(defaulter, id)) {
    if (name === "") {
      if (type.kind === "struct") filled = fillStruct(defaulter, type.id, filled, known);
      continue;
    }
    const given = filled[name]; // Names of fields are those of Go types, none of which an object inherits.
    const value = fillValue(defaulter, type, isUnset(given, type) ? (attributes.default ?? given) : given, known[name]);
    if (value !== given && value !== undefined) filled = { ...filled, [name]: value };
  }
  return filled;
}

function fieldsToFill(defaulter: Defaulter, id: string): readonly FieldRow[] {
  const known = defaulter.fields.get(id);
  if (known !== undefined) return known;
  const fields = typeRow(id).fields.filter(({ type, attributes }) => {
    const part = structOf(type);
    return attributes.default !== undefined || (part !== undefined && isConcerned(defaulter, part));
  });
  defaulter.fields.set(id, fields);
  return fields;
}

/** Text, numbers and flags are unset when they are zero, except behind pointers. */
function isUnset(value: Json | undefined, type: GoType): boolean {
  return value === undefined || value === null || (type.kind === "scalar" && (value === "" || value === 0));
}

function fillValue(
  defaulter: Defaulter,
  type: GoType,
  value: Json | undefined,
  known: Json | undefined,
): Json | undefined {
  switch (type.kind) {
    case "pointer":
      return value === undefined || value === null ? value : fillValue(defaulter, type.of, value, known);
    case "struct":
      // A struct that is no pointer is always there for Go, so its rules always run.
      return isJsonObject(value) || value === undefined || value === null
        ? fillPresent(defaulter, type.id, value ?? undefined, known)
        : value;
    case "list":
      return isJsonArray(value) && value !== known ? fillList(defaulter, type.of, value, known) : value;
    case "map":
      return isJsonObject(value) && value !== known ? fillMap(defaulter, type.of, value) : value;
    case "scalar":
      return value;
  }
}

function fillPresent(
  defaulter: Defaulter,
  id: string,
  value: JsonObject | undefined,
  known: Json | undefined,
): JsonObject | undefined {
  const filled = fillStruct(defaulter, id, value ?? {}, known);
  return value === undefined && Object.keys(filled).length === 0 ? undefined : filled;
}

function fillList(defaulter: Defaulter, of: GoType, list: readonly Json[], known: Json | undefined): readonly Json[] {
  const knownItems = isJsonArray(known) ? known : [];
  const filled = list.map((item, index) => fillValue(defaulter, of, item, knownItems[index]) ?? item);
  return filled.some((item, index) => item !== list[index]) ? filled : list;
}

function fillMap(defaulter: Defaulter, of: GoType, map: JsonObject): JsonObject {
  if (of.kind === "scalar") return map;
  const entries = Object.entries(map);
  const filled = entries.map(([key, value]) => [key, fillValue(defaulter, of, value, undefined)] as const);
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
