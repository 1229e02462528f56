/**
 * Durations as text, in Go's spelling ("1h30m", "250ms"), which Kubernetes uses in its APIs and this project wherever a
 * user writes a span of time. Exact in nanoseconds; milliseconds for everything that meets a clock.
 */
import { malformed } from "./malformed.ts";

/** Milliseconds of a duration's text: `durationMs("2m30s")` is 150 000. Throws `MalformedError`. */
export function durationMs(text: string): number {
  return Number(parseDuration(text)) / 1e6;
}

/** Nanoseconds of a duration's text. Throws `MalformedError` with Go's text. */
export function parseDuration(text: string): bigint {
  const negative = text.startsWith("-");
  const terms = text.replace(/^[+-]/, "");
  if (terms === "0") return 0n;
  if (terms === "") throw invalid(text);
  let total = 0n;
  // Each term is a number, whose parts may be absent, and a unit, which may be wrong; the empty match ends the text.
  for (const [term, integer = "", fraction = "", unit = ""] of terms.matchAll(/([0-9]*)\.?([0-9]*)([^0-9.]*)/g)) {
    if (term === "") break;
    total += parseTerm(integer, fraction, { unit, text });
    if (total > INT64_MAX + (negative ? 1n : 0n)) throw invalid(text);
  }
  return negative ? -total : total;
}

/** The text of nanoseconds, as Go prints them: "1h0m0s", "1.5s", "250ms", "0s". */
export function formatDuration(nanoseconds: bigint): string {
  if (nanoseconds === 0n) return "0s";
  if (nanoseconds < 0n) return `-${formatDuration(-nanoseconds)}`;
  if (nanoseconds < 1_000n) return `${nanoseconds}ns`;
  if (nanoseconds < 1_000_000n) return `${formatFraction(nanoseconds, 1_000n)}µs`;
  if (nanoseconds < SECOND) return `${formatFraction(nanoseconds, 1_000_000n)}ms`;
  const seconds = `${formatFraction(nanoseconds % MINUTE, SECOND)}s`;
  if (nanoseconds < MINUTE) return seconds;
  const minutes = `${(nanoseconds / MINUTE) % 60n}m${seconds}`;
  return nanoseconds < HOUR ? minutes : `${nanoseconds / HOUR}h${minutes}`;
}

const SECOND = 1_000_000_000n;
const MINUTE = 60n * SECOND;
const HOUR = 60n * MINUTE;
const INT64_MAX = 2n ** 63n - 1n;

const UNITS: ReadonlyMap<string, bigint> = new Map([
  ["ns", 1n],
  ["us", 1_000n],
  ["µs", 1_000n], // U+00B5, the micro sign.
  ["μs", 1_000n], // U+03BC, the Greek letter.
  ["ms", 1_000_000n],
  ["s", SECOND],
  ["m", MINUTE],
  ["h", HOUR],
]);

/** A value in units, with as many decimals as it needs. */
function formatFraction(nanoseconds: bigint, unit: bigint): string {
  const digits = unit.toString().length - 1;
  const fraction = (nanoseconds % unit).toString().padStart(digits, "0").replace(/0+$/, "");
  return fraction === "" ? `${nanoseconds / unit}` : `${nanoseconds / unit}.${fraction}`;
}

function parseTerm(integer: string, fraction: string, { unit, text }: { unit: string; text: string }): bigint {
  if (integer + fraction === "" || integer.replace(/^0+/, "").length > 19) throw invalid(text);
  if (BigInt(integer) > INT64_MAX + 1n) throw invalid(text);
  if (unit === "") throw malformed(`time: missing unit in duration ${JSON.stringify(text)}`);
  const nanoseconds = UNITS.get(unit);
  if (nanoseconds === undefined) {
    throw malformed(`time: unknown unit ${JSON.stringify(unit)} in duration ${JSON.stringify(text)}`);
  }
  const decimals = fraction.slice(0, 20); // Finer than a nanosecond in any unit.
  return BigInt(integer) * nanoseconds + (BigInt(decimals) * nanoseconds) / 10n ** BigInt(decimals.length);
}

function invalid(text: string): Error {
  return malformed(`time: invalid duration ${JSON.stringify(text)}`);
}
