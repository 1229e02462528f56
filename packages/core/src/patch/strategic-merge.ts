/**
 * Strategic merge patch as kube-apiserver applies it to built-in kinds: objects merge, lists merge or are replaced as the
 * schema's patch extensions say, null deletes, and the directives `$patch`, `$retainKeys`, `$deleteFromPrimitiveList/…`
 * and `$setElementOrder/…` are obeyed. Takes a document, a parsed patch and the kind's schema; returns the new document,
 * sharing every untouched part. The order in which the members of one object are merged is the patch's own (Kubernetes
 * leaves it open, which shows only when a patch contradicts itself).
 */

import { deepEqual } from "../meta/deep.ts";
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
import { goKind } from "./go-format.ts";
import { badPatch } from "./patch-error.ts";
import { deleteScalars, type MergedList, mergeLists, unknownDirective } from "./strategic-list.ts";
import { elementKind, orderElements, wrongType } from "./strategic-order.ts";
import { checkElementOrder } from "./strategic-order-check.ts";
import { type FieldPatchRule, listFieldRule, objectFieldRule } from "./strategic-schema.ts";

const deletePrefix = "$deleteFromPrimitiveList";
const orderPrefix = "$setElementOrder";

/** Applies a parsed strategic merge patch. Throws an `ApiError` (400, 422 or 500, as kube-apiserver does). */
export function applyStrategicMergePatch(document: JsonObject, patch: Json, schema: StructuralSchema): JsonObject {
  if (patch === null) return document;
  if (!isJsonObject(patch)) throw badPatch("invalid JSON document");
  return mergeObjects(document, patch, schema);
}

function mergeObjects(original: JsonObject, patch: JsonObject, schema: StructuralSchema | undefined): JsonObject {
  const directive = getKey(patch, "$patch");
  if (directive !== undefined) return obeyDirective(original, patch, directive);
  const merged: MutableJsonObject = { ...original };
  retainKeys(merged, patch);
  const done = new Set(["$retainKeys"]);
  for (const key of definedKeys(patch).filter((name) => name.startsWith(orderPrefix))) {
    done.add(key);
    const field = setElementOrder(merged, patch, { directive: key, schema });
    if (field !== undefined) done.add(field);
  }
  for (const key of definedKeys(patch)) {
    if (!done.has(key)) mergeMember(merged, key, { value: patch[key] as Json, schema });
  }
  return sameMembers(original, merged) ? original : merged;
}

function obeyDirective(original: JsonObject, patch: JsonObject, directive: Json): JsonObject {
  if (directive === "delete") return Object.keys(original).length === 0 ? original : {};
  if (directive !== "replace") throw unknownDirective(directive, patch);
  const replacement: MutableJsonObject = { ...patch };
  delete replacement["$patch"];
  return deepEqual(original, replacement) ? original : replacement;
}

/** Drops what `$retainKeys` does not list; everything that the patch sets must be listed. */
function retainKeys(target: MutableJsonObject, patch: JsonObject): void {
  const list = getKey(patch, "$retainKeys");
  if (list === undefined) return;
  if (!isJsonArray(list)) throw badPatch("invalid patch format of retainKeys");
  const retained = new Set<Json>(list);
  for (const key of definedKeys(patch)) {
    const isDirective = key === "$retainKeys" || key.startsWith(deletePrefix) || key.startsWith(orderPrefix);
    if (isDirective || patch[key] === null || retained.has(key)) continue;
    throw badPatch("invalid patch format of retainKeys");
  }
  for (const key of Object.keys(target)) if (!retained.has(key)) delete target[key];
}

interface Member {
  readonly value: Json;
  readonly schema: StructuralSchema | undefined;
}

function mergeMember(target: MutableJsonObject, patchKey: string, { value, schema }: Member): void {
  const isDeleteList = patchKey.startsWith(deletePrefix);
  const key = (isDeleteList ? fieldOf(patchKey, deletePrefix) : patchKey) || patchKey;
  const current = getKey(target, key);
  if (value === null) {
    delete target[key];
  } else if (current === undefined || goKind(current) !== goKind(value)) {
    if (!isDeleteList) assign(target, key, withoutDirectives(withoutNulls(value)));
  } else if (isJsonObject(current)) {
    assign(target, key, mergeObjectField(current, value as JsonObject, objectFieldRule(schema, key)));
  } else if (isJsonArray(current)) {
    const rule = listFieldRule(schema, key);
    const list = value as readonly Json[];
    const remaining = isDeleteList ? deleteScalars(current, list) : undefined;
    assign(
      target,
      key,
      remaining ?? mergeListField(current, list, isDeleteList ? { ...rule, strategy: "merge" } : rule).items,
    );
  } else {
    assign(target, key, value);
  }
}

