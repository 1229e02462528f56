/** Optional values: optional.of, optional.none, hasValue, value, or, orValue and unwrapping of lists. */
import { CelError } from "../cel-error.ts";
import { type Declaration, declare } from "../overloads.ts";
import {
  isKind,
  itemsOf,
  type ListValue,
  listOf,
  numericOf,
  type OptionalValue,
  optionalNone,
  optionalOf,
  type Value,
} from "../values.ts";
import { elements } from "./costs.ts";

function isZero(value: Value): boolean {
  if (value === null || value === false || value === "") return true;
  const numeric = numericOf(value);
  if (numeric !== undefined) return Number(numeric) === 0;
  if (value instanceof Uint8Array) return value.length === 0;
  if (isKind(value, "list") || isKind(value, "map")) return value.size === 0;
  return isKind(value, "duration") && value.nanoseconds === 0n;
}

function valueInside([optional]: readonly Value[]): Value {
  const { value } = optional as OptionalValue;
  if (value === undefined) throw new CelError("optional.none() dereference");
  return value;
}

function unwrap([list]: readonly Value[]): Value {
  return listOf(
    itemsOf(list as ListValue).flatMap((item) =>
      isKind(item, "optional") && item.value !== undefined ? [item.value] : [],
    ),
  );
}

/** All functions on optionals. */
export const optionals: readonly Declaration[] = [
  declare("optional.of(A) optional(A)", ([value]) => optionalOf(value as Value)),
  declare("optional.ofNonZeroValue(A) optional(A)", ([value]) =>
    isZero(value as Value) ? optionalNone : optionalOf(value as Value),
  ),
  declare("optional.none() optional(A)", () => optionalNone),
  declare("optional(A)->hasValue() bool", ([optional]) => (optional as OptionalValue).value !== undefined),
  declare("optional(A)->value() A", valueInside),
  declare(
    "optional(A)->or(optional(A)) optional(A)",
    ([left, right]) => ((left as OptionalValue).value === undefined ? right : left) as Value,
  ),
  declare("optional(A)->orValue(A) A", ([left, right]) => ((left as OptionalValue).value ?? right) as Value),
  declare("list(optional(A))->unwrapOpt() list(A)", unwrap, elements(0)),
  declare("optional.unwrap(list(optional(A))) list(A)", unwrap, elements(0)),
];
