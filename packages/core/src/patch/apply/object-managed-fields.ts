/** `metadata.managedFields` in and out of an object, sharing everything else. */

import { deepEqual } from "../../meta/deep.ts";
import { isJsonArray, isJsonObject, type Json, type JsonObject } from "../../meta/json.ts";

/** The managedFields of an object. */
export function managedFieldsOf(object: JsonObject): Json | undefined {
  const metadata = object["metadata"];
  return isJsonObject(metadata) ? (metadata["managedFields"] ?? undefined) : undefined;
}

/** The object with these managedFields, or without any; the object itself when they are the same entries. */
export function withManagedFields(object: JsonObject, entries: readonly JsonObject[] | undefined): JsonObject {
  const current = managedFieldsOf(object);
  if (entries === undefined ? current === undefined : isJsonArray(current) && sameEntries(current, entries))
    return object;
  const { managedFields: _, ...metadata } = isJsonObject(object["metadata"]) ? object["metadata"] : ({} as JsonObject);
  return { ...object, metadata: entries === undefined ? metadata : { ...metadata, managedFields: entries } };
}

/**
 * The object with the old times of its managers, when nothing but times would change: such a write is none. Call it after
 * admission, with the stored object and the one about to be stored.
 */
export function ignoreTimestampChanges(before: JsonObject, after: JsonObject): JsonObject {
  const old = managedFieldsOf(before);
  const next = managedFieldsOf(after);
  if (!isJsonArray(old) || !isJsonArray(next) || old.length !== next.length || next.length === 0) return after;
  const sameButTimes = next.every((entry, index) => equalButTime(entry, old[index]));
  if (!sameButTimes) return after;
  const restored = withManagedFields(after, old as readonly JsonObject[]);
  return deepEqual(restored, before) ? before : after;
}

function equalButTime(left: Json, right: Json | undefined): boolean {
  if (left === right) return true;
  if (!isJsonObject(left) || !isJsonObject(right)) return false;
  const { time: _left, ...leftRest } = left;
  const { time: _right, ...rightRest } = right;
  return deepEqual(leftRest, rightRest);
}

function sameEntries(left: readonly Json[], right: readonly Json[]): boolean {
  return left.length === right.length && left.every((entry, index) => entry === right[index]);
}