function mergeObjectField(original: JsonObject, patch: JsonObject, rule: FieldPatchRule): JsonObject {
  return rule.strategy === "replace" ? patch : mergeObjects(original, patch, rule.schema);
}

function mergeListField(original: readonly Json[], patch: readonly Json[], rule: FieldPatchRule): MergedList {
  if (rule.strategy !== "merge") return { items: patch, serverOrder: original };
  const mergeItem = (item: JsonObject, change: JsonObject): JsonObject => mergeObjects(item, change, rule.schema);
  return mergeLists(original, patch, { mergeKey: rule.mergeKey, mergeItem });
}

interface OrderDirective {
  readonly directive: string;
  readonly schema: StructuralSchema | undefined;
}

/** Merges the list that a `$setElementOrder/…` member is about and orders it; returns the field when it is settled. */
function setElementOrder(
  target: MutableJsonObject,
  patch: JsonObject,
  { directive, schema }: OrderDirective,
): string | undefined {
  const order = listAt(patch, directive) ?? [];
  const field = fieldOf(directive, orderPrefix);
  const original = listAt(target, field);
  const change = listAt(patch, field);
  const rule = listFieldRule(schema, field);
  checkElementOrder(change ?? [], order, rule.mergeKey);
  const merged = mergedList(original, change, rule);
  if (merged === undefined) return undefined;
  const ordered = orderElements(merged.items, {
    patchOrder: order,
    serverOrder: merged.serverOrder,
    mergeKey: rule.mergeKey,
  });
  elementKind(original ?? [], change ?? []);
  assign(target, field, ordered);
  return field;
}

function mergedList(
  original: readonly Json[] | undefined,
  change: readonly Json[] | undefined,
  rule: FieldPatchRule,
): MergedList | undefined {
  if (original !== undefined && change !== undefined) return mergeListField(original, change, rule);
  if (original !== undefined) return { items: original, serverOrder: original };
  return change && { items: withoutDirectives(change) as readonly Json[], serverOrder: [] };
}

function listAt(object: JsonObject, key: string): readonly Json[] | undefined {
  const list = getKey(object, key);
  if (list !== undefined && !isJsonArray(list)) throw wrongType([], list);
  return list;
}

/** The field behind the slash of a parallel-list directive. */
function fieldOf(directive: string, prefix: string): string {
  const slash = directive.indexOf("/");
  if (slash >= 0 && directive.slice(0, slash) === prefix) return directive.slice(slash + 1);
  const what = prefix === deletePrefix ? "primitive list" : "setElementOrder list";
  throw badPatch(`invalid patch format of ${what}`);
}

/** Drops objects that carry a `$patch` directive; undefined when the value itself does. */
function withoutDirectives(value: Json): Json | undefined {
  if (isJsonArray(value)) return value.map(withoutDirectives).filter((item) => item !== undefined);
  if (!isJsonObject(value)) return value;
  if (getKey(value, "$patch") !== undefined) return undefined;
  return mapMembers(value, withoutDirectives);
}

/** Drops null members of objects at any depth; null elements of lists stay. */
function withoutNulls(value: Json): Json {
  if (isJsonArray(value)) return value.map(withoutNulls);
  if (!isJsonObject(value)) return value;
  return mapMembers(value, (member) => (member === null ? undefined : withoutNulls(member)));
}

function mapMembers(object: JsonObject, change: (member: Json) => Json | undefined): JsonObject {
  const mapped: MutableJsonObject = {};
  for (const key of definedKeys(object)) {
    const member = change(object[key] as Json);
    if (member !== undefined) setKey(mapped, key, member);
  }
  return mapped;
}

/** Sets or, with undefined, deletes a key; an equal value keeps its old reference. */
function assign(target: MutableJsonObject, key: string, value: Json | undefined): void {
  if (value === undefined) delete target[key];
  else if (!deepEqual(getKey(target, key), value)) setKey(target, key, value);
}

function sameMembers(left: JsonObject, right: JsonObject): boolean {
  const keys = Object.keys(left);
  return keys.length === Object.keys(right).length && keys.every((key) => left[key] === getKey(right, key));
}

function definedKeys(object: JsonObject): string[] {
  return Object.keys(object).filter((key) => object[key] !== undefined);
}
