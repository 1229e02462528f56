/**
 * Timestamps and durations of CEL: RFC 3339 and Go's durations, with nanoseconds, within the years 1 to 9999. Used by the
 * conversions of schemas and by the time functions of the library.
 */
import type { DurationValue, TimestampValue } from "./values.ts";

const second = 1_000_000_000n;
/** 0001-01-01T00:00:00Z and 9999-12-31T23:59:59.999999999Z. */
const timestampMin = -62135596800n * second;
const timestampMax = 253402300800n * second - 1n;
const int64Max = 2n ** 63n - 1n;

/** A timestamp, unless it is outside of the years 1 to 9999. */
export function timestampOf(nanoseconds: bigint, offset?: string): TimestampValue | undefined {
  if (nanoseconds < timestampMin || nanoseconds > timestampMax) return undefined;
  return offset === undefined ? { kind: "timestamp", nanoseconds } : { kind: "timestamp", nanoseconds, offset };
}

/** A duration, unless it does not fit 64 bits of nanoseconds. */
export function durationOf(nanoseconds: bigint): DurationValue | undefined {
  return nanoseconds > int64Max || nanoseconds < -int64Max - 1n ? undefined : { kind: "duration", nanoseconds };
}

const rfc3339 = /^(\d{4}-\d{2}-\d{2}[Tt]\d{2}:\d{2}:\d{2})(?:[.,](\d+))?([Zz]|([+-])(\d{2}):(\d{2}))$/;

/** RFC 3339; undefined when it is not. */
export function parseTimestamp(text: string): TimestampValue | undefined {
  const match = rfc3339.exec(text);
  if (match === null) return undefined;
  const [, local = "", fraction = "", zone, sign, hours = "0", minutes = "0"] = match;
  const milliseconds = Date.parse(`${local.toUpperCase()}Z`);
  if (Number.isNaN(milliseconds) || !sameDay(milliseconds, local) || Number(hours) > 23 || Number(minutes) > 59)
    return undefined;
  const offset = BigInt(Number(hours) * 3600 + Number(minutes) * 60) * (sign === "-" ? -1n : 1n);
  const nanoseconds = BigInt(fraction.slice(0, 9).padEnd(9, "0"));
  return timestampOf((BigInt(milliseconds / 1000) - offset) * second + nanoseconds, offset === 0n ? undefined : zone);
}

/** Date.parse takes February 30 for March 1. */
function sameDay(milliseconds: number, local: string): boolean {
  return new Date(milliseconds).toISOString().slice(0, 10) === local.slice(0, 10);
}

/** `2006-01-02`, as midnight UTC. */
export function parseDate(text: string): TimestampValue | undefined {
  return /^\d{4}-\d{2}-\d{2}$/.test(text) ? parseTimestamp(`${text}T00:00:00Z`) : undefined;
}

/** RFC 3339 with as many digits as needed. */
export function formatTimestamp({ nanoseconds, offset }: TimestampValue): string {
  const seconds = floorDivide(nanoseconds, second);
  const local = Number(seconds) + offsetSeconds(offset);
  const text = new Date(local * 1000).toISOString().slice(0, 19);
  return `${text}${fractionText(nanoseconds - seconds * second)}${offset ?? "Z"}`;
}

function offsetSeconds(offset = "+00:00"): number {
  const [hours = 0, minutes = 0] = offset.slice(1).split(":").map(Number);
  return (offset.startsWith("-") ? -1 : 1) * (hours * 3600 + minutes * 60);
}

function fractionText(nanoseconds: bigint): string {
  return nanoseconds === 0n ? "" : `.${nanoseconds.toString().padStart(9, "0").replace(/0+$/, "")}`;
}

/** Division that rounds down. */
export function floorDivide(value: bigint, by: bigint): bigint {
  const quotient = value / by;
  return value % by !== 0n && value < 0n !== by < 0n ? quotient - 1n : quotient;
}

const units: Readonly<Record<string, bigint>> = {
  ns: 1n,
  us: 1_000n,
  µs: 1_000n,
  μs: 1_000n,
  ms: 1_000_000n,
  s: second,
  m: 60n * second,
  h: 3600n * second,
};

/** Go's durations: `1h30m`, `-1.5s`, `0`. */
export function parseDuration(text: string): DurationValue | undefined {
  const match = /^([-+]?)((?:\d+(?:\.\d*)?|\.\d+)(?:ns|us|µs|μs|ms|s|m|h))+$|^[-+]?0$/.exec(text);
  if (match === null) return undefined;
  let total = 0n;
  for (const [, whole = "", fraction = "", unit = ""] of text.matchAll(/(\d*)(?:\.(\d*))?(ns|us|µs|μs|ms|s|m|h)/g)) {
    const scale = units[unit] ?? 0n;
    total += BigInt(whole || 0) * scale;
    const digits = fraction.slice(0, 18);
    total += (BigInt(digits || 0) * scale) / 10n ** BigInt(digits.length);
  }
  return durationOf(text.startsWith("-") ? -total : total);
}

/** Seconds with a fraction, as CEL writes durations: `5400s`, `0.5s`. */
export function formatDuration({ nanoseconds }: DurationValue): string {
  const negative = nanoseconds < 0n;
  const positive = negative ? -nanoseconds : nanoseconds;
  return `${negative ? "-" : ""}${positive / second}${fractionText(positive % second)}s`;
}
