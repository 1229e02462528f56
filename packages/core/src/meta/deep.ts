/**
 * Whole JSON values: are two the same, which parts are, and can one be changed. A key whose value is undefined counts as
 * absent, as JSON text has it. Comparing and freezing do not recurse, so depth is no danger there.
 */
import {
  getKey,
  isJsonArray,
  isJsonObject,
  type Json,
  type JsonObject,
  type MutableJsonObject,
  setKey,
} from "./json.ts";

/** True when two JSON values say the same; the order of keys does not matter, and 1n is 1. */
export function deepEqual(a: unknown, b: unknown): boolean {
  const pending: unknown[] = [a, b];
  while (pending.length > 0) {
    const right = pending.pop();
    const left = pending.pop();
    if (left === right) continue;
    if (isJsonArray(left) && isJsonArray(right)) {
      if (left.length !== right.length) return false;
      for (let index = 0; index < left.length; index++) {
        if (left[index] !== right[index]) pending.push(left[index], right[index]);
      }
    } else if (isJsonObject(left) && isJsonObject(right)) {
      if (!pushEntries(left, right, pending)) return false;
    } else if (!isSameNumber(left, right)) return false;
  }
  return true;
}

/** Whether a null stands anywhere in a value. Recurses: for values whose depth is limited. */
export function hasNull(value: Json | undefined): boolean {
  if (typeof value !== "object") return false;
  if (value === null) return true;
  if (isJsonArray(value)) return value.some(hasNull);
  for (const key in value) if (hasNull(value[key])) return true;
  return false;
}

/** The list with its items changed; the same list when none is. */
export function mapItems(items: readonly Json[], change: (item: Json) => Json): readonly Json[] {
  let changed: Json[] | undefined;
  for (let index = 0; index < items.length; index++) {
    const before = items[index] ?? null;
    const after = change(before);
    if (after !== before) changed ??= items.slice(0, index);
    changed?.push(after);
  }
  return changed ?? items;
}

/**
 * `after` with every part that equals its counterpart in `before` replaced by it; `before` itself when all is equal. Whoever
 * then compares the two passes over what did not change. Recurses: for values whose depth is limited.
 */
export function shareUnchanged<Value extends Json>(before: Json, after: Value): Value {
  return shared(before, after) as Value;
}

function shared(before: Json | undefined, after: Json): Json {
  if (before === after || before === undefined) return after;
  if (isJsonArray(after)) return isJsonArray(before) ? sharedList(before, after) : after;
  return isJsonObject(after) && isJsonObject(before) ? sharedObject(before, after) : after;
}

function sharedList(before: readonly Json[], after: readonly Json[]): readonly Json[] {
  let isSame = before.length === after.length;
  let result: Json[] | undefined;
  for (let index = 0; index < after.length; index++) {
    const item = after[index] as Json;
    const kept = shared(before[index], item);
    isSame &&= kept === before[index];
    if (kept !== item) result ??= after.slice(0, index);
    result?.push(kept);
  }
  return isSame ? before : (result ?? after);
}

function sharedObject(before: JsonObject, after: JsonObject): JsonObject {
  let isSame = true;
  let keys = 0;
  let result: MutableJsonObject | undefined;
  for (const key of Object.keys(after)) {
    const value = after[key];
    if (value === undefined) continue;
    keys++;
    const old = getKey(before, key);
    const kept = shared(old, value);
    isSame &&= kept === old;
    if (kept === value) continue;
    result ??= { ...after };
    setKey(result, key, kept);
  }
  if (isSame) for (const key of Object.keys(before)) if (before[key] !== undefined) keys--;
  return isSame && keys === 0 ? before : (result ?? after);
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
    if (isJsonArray(next)) {
      Object.freeze(next);
      for (const child of next) if (typeof child === "object" && child !== null) pending.push(child);
    } else if (isPlainObject(next)) {
      Object.freeze(next);
      for (const key in next) {
        const child = (next as JsonObject)[key]; // Nothing that is plain inherits keys.
        if (typeof child === "object" && child !== null) pending.push(child);
      }
    }
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
    if (value !== other) pending.push(value, other);
    keys++;
  }
  for (const key of Object.keys(right)) if (right[key] !== undefined) keys--;
  return keys === 0;
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
