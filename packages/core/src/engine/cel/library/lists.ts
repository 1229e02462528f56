/** Functions on lists: Kubernetes' own, cel-go's list extension (version 3) and sets. */
import { CelError } from "../cel-error.ts";
import { type CallContext, type Declaration, declare } from "../overloads.ts";
import { compare, equals } from "../value-order.ts";
import { type DurationValue, isKind, itemsOf, type ListValue, listOf, type UintValue, type Value } from "../values.ts";
import { elements, pairs } from "./costs.ts";
import { toInt, toUint } from "./operators.ts";

function items(value: Value | undefined): Value[] {
  return itemsOf(value as ListValue);
}

function orderOf(left: Value, right: Value): number {
  const order = compare(left, right);
  if (order === undefined) throw new CelError("no such overload");
  return order;
}

function isSorted([list]: readonly Value[]): Value {
  const values = items(list);
  return values.every((value, index) => index === 0 || orderOf(values[index - 1] as Value, value) <= 0);
}

function extreme(name: string, sign: number): (args: readonly Value[]) => Value {
  return ([list]) => {
    const values = items(list);
    if (values.length === 0) throw new CelError(`${name} called on empty list`);
    return values.reduce((best, value) => (orderOf(value, best) * sign > 0 ? value : best));
  };
}

const sums: readonly Declaration[] = [
  declare(
    "list(int)->sum() int",
    ([list]) => items(list).reduce<bigint>((sum, value) => toInt(sum + (value as bigint)), 0n),
    elements(0),
  ),
  declare(
    "list(uint)->sum() uint",
    ([list]) => toUint(items(list).reduce<bigint>((sum, value) => toUint(sum + (value as UintValue).value).value, 0n)),
    elements(0),
  ),
  declare(
    "list(double)->sum() double",
    ([list]) => items(list).reduce<number>((sum, value) => sum + (value as number), 0),
    elements(0),
  ),
  declare(
    "list(duration)->sum() duration",
    ([list]) => ({
      kind: "duration",
      nanoseconds: items(list).reduce<bigint>((sum, value) => toInt(sum + (value as DurationValue).nanoseconds), 0n),
    }),
    elements(0),
  ),
];

const comparable = ["int", "uint", "double", "bool", "duration", "timestamp", "string", "bytes"];
const ordered: readonly Declaration[] = comparable.flatMap((type) => [
  declare(`list(${type})->isSorted() bool`, isSorted, elements(0)),
  declare(`list(${type})->min() ${type}`, extreme("min", -1), elements(0)),
  declare(`list(${type})->max() ${type}`, extreme("max", 1), elements(0)),
  declare(`list(${type})->sort() list(${type})`, ([list]) => listOf(items(list).sort(orderOf)), sortCost),
]);

function sortCost([list]: readonly Value[]): number {
  const { size } = list as ListValue;
  return Math.max(1, Math.ceil(size * Math.log2(size + 2)));
}

function find([list, wanted]: readonly Value[], { meter }: CallContext): Value {
  return BigInt(items(list).findIndex((value) => equals(value, wanted as Value, meter)));
}

function findLast([list, wanted]: readonly Value[], { meter }: CallContext): Value {
  return BigInt(items(list).findLastIndex((value) => equals(value, wanted as Value, meter)));
}

function slice([list, start, end]: readonly Value[]): Value {
  const [from, to] = [Number(start as bigint), Number(end as bigint)];
  const { size } = list as ListValue;
  if (from < 0 || to < 0) throw new CelError(`cannot slice(${from}, ${to}), negative indexes not supported`);
  if (from > to)
    throw new CelError(`cannot slice(${from}, ${to}), start index must be less than or equal to end index`);
  if (size < to) throw new CelError(`cannot slice(${from}, ${to}), list is length ${size}`);
  return listOf(items(list).slice(from, to));
}

function flatten(list: Value, depth: number, context: CallContext): Value[] {
  const values = items(list);
  context.meter.work(values.length);
  return values.flatMap((value) => (depth > 0 && isKind(value, "list") ? flatten(value, depth - 1, context) : [value]));
}

function flattenDeep([list, depth]: readonly Value[], context: CallContext): Value {
  if ((depth as bigint) < 0n) throw new CelError("level must be non-negative");
  return listOf(flatten(list as Value, Math.min(Number(depth as bigint), 1000), context));
}

function distinct([list]: readonly Value[], { meter }: CallContext): Value {
  const kept: Value[] = [];
  for (const value of items(list)) {
    if (!kept.some((other) => equals(value, other, meter))) kept.push(value);
  }
  return listOf(kept);
}

/** lists.range builds at most this many elements in one go; the cost limit ends it long before. */
function range([end]: readonly Value[]): Value {
  return listOf(Array.from({ length: Math.max(0, Number(end as bigint)) }, (_, index) => BigInt(index)));
}

function contains(list: Value, wanted: Value, { meter }: CallContext): boolean {
  return items(list).some((value) => equals(value, wanted, meter));
}

const sets: readonly Declaration[] = [
  declare(
    "sets.contains(list(A), list(A)) bool",
    ([list, part], context) => items(part).every((each) => contains(list as Value, each, context)),
    pairs,
  ),
  declare(
    "sets.intersects(list(A), list(A)) bool",
    ([list, part], context) => items(part).some((each) => contains(list as Value, each, context)),
    pairs,
  ),
  declare(
    "sets.equivalent(list(A), list(A)) bool",
    ([left, right], context) =>
      items(right).every((each) => contains(left as Value, each, context)) &&
      items(left).every((each) => contains(right as Value, each, context)),
    pairs,
  ),
];

/** All functions on lists. */
export const lists: readonly Declaration[] = [
  ...sums,
  ...ordered,
  declare("list(A)->indexOf(A) int", find, elements(0)),
  declare("list(A)->lastIndexOf(A) int", findLast, elements(0)),
  declare("list(A)->slice(int, int) list(A)", slice, elements(0)),
  declare(
    "list(list(A))->flatten() list(A)",
    ([list], context) => listOf(flatten(list as Value, 1, context)),
    elements(0),
  ),
  declare("list(dyn)->flatten(int) list(dyn)", flattenDeep, elements(0)),
  declare("list(A)->reverse() list(A)", ([list]) => listOf(items(list).reverse()), elements(0)),
  declare("list(A)->distinct() list(A)", distinct, elements(0)),
  declare("lists.range(int) list(int)", range, ([end]) => Math.max(1, Number(end as bigint))),
  ...sets,
];
