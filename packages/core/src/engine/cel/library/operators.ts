/** The operators of CEL. Integers overflow with an error, never silently. */
import { CelError, noSuchOverload } from "../cel-error.ts";
import { type CallContext, type Declaration, declare } from "../overloads.ts";
import { durationOf, timestampOf } from "../time.ts";
import { compare, equals } from "../value-order.ts";
import {
  type DurationValue,
  isKind,
  itemsOf,
  type ListValue,
  listOf,
  type MapValue,
  optionalNone,
  optionalOf,
  type TimestampValue,
  type UintValue,
  type Value,
} from "../values.ts";
import { comparison, concatenation, elements } from "./costs.ts";

/** An int in range; overflow otherwise. */
export function toInt(value: bigint): bigint {
  if (BigInt.asIntN(64, value) !== value) throw new CelError("integer overflow");
  return value;
}

/** A uint in range; overflow otherwise. */
export function toUint(value: bigint): UintValue {
  if (BigInt.asUintN(64, value) !== value) throw new CelError("unsigned integer overflow");
  return { kind: "uint", value };
}

type Arithmetic = (left: bigint, right: bigint) => bigint;

function integers(name: string, calculate: Arithmetic): Declaration[] {
  return [
    declare(`${name}(int, int) int`, ([left, right]) => toInt(calculate(left as bigint, right as bigint))),
    declare(`${name}(uint, uint) uint`, ([left, right]) =>
      toUint(calculate((left as UintValue).value, (right as UintValue).value)),
    ),
  ];
}

function doubles(name: string, calculate: (left: number, right: number) => number): Declaration {
  return declare(`${name}(double, double) double`, ([left, right]) => calculate(left as number, right as number));
}

function nonZero(right: bigint, operation: string): bigint {
  if (right === 0n) throw new CelError(`${operation} by zero`);
  return right;
}

type Time = TimestampValue | DurationValue;

function timeSum(kind: "timestamp" | "duration", sign: bigint): (args: readonly Value[]) => Value {
  return ([left, right]) => {
    const nanoseconds = (left as Time).nanoseconds + sign * (right as Time).nanoseconds;
    const { offset } = ([left, right].find((each) => isKind(each as Value, "timestamp")) ?? {}) as { offset?: string };
    const value = kind === "timestamp" ? timestampOf(nanoseconds, offset) : durationOf(nanoseconds);
    if (value === undefined) throw new CelError(`${kind} overflow`);
    return value;
  };
}

function concatBytes([left, right]: readonly Value[]): Value {
  return new Uint8Array(Buffer.concat([left as Uint8Array, right as Uint8Array]));
}

/** Plain lists are joined; sets and map lists of Kubernetes take the right side's entries over the left's. */
function concatLists([left, right]: readonly Value[], { meter }: CallContext): Value {
  const [first, second] = [left as ListValue, right as ListValue];
  meter.work(first.size + second.size);
  const { identity } = first;
  if (identity === undefined) return listOf([...itemsOf(first), ...itemsOf(second)]);
  const merged = new Map(itemsOf(first).map((item) => [identity.keyOf(item), item]));
  for (const item of itemsOf(second)) merged.set(identity.keyOf(item), item);
  return { ...listOf([...merged.values()]), identity };
}

const arithmetic: readonly Declaration[] = [
  ...integers("_+_", (left, right) => left + right),
  ...integers("_-_", (left, right) => left - right),
  ...integers("_*_", (left, right) => left * right),
  ...integers("_/_", (left, right) => left / nonZero(right, "division")),
  ...integers("_%_", (left, right) => left % nonZero(right, "modulus")),
  doubles("_+_", (left, right) => left + right),
  doubles("_-_", (left, right) => left - right),
  doubles("_*_", (left, right) => left * right),
  doubles("_/_", (left, right) => left / right),
  declare("-_(int) int", ([value]) => toInt(-(value as bigint))),
  declare("-_(double) double", ([value]) => -(value as number)),
  declare("!_(bool) bool", ([value]) => !(value as boolean)),
  declare("_+_(string, string) string", ([left, right]) => `${left as string}${right as string}`, concatenation),
  declare("_+_(bytes, bytes) bytes", concatBytes, concatenation),
  declare("_+_(list(A), list(A)) list(A)", concatLists),
  declare("_+_(timestamp, duration) timestamp", timeSum("timestamp", 1n)),
  declare("_+_(duration, timestamp) timestamp", timeSum("timestamp", 1n)),
  declare("_+_(duration, duration) duration", timeSum("duration", 1n)),
  declare("_-_(timestamp, timestamp) duration", timeSum("duration", -1n)),
  declare("_-_(timestamp, duration) timestamp", timeSum("timestamp", -1n)),
  declare("_-_(duration, duration) duration", timeSum("duration", -1n)),
];

