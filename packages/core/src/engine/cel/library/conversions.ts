/** Conversions between types, and size() and type(). */
import { formatFloat } from "../../../protocol/go-format.ts";
import { CelError } from "../cel-error.ts";
import { type CallContext, type Declaration, declare } from "../overloads.ts";
import { floorDivide, formatDuration, formatTimestamp, parseDuration, parseTimestamp, timestampOf } from "../time.ts";
import {
  type DurationValue,
  type ListValue,
  type MapValue,
  type TimestampValue,
  typeNameOf,
  type UintValue,
  type Value,
} from "../values.ts";
import { traversal } from "./costs.ts";
import { toInt, toUint } from "./operators.ts";

function failed(from: string, to: string): CelError {
  return new CelError(`type conversion error from '${from}' to '${to}'`);
}

/** How many code points a text has; work is charged because long texts must be read for it. */
export function characterCount(text: string, { meter }: CallContext): number {
  meter.work(text.length / 15);
  let count = text.length;
  for (let index = 0; index < text.length - 1; index += 1) {
    const code = text.charCodeAt(index);
    if (code >= 0xd800 && code < 0xdc00) {
      count -= 1;
      index += 1;
    }
  }
  return count;
}

const sizes: readonly Declaration[] = ["string", "bytes", "list(A)", "map(A, B)"].flatMap((type) => {
  const size = ([value]: readonly Value[], context: CallContext): bigint => {
    if (typeof value === "string") return BigInt(characterCount(value, context));
    return BigInt(value instanceof Uint8Array ? value.length : (value as ListValue | MapValue).size);
  };
  return [declare(`size(${type}) int`, size), declare(`${type}->size() int`, size)];
});

function integerFrom(text: string, to: "int" | "uint"): bigint {
  if (!(to === "int" ? /^[-+]?\d+$/ : /^\d+$/).test(text)) throw failed("string", to);
  const value = BigInt(text.replace(/^\+/, ""));
  const fits = to === "int" ? BigInt.asIntN(64, value) === value : BigInt.asUintN(64, value) === value;
  if (!fits) throw failed("string", to);
  return value;
}

function truncateDouble(value: number, unsigned: boolean): bigint {
  const limit = unsigned ? 2 ** 64 : 2 ** 63;
  if (!Number.isFinite(value) || value >= limit || value <= (unsigned ? -1 : -limit)) {
    throw new CelError(unsigned ? "unsigned integer overflow" : "integer overflow");
  }
  return BigInt(Math.trunc(value));
}

const toInts: readonly Declaration[] = [
  declare("int(int) int", ([value]) => value as bigint),
  declare("int(uint) int", ([value]) => toInt((value as UintValue).value)),
  declare("int(double) int", ([value]) => truncateDouble(value as number, false)),
  declare("int(string) int", ([value]) => integerFrom(value as string, "int")),
  declare("int(timestamp) int", ([value]) => floorDivide((value as TimestampValue).nanoseconds, 1_000_000_000n)),
  declare("int(duration) int", ([value]) => (value as DurationValue).nanoseconds),
  declare("uint(uint) uint", ([value]) => value as UintValue),
  declare("uint(int) uint", ([value]) => toUint(value as bigint)),
  declare("uint(double) uint", ([value]) => toUint(truncateDouble(value as number, true))),
  declare("uint(string) uint", ([value]) => toUint(integerFrom(value as string, "uint"))),
];

function doubleFrom(text: string): number {
  if (/^[-+]?(inf|infinity)$/i.test(text)) return text.startsWith("-") ? -Infinity : Infinity;
  if (/^[-+]?nan$/i.test(text)) return Number.NaN;
  if (!/^[-+]?(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?$/.test(text)) throw failed("string", "double");
  return Number(text);
}

function boolFrom(text: string): boolean {
  if (["1", "t", "true", "TRUE", "True", "T"].includes(text)) return true;
  if (["0", "f", "false", "FALSE", "False", "F"].includes(text)) return false;
  throw failed("string", "bool");
}

function textFrom(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new CelError("invalid UTF-8 in bytes, cannot convert to string");
  }
}

const toOthers: readonly Declaration[] = [
  declare("double(double) double", ([value]) => value as number),
  declare("double(int) double", ([value]) => Number(value as bigint)),
  declare("double(uint) double", ([value]) => Number((value as UintValue).value)),
  declare("double(string) double", ([value]) => doubleFrom(value as string)),
  declare("string(string) string", ([value]) => value as string),
  declare("string(bool) string", ([value]) => String(value as boolean)),
  declare("string(int) string", ([value]) => (value as bigint).toString()),
  declare("string(uint) string", ([value]) => (value as UintValue).value.toString()),
  declare("string(double) string", ([value]) => formatFloat(value as number)),
  declare("string(bytes) string", ([value]) => textFrom(value as Uint8Array), traversal()),
  declare("string(timestamp) string", ([value]) => formatTimestamp(value as TimestampValue)),
  declare("string(duration) string", ([value]) => formatDuration(value as DurationValue)),
  declare("bytes(bytes) bytes", ([value]) => value as Uint8Array),
  declare("bytes(string) bytes", ([value]) => new TextEncoder().encode(value as string), traversal()),
  declare("bool(bool) bool", ([value]) => value as boolean),
  declare("bool(string) bool", ([value]) => boolFrom(value as string)),
  declare("dyn(A) dyn", ([value]) => value as Value),
  declare("type(A) type(A)", ([value]) => ({ kind: "type", name: typeNameOf(value as Value) })),
];

function orFail(value: Value | undefined, to: string): Value {
  if (value === undefined) throw failed("string", to);
  return value;
}

const times: readonly Declaration[] = [
  declare("timestamp(timestamp) timestamp", ([value]) => value as Value),
  declare("timestamp(string) timestamp", ([text]) =>
    orFail(parseTimestamp(text as string), "google.protobuf.Timestamp"),
  ),
  declare("timestamp(int) timestamp", ([seconds]) => {
    const value = timestampOf((seconds as bigint) * 1_000_000_000n);
    if (value === undefined) throw new CelError("timestamp overflow");
    return value;
  }),
  declare("duration(duration) duration", ([value]) => value as Value),
  // Declared, but never right: cel-go has the overload and no conversion for it.
  declare("duration(int) duration", () => {
    throw failed("int", "google.protobuf.Duration");
  }),
  declare("duration(string) duration", ([text]) => orFail(parseDuration(text as string), "google.protobuf.Duration")),
];

/** All conversions. */
export const conversions: readonly Declaration[] = [...sizes, ...toInts, ...toOthers, ...times];
