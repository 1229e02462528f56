/**
 * Exact arithmetic on quantities. Results keep the format of the first operand, or of the second when the first is
 * zero, as in Kubernetes. Nothing overflows; amounts too far apart to be held exactly are refused.
 */
import { malformed } from "./malformed.ts";
import { divideUp, type Quantity } from "./quantity.ts";

/** The sum. */
export function addQuantities(a: Quantity, b: Quantity): Quantity {
  const format = a.mantissa === 0n ? b.format : a.format;
  const { left, right, scale } = align(a, b);
  return { mantissa: left + right, scale, format };
}

/** The difference. */
export function subtractQuantities(a: Quantity, b: Quantity): Quantity {
  return addQuantities(a, negateQuantity(b));
}

/** The product with a whole number. */
export function multiplyQuantity(quantity: Quantity, factor: bigint | number): Quantity {
  return { mantissa: quantity.mantissa * BigInt(factor), scale: quantity.scale, format: quantity.format };
}

/** The amount with its sign changed. */
export function negateQuantity({ mantissa, scale, format }: Quantity): Quantity {
  return { mantissa: -mantissa, scale, format };
}

/** Negative, zero or positive as `a` is less than, equal to or more than `b`. Formats do not matter. */
export function compareQuantities(a: Quantity, b: Quantity): number {
  const signs = signOf(a.mantissa) - signOf(b.mantissa);
  if (signs !== 0 || a.mantissa === 0n) return Math.sign(signs);
  const magnitudes = magnitudeOf(a) - magnitudeOf(b);
  if (magnitudes !== 0) return Math.sign(magnitudes) * signOf(a.mantissa);
  const { left, right } = align(a, b); // Of one magnitude, so their scales differ by no more than their digits.
  return left < right ? -1 : left > right ? 1 : 0;
}

/** The amount in whole units of 10^scale, rounded away from zero: scale 0 for whole units, -3 for thousandths. */
export function quantityToBigint(quantity: Quantity, scale = 0): bigint {
  const shift = quantity.scale - scale;
  if (shift >= 0) return quantity.mantissa * power10(shift);
  return divideUp(quantity.mantissa, power10(-shift));
}

/** The amount as a double, for ratios and charts; not exact. */
export function quantityToNumber({ mantissa, scale }: Quantity): number {
  return Number(`${mantissa}e${scale}`);
}

/** Beyond this many digits an exact result would cost more than any real amount is worth. */
const DIGITS_MAX = 10_000;

function align(a: Quantity, b: Quantity): { left: bigint; right: bigint; scale: number } {
  if (a.mantissa === 0n) return { left: 0n, right: b.mantissa, scale: b.scale };
  if (b.mantissa === 0n) return { left: a.mantissa, right: 0n, scale: a.scale };
  const scale = Math.min(a.scale, b.scale);
  return { left: a.mantissa * power10(a.scale - scale), right: b.mantissa * power10(b.scale - scale), scale };
}

function power10(exponent: number): bigint {
  if (exponent > DIGITS_MAX) throw malformed(`quantities may span at most ${DIGITS_MAX} decimal digits`);
  return 10n ** BigInt(exponent);
}

/** The power of ten of the first digit. */
function magnitudeOf({ mantissa, scale }: Quantity): number {
  return (mantissa < 0n ? -mantissa : mantissa).toString().length + scale;
}

function signOf(value: bigint): number {
  return value < 0n ? -1 : value > 0n ? 1 : 0;
}
