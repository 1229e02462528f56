/**
 * Whole JSON values: are two the same, and can one be changed. Neither recurses, so depth is no danger. A key whose
 * value is undefined counts as absent, as JSON text has it.
 */
import { getKey, isJsonArray, isJsonObject, type JsonObject } from "./json.ts";

/** True when two JSON values say the same; the order of keys does not matter, and 1n is 1. */
export function deepEqual(a: unknown, b: unknown): boolean {
  const pending: unknown[] = [a, b];
  while (pending.length > 0) {
    const right = pending.pop();
    const left = pending.pop();
    if (left === right) continue;
    if (isJsonArray(left) && isJsonArray(right)) {
      if (left.length !== right.length) return false;
      for (let index = 0; index < left.length; index++) pending.push(left[index], right[index]);
    } else if (isJsonObject(left) && isJsonObject(right)) {
      if (!pushEntries(left, right, pending)) return false;
    } else if (!isSameNumber(left, right)) return false;
  }
  return true;
}

/**
 * Freezes a JSON value and everything in it, and returns it. What shares its parts with it is frozen too; a part that is
 * frozen already counts as frozen all through.
 */
export function deepFreeze<Value>(value: Value): Value {
  const pending: unknown[] = [value];
  while (pending.length > 0) {
    const next = pending.pop();
    if (typeof next !== "object" || next === null || Object.isFrozen(next)) continue;
    if (!isJsonArray(next) && !isPlainObject(next)) continue;
    Object.freeze(next);
    for (const child of Object.values(next)) pending.push(child);
  }
  return value;
}

/** Notes the values of all keys for comparison; false when one object has a key that the other lacks. */
function pushEntries(left: JsonObject, right: JsonObject, pending: unknown[]): boolean {
  let keys = 0;
  for (const key of Object.keys(left)) {
    const value = left[key];
    if (value === undefined) continue;
    const other = getKey(right, key);
    if (other === undefined) return false;
    pending.push(value, other);
    keys++;
  }
  return keys === Object.keys(right).reduce((count, key) => (right[key] === undefined ? count : count + 1), 0);
}

function isSameNumber(a: unknown, b: unknown): boolean {
  if (typeof a === "bigint" && typeof b === "number") return Number.isInteger(b) && BigInt(b) === a;
  return typeof b === "bigint" && typeof a === "number" && Number.isInteger(a) && BigInt(a) === b;
}

function isPlainObject(value: unknown): value is JsonObject {
  if (!isJsonObject(value)) return false;
  const prototype = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}
