/**
 * Ratcheting: on update, what is unchanged may stay as wrong as it was. A correlation pairs a node of the new object
 * with the same node of the old one: object fields by name, entries of map lists by their keys, nothing else. validate.ts
 * and cel/rules.ts walk it beside the object and forgive errors of nodes that are equal to their old value.
 */
import { getKey, isJsonArray, isJsonObject, type Json, type JsonObject } from "../meta/json.ts";
import { formatNumber, quote } from "../protocol/go-format.ts";
import type { StructuralSchema } from "../schema/structural.ts";
import { jsonEqual } from "./equality.ts";

/** A node of the new object beside the old one. */
export interface Correlation {
  readonly value: Json;
  readonly old: Json;
  readonly schema: StructuralSchema;
  readonly children: Map<string | number, Correlation | undefined>;
  /** Whether both are equal, once it was asked for. */
  unchanged: boolean | undefined;
  /** Old entries of a map list by key, once it was asked for. */
  oldEntries: ReadonlyMap<string, JsonObject> | undefined;
}

/** Pairs an object with the one it replaces. */
export function correlate(value: Json, old: Json, schema: StructuralSchema): Correlation {
  return { value, old, schema, children: new Map(), unchanged: undefined, oldEntries: undefined };
}

/** The pair for one field; undefined when the old object has none or the schema does not know it. */
export function correlatedField(node: Correlation | undefined, name: string): Correlation | undefined {
  if (node === undefined || !isJsonObject(node.value) || !isJsonObject(node.old)) return undefined;
  const { value, old } = node;
  return cached(node, name, () => {
    const schema = fieldSchema(node.schema, name);
    if (schema === undefined || !Object.hasOwn(value, name) || !Object.hasOwn(old, name)) return undefined;
    return correlate(getKey(value, name) ?? null, getKey(old, name) ?? null, schema);
  });
}

/** The pair for one list entry; only entries of map lists have one. */
export function correlatedItem(node: Correlation | undefined, index: number): Correlation | undefined {
  if (node === undefined || !isJsonArray(node.value)) return undefined;
  const item = node.value[index];
  const schema = node.schema.items;
  return cached(node, index, () => {
    const old = oldEntry(node, item);
    return old === undefined || item === undefined || schema === undefined ? undefined : correlate(item, old, schema);
  });
}

function cached(node: Correlation, key: string | number, make: () => Correlation | undefined): Correlation | undefined {
  if (node.children.has(key)) return node.children.get(key);
  const child = make();
  node.children.set(key, child);
  return child;
}

function oldEntry(node: Correlation, item: Json | undefined): JsonObject | undefined {
  if (node.schema["x-kubernetes-list-type"] !== "map" || !isJsonArray(node.old)) return undefined;
  node.oldEntries ??= entriesByKey(node.old, node.schema);
  const key = mapListKey(item, node.schema);
  return key === undefined ? undefined : node.oldEntries.get(key);
}

/** Entries of a map list by their key; of several with the same key, the first. */
export function entriesByKey(items: readonly Json[], schema: StructuralSchema): ReadonlyMap<string, JsonObject> {
  const entries = new Map<string, JsonObject>();
  if (schema["x-kubernetes-list-type"] !== "map") return entries;
  for (const item of items) {
    const key = mapListKey(item, schema);
    if (key !== undefined && isJsonObject(item) && !entries.has(key)) entries.set(key, item);
  }
  return entries;
}

/** The key of an entry of a map list as one text; undefined when a key field is absent or not a scalar. */
export function mapListKey(item: Json | undefined, schema: StructuralSchema): string | undefined {
  const names = schema["x-kubernetes-list-map-keys"] ?? [];
  if (!isJsonObject(item) || names.length === 0) return undefined;
  const parts: string[] = [];
  for (const name of names) {
    const value = getKey(item, name);
    if (value === undefined || value === null || typeof value === "object") return undefined;
    parts.push(
      typeof value === "string" ? quote(value) : typeof value === "boolean" ? `${value}` : formatNumber(value),
    );
  }
  return parts.join("\0");
}

/** True when the node is correlated and equal to its old value. */
export function isUnchanged(node: Correlation | undefined): boolean {
  if (node === undefined) return false;
  node.unchanged ??= compare(node);
  return node.unchanged;
}

function compare(node: Correlation): boolean {
  const { value, old } = node;
  if (isJsonArray(value)) return isJsonArray(old) && value.length === old.length && sameItems(node, value, old);
  if (!isJsonObject(value)) return jsonEqual(value, old);
  if (!isJsonObject(old)) return false;
  const names = Object.keys(value);
  return names.length === Object.keys(old).length && names.every((name) => isUnchanged(correlatedField(node, name)));
}

function sameItems(node: Correlation, value: readonly Json[], old: readonly Json[]): boolean {
  if (node.schema["x-kubernetes-list-type"] !== "map") return jsonEqual(value, old);
  return value.every((_, index) => isUnchanged(correlatedItem(node, index)));
}

/** The schema of a field: declared, or that of all other fields. */
export function fieldSchema(schema: StructuralSchema | undefined, name: string): StructuralSchema | undefined {
  const { properties, additionalProperties } = schema ?? {};
  if (properties !== undefined && Object.hasOwn(properties, name)) return properties[name];
  return typeof additionalProperties === "object" ? additionalProperties : undefined;
}
