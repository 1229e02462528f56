/**
 * Equality of JSON values as Go's reflect.DeepEqual has it. Walks with its own stack, so that depth costs no call
 * stack. Used by enum checks, list sets and the correlation of old and new objects.
 */
import { getKey, isJsonArray, isJsonObject, type Json } from "../meta/json.ts";

/** True when both are the same JSON; the order of keys does not matter. */
export function jsonEqual(left: Json | undefined, right: Json | undefined): boolean {
  const pending: [Json | undefined, Json | undefined][] = [[left, right]];
  for (let pair = pending.pop(); pair !== undefined; pair = pending.pop()) {
    if (!sameHere(pair[0], pair[1], pending)) return false;
  }
  return true;
}

function sameHere(
  left: Json | undefined,
  right: Json | undefined,
  pending: [Json | undefined, Json | undefined][],
): boolean {
  if (left === right) return true;
  if (isJsonArray(left)) {
    if (!isJsonArray(right) || left.length !== right.length) return false;
    for (const [index, item] of left.entries()) pending.push([item, right[index]]);
    return true;
  }
  if (isJsonObject(left)) {
    if (!isJsonObject(right)) return false;
    const keys = Object.keys(left);
    if (keys.length !== Object.keys(right).length) return false;
    for (const key of keys) {
      if (!Object.hasOwn(right, key)) return false;
      pending.push([getKey(left, key), getKey(right, key)]);
    }
    return true;
  }
  // An integer read as a number and the same one read as a bigint are the same JSON.
  return isNumeric(left) && isNumeric(right) && !(left < right) && !(left > right);
}

function isNumeric(value: unknown): value is number | bigint {
  return typeof value === "number" || typeof value === "bigint";
}
