/**
 * Pruning: fields that a schema does not know are removed before anything else sees an object, and their paths told,
 * for `fieldValidation=Strict|Warn`. The metadata of the object, and of embedded resources, is left to object metadata.
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
import type { StructuralSchema } from "../schema/structural.ts";
import { jsonEqual } from "./equality.ts";
import { fieldSchema } from "./ratchet.ts";

/** A value without unknown fields, and which fields those were. */
export interface Pruned<Value extends Json = Json> {
  /** The same reference when nothing was removed. */
  readonly value: Value;
  /** Paths such as `spec.template.x`, sorted; the texts of `unknown field "…"`. */
  readonly unknownFields: readonly string[];
}

const metaFields = new Set(["apiVersion", "kind", "metadata"]);

/** Removes unknown fields of a whole object, whose apiVersion, kind and metadata are always known. */
export function prune<Value extends Json>(object: Value, schema: StructuralSchema): Pruned<Value> {
  const unknownFields: string[] = [];
  const root = { ...schema, "x-kubernetes-embedded-resource": true };
  const value = pruneNode(object, root, { path: "", unknownFields }) as Value;
  return { value, unknownFields: unknownFields.sort() };
}

interface Place {
  readonly path: string;
  readonly unknownFields: string[];
}

function pruneNode(value: Json, schema: StructuralSchema | undefined, place: Place): Json {
  if (schema === undefined && isJsonArray(value)) return emptyObjects(value, place);
  if (isJsonArray(value)) return pruneItems(value, schema, place);
  return isJsonObject(value) ? pruneFields(value, schema, place) : value;
}

/** Where a schema says nothing, lists stay and the objects in them lose all fields. Depth costs no call stack. */
function emptyObjects(list: readonly Json[], place: Place): Json {
  const result: Json[] = [];
  const pending = [{ from: list, into: result, path: place.path }];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    for (const [index, item] of next.from.entries()) {
      const path = `${next.path}[${index}]`;
      const into: Json[] = [];
      if (isJsonArray(item)) pending.push({ from: item, into, path });
      next.into.push(
        isJsonArray(item) ? into : isJsonObject(item) ? pruneFields(item, undefined, { ...place, path }) : item,
      );
    }
  }
  return jsonEqual(result, list) ? list : result;
}

function pruneItems(items: readonly Json[], schema: StructuralSchema | undefined, place: Place): Json {
  const preserves = schema?.["x-kubernetes-preserve-unknown-fields"] === true;
  if (preserves && schema.items === undefined) return items;
  // Preserving reaches through lists: entries keep their unknown fields too.
  const itemSchema = preserves ? { ...schema.items, "x-kubernetes-preserve-unknown-fields": true } : schema?.items;
  const pruned = items.map((item, index) => pruneNode(item, itemSchema, { ...place, path: `${place.path}[${index}]` }));
  return pruned.every((item, index) => item === items[index]) ? items : pruned;
}

function pruneFields(object: JsonObject, schema: StructuralSchema | undefined, place: Place): Json {
  const result: MutableJsonObject = {};
  let changed = false;
  for (const name of Object.keys(object)) {
    const value = getKey(object, name) ?? null;
    const path = place.path === "" ? name : `${place.path}.${name}`;
    const kept = keepField({ name, value, path }, schema, place);
    changed ||= kept !== value;
    if (kept !== undefined) setKey(result, name, kept);
  }
  return changed ? result : object;
}

/** The pruned value of a field; undefined when the field goes. */
function keepField(
  field: { readonly name: string; readonly value: Json; readonly path: string },
  schema: StructuralSchema | undefined,
  place: Place,
): Json | undefined {
  if (schema?.["x-kubernetes-embedded-resource"] && metaFields.has(field.name)) return field.value;
  const known = schema !== undefined && isDeclared(schema, field.name);
  if (known) return pruneNode(field.value, fieldSchema(schema, field.name), { ...place, path: field.path });
  if (schema?.["x-kubernetes-preserve-unknown-fields"]) return field.value;
  if (!metaFields.has(field.name) || place.path !== "") place.unknownFields.push(field.path);
  return undefined;
}

function isDeclared(schema: StructuralSchema, name: string): boolean {
  return Object.hasOwn(schema.properties ?? {}, name) || schema.additionalProperties !== undefined;
}
