/** quantity(): amounts with units, compared and added exactly. */

import { parseQuantity, type Quantity, quantityOf } from "../../../meta/quantity.ts";
import {
  addQuantities,
  compareQuantities,
  quantityToBigint,
  quantityToNumber,
  subtractQuantities,
} from "../../../meta/quantity-arithmetic.ts";
import { formatQuantity } from "../../../meta/quantity-format.ts";
import { CelError } from "../cel-error.ts";
import { type Declaration, declare } from "../overloads.ts";
import type { Value } from "../values.ts";
import { traversal } from "./costs.ts";
import { opaqueType } from "./opaque.ts";

interface Amount {
  readonly quantity: Quantity;
  /** Written with a fraction or a unit below one: Kubernetes then never takes it for an integer, whatever its value. */
  readonly fractional: boolean;
}

const quantityType = opaqueType<Amount>(
  "kubernetes.Quantity",
  ({ quantity }) => formatQuantity(quantity),
  (left, right) => compareQuantities(left.quantity, right.quantity) === 0,
);

function parsed(text: Value | undefined): Quantity | string {
  try {
    return parseQuantity(text as string);
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

function make([text]: readonly Value[]): Value {
  const quantity = parsed(text);
  if (typeof quantity === "string") throw new CelError(quantity);
  return quantityType.make({ quantity, fractional: /\.|[num]$|[eE]-/.test(text as string) });
}

/** The whole number an amount is; undefined when it is none or does not fit. */
function integerOf({ quantity, fractional }: Amount): bigint | undefined {
  const value = quantityToBigint(quantity);
  return !fractional && BigInt.asIntN(64, value) === value ? value : undefined;
}

function asInteger([quantity]: readonly Value[]): Value {
  const value = integerOf(quantityType.dataOf(quantity));
  if (value === undefined) throw new CelError("cannot convert value to integer");
  return value;
}

function order([left, right]: readonly Value[]): number {
  return Math.sign(compareQuantities(quantityType.dataOf(left).quantity, quantityType.dataOf(right).quantity));
}

function calculate(operation: (left: Quantity, right: Quantity) => Quantity): (args: readonly Value[]) => Value {
  return ([left, right]) => {
    const amount = quantityType.dataOf(left);
    const other =
      typeof right === "bigint" ? { quantity: quantityOf(right), fractional: false } : quantityType.dataOf(right);
    const quantity = operation(amount.quantity, other.quantity);
    return quantityType.make({ quantity, fractional: amount.fractional || other.fractional });
  };
}

/** All functions on quantities. */
export const quantities: readonly Declaration[] = [
  declare("quantity(string) kubernetes.Quantity", make, traversal()),
  declare("isQuantity(string) bool", ([text]) => typeof parsed(text) !== "string", traversal()),
  declare("sign(kubernetes.Quantity) int", ([quantity]) =>
    BigInt(Math.sign(compareQuantities(quantityType.dataOf(quantity).quantity, quantityOf(0n)))),
  ),
  declare("kubernetes.Quantity->isGreaterThan(kubernetes.Quantity) bool", (args) => order(args) > 0),
  declare("kubernetes.Quantity->isLessThan(kubernetes.Quantity) bool", (args) => order(args) < 0),
  declare("kubernetes.Quantity->compareTo(kubernetes.Quantity) int", (args) => BigInt(order(args))),
  declare("kubernetes.Quantity->asApproximateFloat() double", ([quantity]) =>
    quantityToNumber(quantityType.dataOf(quantity).quantity),
  ),
  declare("kubernetes.Quantity->asInteger() int", asInteger),
  declare(
    "kubernetes.Quantity->isInteger() bool",
    ([quantity]) => integerOf(quantityType.dataOf(quantity)) !== undefined,
  ),
  ...(["kubernetes.Quantity", "int"] as const).flatMap((type) => [
    declare(`kubernetes.Quantity->add(${type}) kubernetes.Quantity`, calculate(addQuantities)),
    declare(`kubernetes.Quantity->sub(${type}) kubernetes.Quantity`, calculate(subtractQuantities)),
  ]),
];