const comparisons: readonly (readonly [string, (order: number) => boolean])[] = [
  ["_<_", (order) => order < 0],
  ["_<=_", (order) => order <= 0],
  ["_>_", (order) => order > 0],
  ["_>=_", (order) => order >= 0],
];
const numeric = ["int", "uint", "double"];
const comparable = [
  ...["bool", "string", "bytes", "timestamp", "duration"].map((type) => [type, type] as const),
  ...numeric.flatMap((left) => numeric.map((right) => [left, right] as const)),
];

const ordering: readonly Declaration[] = comparisons.flatMap(([name, holds]) =>
  comparable.map(([left, right]) => {
    const run = ([a, b]: readonly Value[]): Value => {
      const order = compare(a as Value, b as Value);
      return order !== undefined && holds(order);
    };
    return declare(
      `${name}(${left}, ${right}) bool`,
      run,
      left === "string" || left === "bytes" ? comparison : undefined,
    );
  }),
);

function itemAt(list: ListValue, index: Value): Value | undefined {
  const position = typeof index === "bigint" ? Number(index) : isKind(index, "uint") ? Number(index.value) : index;
  if (typeof position !== "number" || !Number.isInteger(position)) throw noSuchOverload();
  return position >= 0 && position < list.size ? list.at(position) : undefined;
}

function index([target, key]: readonly Value[]): Value {
  if (isKind(target as Value, "list")) {
    const item = itemAt(target as ListValue, key as Value);
    if (item === undefined) throw new CelError(`index out of bounds: ${showKey(key as Value)}`);
    return item;
  }
  const value = (target as MapValue).get(key as Value);
  if (value === undefined) throw new CelError(`no such key: ${showKey(key as Value)}`);
  return value;
}

function showKey(key: Value): string {
  return isKind(key, "uint") ? key.value.toString() : String(key);
}

function optionalIndex([target, key]: readonly Value[]): Value {
  const inner = isKind(target as Value, "optional") ? (target as { value: Value | undefined }).value : target;
  if (inner === undefined) return optionalNone;
  const value = isKind(inner, "list")
    ? itemAt(inner, key as Value)
    : isKind(inner, "map")
      ? inner.get(key as Value)
      : undefined;
  return value === undefined ? optionalNone : optionalOf(value);
}

const access: readonly Declaration[] = [
  declare("_==_(A, A) bool", ([left, right], { meter }) => equals(left as Value, right as Value, meter), comparison),
  declare("_!=_(A, A) bool", ([left, right], { meter }) => !equals(left as Value, right as Value, meter), comparison),
  declare("_[_](list(A), int) A", index),
  declare("_[_](map(A, B), A) B", index),
  declare("_[_](optional(list(A)), int) optional(A)", optionalIndex),
  declare("_[_](optional(map(A, B)), A) optional(B)", optionalIndex),
  declare("_[?_](list(A), int) optional(A)", optionalIndex),
  declare("_[?_](map(A, B), A) optional(B)", optionalIndex),
  declare("_[?_](optional(list(A)), int) optional(A)", optionalIndex),
  declare("_[?_](optional(map(A, B)), A) optional(B)", optionalIndex),
  declare(
    "@in(A, list(A)) bool",
    ([item, list], { meter }) => itemsOf(list as ListValue).some((each) => equals(item as Value, each, meter)),
    elements(1),
  ),
  declare("@in(A, map(A, B)) bool", ([key, map]) => (map as MapValue).get(key as Value) !== undefined),
  declare("_?_:_(bool, A, A) A", ([condition, truthy, falsy]) => (condition === true ? truthy : falsy) as Value),
  declare("_&&_(bool, bool) bool", ([left, right]) => left === true && right === true),
  declare("_||_(bool, bool) bool", ([left, right]) => left === true || right === true),
];

/** All operators. */
export const operators: readonly Declaration[] = [...arithmetic, ...ordering, ...access];
