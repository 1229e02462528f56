/**
 * Prints quantities in canonical form: no fraction, the largest suffix that leaves a whole number, the exponent a
 * multiple of three. So equal amounts of one format print the same, and the text reads back to the same amount.
 */
import { BINARY_SUFFIXES, DECIMAL_SUFFIXES, parseQuantity, type Quantity } from "./quantity.ts";

/** The text of a quantity, as the API server prints it. */
export function formatQuantity(quantity: Quantity): string {
  const { mantissa, scale, format, text } = quantity;
  if (text !== undefined) return text;
  if (mantissa === 0n) return "0";
  if (format === "BinarySI") {
    const whole = toWhole(mantissa, scale);
    if (whole !== undefined && (whole <= -1024n || whole >= 1024n)) return formatBinary(whole);
  }
  return formatDecimal(mantissa, scale, format === "DecimalExponent");
}

/** The canonical spelling of a quantity's text: "1000m" → "1", "1024Mi" → "1Gi", "0.5" → "500m". */
export function canonicalQuantity(text: string): string {
  return formatQuantity(parseQuantity(text));
}

const DECIMAL_NAMES: ReadonlyMap<number, string> = new Map(
  Array.from(DECIMAL_SUFFIXES, ([name, power]) => [power, name]),
);
const BINARY_NAMES: ReadonlyMap<number, string> = new Map(
  Array.from(BINARY_SUFFIXES, ([name, power]) => [power, name]),
);
const DECIMAL_POWER_MAX = 18;
const BINARY_POWER_MAX = 6;

function formatBinary(whole: bigint): string {
  let number = whole;
  let power = 0;
  for (; power < BINARY_POWER_MAX && number % 1024n === 0n; power++) number /= 1024n;
  return `${number}${BINARY_NAMES.get(power) ?? ""}`;
}

function formatDecimal(mantissa: bigint, scale: number, asExponent: boolean): string {
  const digits = mantissa.toString();
  const significant = digits.replace(/0+$/, "");
  const exponent = scale + digits.length - significant.length;
  const aligned = Math.floor(exponent / 3) * 3;
  // There is no suffix beyond E; its number grows instead.
  const power = asExponent ? aligned : Math.min(aligned, DECIMAL_POWER_MAX);
  const number = significant + "0".repeat(exponent - power);
  if (asExponent) return power === 0 ? number : `${number}e${power}`;
  return `${number}${DECIMAL_NAMES.get(power) ?? ""}`;
}

/** The amount as a whole number, when it is one. */
function toWhole(mantissa: bigint, scale: number): bigint | undefined {
  if (scale >= 0) return mantissa * 10n ** BigInt(scale);
  const divisor = 10n ** BigInt(-scale);
  return mantissa % divisor === 0n ? mantissa / divisor : undefined;
}
