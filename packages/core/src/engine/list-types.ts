/**
 * Lists that are sets or maps may not hold the same entry, or key, twice. Checked on every write; on update only when
 * the old object kept the rule (the caller decides, see `validateListTypes`).
 */
import {
  getKey,
  isJsonArray,
  isJsonObject,
  type Json,
  type JsonObject,
  type MutableJsonObject,
  setKey,
} from "../meta/json.ts";
import { type FieldError, fieldDuplicate, fieldInvalid } from "../protocol/field-error.ts";
import { formatGoJson } from "../protocol/go-format.ts";
import type { StructuralSchema } from "../schema/structural.ts";

/** Duplicates in sets and map lists of a value. An object that replaces one with duplicates may keep them. */
export function validateListTypes(
  value: Json,
  schema: StructuralSchema,
  options: { readonly old?: Json } = {},
): FieldError[] {
  if (value === options.old) return [];
  const errors = checkNode(value, schema, "");
  return errors.length > 0 && options.old !== undefined && checkNode(options.old, schema, "").length > 0 ? [] : errors;
}

function checkNode(value: Json, schema: StructuralSchema, path: string): FieldError[] {
  if (typeof value !== "object" || value === null || !hasListTypes(schema)) return [];
  if (isJsonArray(value)) return checkList(value, schema, path);
  return isJsonObject(value) ? checkFields(value, schema, path) : [];
}

const listTypes = new WeakMap<StructuralSchema, boolean>();

/** Whether there are sets or map lists anywhere in values of the schema. */
function hasListTypes(schema: StructuralSchema): boolean {
  const known = listTypes.get(schema);
  if (known !== undefined) return known;
  listTypes.set(schema, false); // Stands for schemas that contain themselves.
  const { items, additionalProperties, properties = {} } = schema;
  const type = schema["x-kubernetes-list-type"];
  const has =
    type === "set" ||
    type === "map" ||
    (items !== undefined && hasListTypes(items)) ||
    (typeof additionalProperties === "object" && hasListTypes(additionalProperties)) ||
    Object.values(properties).some(hasListTypes);
  listTypes.set(schema, has);
  return has;
}

function checkFields(object: JsonObject, schema: StructuralSchema, path: string): FieldError[] {
  const { properties = {}, additionalProperties } = schema;
  const errors: FieldError[] = [];
  for (const name of Object.keys(object)) {
    const value = object[name] ?? null;
    const property = Object.hasOwn(properties, name) ? properties[name] : undefined;
    if (property !== undefined) errors.push(...checkNode(value, property, path === "" ? name : `${path}.${name}`));
    else if (typeof additionalProperties === "object") {
      errors.push(...checkNode(value, additionalProperties, `${path}[${name}]`));
    }
  }
  return errors;
}

function checkList(items: readonly Json[], schema: StructuralSchema, path: string): FieldError[] {
  const errors = checkEntries(items, schema, path);
  const { items: itemSchema } = schema;
  if (itemSchema === undefined || !hasListTypes(itemSchema)) return errors;
  return [...errors, ...items.flatMap((item, index) => checkNode(item, itemSchema, `${path}[${index}]`))];
}

function checkEntries(items: readonly Json[], schema: StructuralSchema, path: string): FieldError[] {
  const listType = schema["x-kubernetes-list-type"];
  if (listType === "set") return duplicates(items, path);
  if (listType !== "map") return [];
  const wrong = items.findIndex((item) => item !== null && !isJsonObject(item));
  if (wrong >= 0) {
    return [fieldInvalid(`${path}[${wrong}]`, items[wrong], "must be an object for an array of list-type map")];
  }
  const names = schema["x-kubernetes-list-map-keys"] ?? [];
  if (areApart(items, names)) return [];
  return duplicates(
    items.map((item) => keyOf(item, names)),
    path,
  );
}

/** True when all keys are plain and no two alike. What looks alike may not be, and is looked at again. */
function areApart(items: readonly Json[], names: readonly string[]): boolean {
  const seen = new Set<string>();
  for (const item of items) {
    if (!isJsonObject(item)) return false;
    let text = "";
    for (const name of names) {
      const value = getKey(item, name);
      if (typeof value !== "string" && typeof value !== "number") return false;
      text += `${typeof value} ${value}\n`;
    }
    seen.add(text);
  }
  return seen.size === items.length;
}

function keyOf(item: Json, names: readonly string[]): Json {
  const key: MutableJsonObject = {};
  for (const name of names) {
    if (isJsonObject(item) && Object.hasOwn(item, name)) setKey(key, name, getKey(item, name));
  }
  return key;
}

/** Every entry is told at its second place, and not again. */
function duplicates(entries: readonly Json[], path: string): FieldError[] {
  if (entries.length < 2) return [];
  const times = new Map<string, number>();
  return entries.flatMap((entry, index) => {
    const text = formatGoJson(entry);
    const seen = times.get(text) ?? 0;
    times.set(text, seen + 1);
    return seen === 1 ? [fieldDuplicate(`${path}[${index}]`, entry)] : [];
  });
}
