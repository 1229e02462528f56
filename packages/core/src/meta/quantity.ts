/**
 * Quantities: exact amounts with a unit, such as "500m" or "1.5Gi". A quantity is mantissa × 10^scale and remembers the
 * family of suffixes it is printed in. Reading follows Kubernetes to the letter, including what it lets pass; digits
 * below nano are rounded away from zero. Printing is in quantity-format.ts, arithmetic in quantity-arithmetic.ts.
 */
import { malformed } from "./malformed.ts";

/** The family of suffixes: "12e6", "12Mi" or "12M". */
export type QuantityFormat = "DecimalExponent" | "BinarySI" | "DecimalSI";

/** An exact amount: mantissa × 10^scale. */
export interface Quantity {
  readonly mantissa: bigint;
  /** At least -9. */
  readonly scale: number;
  readonly format: QuantityFormat;
  /** The text it was read from, where Kubernetes prints that again as it was. */
  readonly text?: string;
}

/** The quantity that `input` states. Throws `MalformedError` with Kubernetes' text. */
export function parseQuantity(input: string): Quantity {
  const match = input === "" ? null : QUANTITY.exec(input);
  if (match === null) throw malformed(`quantities must match the regular expression '${DOCUMENTED_PATTERN}'`);
  const [, sign = "", integer = "", fraction = "", suffix = ""] = match;
  const unit = parseSuffix(suffix);
  if (unit === undefined) throw malformed("unable to parse quantity's suffix");
  const digits: Digits = { negative: sign === "-", integer: integer.replace(/^0+/, "") || "0", fraction };
  const simple = simpleQuantity(digits, unit, input);
  if (simple !== undefined) return simple;
  if (integer + fraction === "") throw malformed("unable to parse numeric part of quantity");
  return exactQuantity(digits, unit);
}

/** A whole number as a quantity. @default DecimalSI */
export function quantityOf(value: bigint | number, format: QuantityFormat = "DecimalSI"): Quantity {
  return { mantissa: BigInt(value), scale: 0, format };
}

/** The smallest unit that quantities keep: nano. */
export const QUANTITY_SCALE_MIN = -9;

const DOCUMENTED_PATTERN = "^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$";
const QUANTITY = /^([+-]?)([0-9]*)(?:\.([0-9]*))?([eEinumkKMGTP]*[-+]?[0-9]*)$/;
const INT64_MAX = 2n ** 63n - 1n;
const INT32_MAX = 2 ** 31 - 1;

/** Powers of ten by suffix. */
export const DECIMAL_SUFFIXES: ReadonlyMap<string, number> = new Map([
  ["n", -9],
  ["u", -6],
  ["m", -3],
  ["", 0],
  ["k", 3],
  ["M", 6],
  ["G", 9],
  ["T", 12],
  ["P", 15],
  ["E", 18],
]);

/** Powers of 1024 by suffix. */
export const BINARY_SUFFIXES: ReadonlyMap<string, number> = new Map([
  ["Ki", 1],
  ["Mi", 2],
  ["Gi", 3],
  ["Ti", 4],
  ["Pi", 5],
  ["Ei", 6],
]);

interface Digits {
  readonly negative: boolean;
  /** Without leading zeros, "0" when there is none. */
  readonly integer: string;
  readonly fraction: string;
}

interface Unit {
  readonly format: QuantityFormat;
  /** A power of ten, or of 1024 for BinarySI. */
  readonly exponent: number;
}

function parseSuffix(suffix: string): Unit | undefined {
  const decimal = DECIMAL_SUFFIXES.get(suffix);
  if (decimal !== undefined) return { format: "DecimalSI", exponent: decimal };
  const binary = BINARY_SUFFIXES.get(suffix);
  if (binary !== undefined) return { format: "BinarySI", exponent: binary };
  if (!/^[eE][+-]?[0-9]+$/.test(suffix)) return undefined;
  const exponent = Number(suffix.slice(1));
  return Math.abs(exponent) <= INT32_MAX ? { format: "DecimalExponent", exponent } : undefined;
}

/** Kubernetes reads amounts of few digits in a short way, and prints some of those as they were written. */
function simpleQuantity(digits: Digits, unit: Unit, text: string): Quantity | undefined {
  const { integer, fraction, negative } = digits;
  const binary = unit.format === "BinarySI";
  const spareDigits = binary
    ? 14 - integer.length - 3 * unit.exponent - (fraction === "" ? 0 : 100)
    : 18 - integer.length - fraction.length;
  const scale = binary ? 0 : unit.exponent - fraction.length;
  if (spareDigits < 0 || scale < QUANTITY_SCALE_MIN) return undefined;
  const shifted = integer + fraction;
  const value = BigInt(shifted);
  const keepsText = binary
    ? (value & 7n) !== 0n
    : scale % 3 === 0 && !shifted.endsWith("000") && !shifted.startsWith("0");
  const amount = binary ? value * 1024n ** BigInt(unit.exponent) : value;
  const mantissa = negative ? -amount : amount;
  return { mantissa, scale, format: unit.format, ...(keepsText ? { text } : {}) };
}

function exactQuantity({ negative, integer, fraction }: Digits, { format, exponent }: Unit): Quantity {
  const value = BigInt(integer + fraction);
  const amount =
    format === "BinarySI"
      ? roundToNano(value * 1024n ** BigInt(exponent), -fraction.length)
      : roundToNano(value, exponent - fraction.length);
  const { mantissa, scale } = format === "BinarySI" ? capAtInt64(amount) : amount;
  const belowOne = mantissa > 0n && scale < 0 && mantissa < 10n ** BigInt(-scale);
  const printed = format === "BinarySI" && belowOne ? "DecimalSI" : format;
  return { mantissa: negative ? -mantissa : mantissa, scale, format: printed };
}

interface Amount {
  readonly mantissa: bigint;
  readonly scale: number;
}

/** Digits below nano make the amount larger, never smaller: nobody gets less than was asked for. */
function roundToNano(mantissa: bigint, scale: number): Amount {
  if (scale >= QUANTITY_SCALE_MIN || mantissa === 0n) return { mantissa, scale: Math.max(scale, QUANTITY_SCALE_MIN) };
  const dropped = QUANTITY_SCALE_MIN - scale;
  if (dropped > mantissa.toString().length) return { mantissa: 1n, scale: QUANTITY_SCALE_MIN };
  return { mantissa: divideUp(mantissa, 10n ** BigInt(dropped)), scale: QUANTITY_SCALE_MIN };
}

/** Division away from zero. */
export function divideUp(value: bigint, divisor: bigint): bigint {
  const quotient = value / divisor;
  if (value % divisor === 0n) return quotient;
  return value > 0n ? quotient + 1n : quotient - 1n;
}

function capAtInt64(amount: Amount): Amount {
  const { mantissa, scale } = amount;
  const exceeds = scale >= 0 ? mantissa > INT64_MAX : mantissa > INT64_MAX * 10n ** BigInt(-scale);
  return exceeds ? { mantissa: INT64_MAX, scale: 0 } : amount;
}
