/**
 * JSON merge patch (RFC 7386): apply one, or make one from two versions of an object. Results share every untouched
 * part with the input. As in kube-apiserver, nulls are also dropped from objects inside lists that the patch adds.
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
  withoutUndefined,
} from "../meta/json.ts";
import { badPatch } from "./patch-error.ts";

/** Applies a parsed merge patch: null deletes a key, objects merge, everything else replaces. Throws a 400 `ApiError`. */
export function applyMergePatch(document: JsonObject, patch: Json): JsonObject {
  if (!isJsonObject(patch)) throw badPatch("Invalid JSON Patch");
  return mergeObjects(document, patch);
}

/** The smallest merge patch that turns `original` into `modified`; `{}` when they are equal. */
export function createMergePatch(original: JsonObject, modified: JsonObject): JsonObject {
  const patch: MutableJsonObject = {};
  for (const key of Object.keys(modified)) {
    const value = modified[key];
    const previous = getKey(original, key);
    if (value === undefined) continue;
    const change = changeOf(previous, value);
    if (change !== undefined) setKey(patch, key, change);
  }
  for (const key of Object.keys(original)) {
    if (original[key] !== undefined && getKey(modified, key) === undefined) setKey(patch, key, null);
  }
  return patch;
}

function changeOf(original: Json | undefined, modified: Json): Json | undefined {
  if (!isJsonObject(original) || !isJsonObject(modified)) return deepEqual(original, modified) ? undefined : modified;
  const patch = createMergePatch(original, modified);
  return Object.keys(patch).length > 0 ? patch : undefined;
}

function mergeObjects(target: JsonObject, patch: JsonObject): JsonObject {
  let merged: MutableJsonObject | undefined;
  let removes = false;
  for (const key of Object.keys(patch)) {
    const change = patch[key];
    if (change === undefined) continue;
    const current = getKey(target, key);
    const next = change === null ? undefined : mergeValue(current, change);
    if (next === current && Object.hasOwn(target, key) === (next !== undefined)) continue;
    merged ??= { ...target };
    removes ||= next === undefined;
    setKey(merged, key, next);
  }
  if (merged === undefined) return target;
  return removes ? withoutUndefined(merged) : merged;
}

function mergeValue(current: Json | undefined, change: Json): Json {
  if (isJsonObject(current)) return isJsonObject(change) ? mergeObjects(current, change) : change;
  const added = withoutNulls(change);
  return deepEqual(current, added) ? (current as Json) : added;
}

/** Drops null members of objects at any depth; null elements of lists stay. */
function withoutNulls(value: Json): Json {
  if (isJsonArray(value)) {
    const pruned = value.map(withoutNulls);
    return pruned.some((item, index) => item !== value[index]) ? pruned : value;
  }
  return isJsonObject(value) ? objectWithoutNulls(value) : value;
}

function objectWithoutNulls(object: JsonObject): JsonObject {
  let changed = false;
  const pruned: MutableJsonObject = {};
  for (const key of Object.keys(object)) {
    const value = object[key];
    const kept = value === null || value === undefined ? undefined : withoutNulls(value);
    if (kept !== value) changed = true;
    if (kept !== undefined) setKey(pruned, key, kept);
  }
  return changed ? pruned : object;
}
