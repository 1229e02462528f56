/** Equality and order of values, as cel-go has them: across numeric types, sets and map lists in any order. */
import { jsonEqual } from "../equality.ts";
import { CelError } from "./cel-error.ts";
import type { Meter } from "./meter.ts";
import {
  type DurationValue,
  isKind,
  itemsOf,
  type ListValue,
  type MapValue,
  numericOf,
  type TimestampValue,
  type Value,
} from "./values.ts";

/** Equality; values of different types are not equal. Work is charged, because it goes deep. */
export function equals(left: Value, right: Value, meter: Meter): boolean {
  return equalAt(left, right, { meter, depth: 0 });
}

/** How deep values may nest to be compared. */
const depthMax = 1000;

interface Comparison {
  readonly meter: Meter;
  readonly depth: number;
}

function equalAt(left: Value, right: Value, comparison: Comparison): boolean {
  comparison.meter.work(1);
  const a = numericOf(left);
  const b = numericOf(right);
  if (a !== undefined && b !== undefined) return compareNumbers(a, b) === 0;
  if (typeof left !== "object" || typeof right !== "object" || left === null || right === null) return left === right;
  if (left instanceof Uint8Array || right instanceof Uint8Array) {
    return left instanceof Uint8Array && right instanceof Uint8Array && compareBytes(left, right) === 0;
  }
  if (comparison.depth > depthMax) throw new CelError(`values nested deeper than ${depthMax} cannot be compared`);
  return equalObjects(left, right, { ...comparison, depth: comparison.depth + 1 });
}

type ObjectValue = Exclude<Value, null | boolean | bigint | number | string | Uint8Array>;

function equalObjects(left: ObjectValue, right: ObjectValue, comparison: Comparison): boolean {
  if (left.kind === "list") return right.kind === "list" && equalLists(left, right, comparison);
  if (left.kind === "map") return right.kind === "map" && equalMaps(left, right, comparison);
  if (left.kind === "type") return right.kind === "type" && left.name === right.name;
  if (left.kind === "opaque")
    return right.kind === "opaque" && left.type.name === right.type.name && left.equals(right);
  if (left.kind === "optional") {
    if (right.kind !== "optional") return false;
    if (left.value === undefined || right.value === undefined) return left.value === right.value;
    return equalAt(left.value, right.value, comparison);
  }
  if (left.kind === "uint" || right.kind === "uint") return false;
  return left.kind === right.kind && "nanoseconds" in right && left.nanoseconds === right.nanoseconds;
}

function equalLists(left: ListValue, right: ListValue, comparison: Comparison): boolean {
  if (left.size !== right.size) return false;
  if (left.identity !== undefined) return equalByKey(left, right, comparison);
  for (let index = 0; index < left.size; index += 1) {
    if (!equalAt(left.at(index), right.at(index), comparison)) return false;
  }
  return true;
}

/** Sets and map lists are equal in any order. */
function equalByKey(left: ListValue, right: ListValue, comparison: Comparison): boolean {
  const keyOf = left.identity?.keyOf ?? String;
  comparison.meter.work(left.size + right.size);
  const byKey = new Map(itemsOf(left).map((item) => [keyOf(item), item]));
  return itemsOf(right).every((item) => {
    const other = byKey.get(keyOf(item));
    return other !== undefined && equalAt(other, item, comparison);
  });
}

function equalMaps(left: MapValue, right: MapValue, comparison: Comparison): boolean {
  if (left.size !== right.size || !jsonEqual(left.hidden, right.hidden)) return false;
  return left.keys().every((key) => {
    const other = right.get(key);
    return other !== undefined && equalAt(left.get(key) ?? null, other, comparison);
  });
}

/** Order of two values of the same (or both numeric) types; undefined when they have none, NaN included. */
export function compare(left: Value, right: Value): number | undefined {
  const a = numericOf(left);
  const b = numericOf(right);
  if (a !== undefined && b !== undefined) return compareNumbers(a, b);
  if (typeof left === "string" && typeof right === "string") return compareTexts(left, right);
  if (typeof left === "boolean" && typeof right === "boolean") return Number(left) - Number(right);
  if (left instanceof Uint8Array && right instanceof Uint8Array) return compareBytes(left, right);
  const isTime = (value: Value): value is TimestampValue | DurationValue =>
    isKind(value, "timestamp") || isKind(value, "duration");
  if (!isTime(left) || !isTime(right) || left.kind !== right.kind) return undefined;
  return left.nanoseconds < right.nanoseconds ? -1 : left.nanoseconds > right.nanoseconds ? 1 : 0;
}

/** Order of numbers of any types; NaN has none. */
function compareNumbers(left: number | bigint, right: number | bigint): number | undefined {
  if (left < right) return -1;
  if (left > right) return 1;
  return Number.isNaN(left) || Number.isNaN(right) ? undefined : 0;
}

/** By code points, as UTF-8 sorts; UTF-16 sorts surrogates differently. */
function compareTexts(left: string, right: string): number {
  if (left === right) return 0;
  let index = 0;
  while (index < left.length && left[index] === right[index]) index += 1;
  const [a, b] = [left.charCodeAt(index), right.charCodeAt(index)];
  const isSurrogate = (code: number): boolean => code >= 0xd800 && code <= 0xdfff;
  if (Number.isNaN(a)) return -1;
  if (Number.isNaN(b)) return 1;
  // A surrogate belongs to a code point beyond all that are written without one.
  if (isSurrogate(a) !== isSurrogate(b)) return isSurrogate(a) ? 1 : -1;
  return Math.sign(a - b);
}

function compareBytes(left: Uint8Array, right: Uint8Array): number {
  return Buffer.compare(left, right);
}
