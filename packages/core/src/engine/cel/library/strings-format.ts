/** `"%s is %d".format([name, 5])`: the verbs %s %d %f %e %b %o %x %X of cel-go's string extension. */
import { formatFloat } from "../../../protocol/go-format.ts";
import { CelError } from "../cel-error.ts";
import { formatDuration, formatTimestamp } from "../time.ts";
import { isKind, itemsOf, numericOf, typeNameOf, type Value } from "../values.ts";

/** Digits after the point when none are asked for. */
const defaultPrecision = 6;

const verbPattern = /%(?:%|(?:\.(\d+))?([a-zA-Z])|(?=$|.))/gsu;

/** The verbs of a format, in order. */
export function verbsOf(format: string): string[] {
  return Array.from(format.matchAll(verbPattern)).flatMap(([whole, , verb]) => (whole === "%%" ? [] : [verb ?? ""]));
}

/** The text with its verbs replaced by the arguments. */
export function formatText(format: string, args: readonly Value[]): string {
  let used = 0;
  const text = format.replace(verbPattern, (whole, precision: string | undefined, verb: string | undefined) => {
    if (whole === "%%") return "%";
    if (verb === undefined)
      throw new CelError(`could not parse formatting clause: unrecognized formatting clause "${whole}"`);
    const value = args[used];
    if (value === undefined) throw new CelError(`index ${used} out of range`);
    used += 1;
    return formatVerb(verb, value, precision === undefined ? undefined : Number(precision));
  });
  return text;
}

function formatVerb(verb: string, value: Value, precision: number | undefined): string {
  const numeric = numericOf(value);
  switch (verb) {
    case "s":
      return formatValue(value);
    case "d":
      return typeof numeric !== "bigint" ? wrongVerb("d", value) : numeric.toString();
    case "f":
      return fixed(doubleOrWrong(value, "f"), precision ?? defaultPrecision);
    case "e":
      return scientific(doubleOrWrong(value, "e"));
    case "b":
      return typeof value === "boolean" ? (value ? "1" : "0") : integerOrWrong(value, "b").toString(2);
    case "o":
      return integerOrWrong(value, "o").toString(8);
    case "x":
      return hex(value);
    case "X":
      return hex(value).toUpperCase();
    default:
      throw new CelError(`could not parse formatting clause: unrecognized formatting clause "${verb}"`);
  }
}

const textual = "strings, bools, bytes, ints, doubles, maps, lists, types, durations, and timestamps";
const clauses: Readonly<Record<string, readonly [clause: string, takes: string]>> = {
  s: ["string", textual],
  d: ["decimal", "integers"],
  f: ["fixed-point", "doubles"],
  e: ["scientific", "doubles"],
  b: ["binary", "integers and bools"],
  o: ["octal", "integers"],
  x: ["hex", "integers, byte buffers, and strings"],
  X: ["hex", "integers, byte buffers, and strings"],
};

/** Why a verb does not take a value of the type. */
export function wrongVerbText(verb: string, given: string): string {
  const [clause, takes] = clauses[verb] ?? ["", ""];
  return `error during formatting: ${clause} clause can only be used on ${takes}, was given ${given}`;
}

function wrongVerb(verb: string, value: Value): never {
  throw new CelError(wrongVerbText(verb, typeNameOf(value)));
}

function doubleOrWrong(value: Value, verb: string): number {
  return typeof value === "number" ? value : wrongVerb(verb, value);
}

function integerOrWrong(value: Value, verb: string): bigint {
  const numeric = numericOf(value);
  return typeof numeric === "bigint" ? numeric : wrongVerb(verb, value);
}

function fixed(value: number, precision: number): string {
  if (Number.isNaN(value)) return "NaN";
  if (!Number.isFinite(value)) return value > 0 ? "∞" : "-∞";
  return value.toFixed(Math.min(precision, 100));
}

const superscripts = "⁰¹²³⁴⁵⁶⁷⁸⁹";

/** `1.234500×10⁰³`: cel-go writes powers of ten, always with six digits. */
function scientific(value: number): string {
  if (!Number.isFinite(value)) return fixed(value, 0);
  const [digits = "", exponent = "+0"] = value.toExponential(defaultPrecision).split("e");
  const power = exponent
    .slice(1)
    .padStart(2, "0")
    .replace(/\d/g, (digit) => superscripts[Number(digit)] ?? digit);
  return `${digits}×10${exponent.startsWith("-") ? "⁻" : ""}${power}`;
}

function hex(value: Value): string {
  if (typeof value === "string") return Buffer.from(value).toString("hex");
  if (value instanceof Uint8Array) return Buffer.from(value).toString("hex");
  return integerOrWrong(value, "x").toString(16);
}

/** A value as %s shows it. */
function formatValue(value: Value): string {
  if (typeof value === "string") return value;
  if (typeof value === "number") return formatFloat(value);
  if (value instanceof Uint8Array) return Buffer.from(value).toString("utf8");
  if (value !== null && isKind(value, "timestamp")) return formatTimestamp(value);
  return value !== null && isKind(value, "duration") ? formatDuration(value) : formatInner(value);
}

/** How deep values may nest to be formatted. */
const depthMax = 1000;

/** A value inside of a list or map: as it would be written in CEL. */
function formatInner(value: Value, depth = 0): string {
  if (depth > depthMax) throw new CelError(`values nested deeper than ${depthMax} cannot be formatted`);
  if (value === null) return "null";
  if (typeof value === "boolean" || typeof value === "bigint") return String(value);
  if (typeof value === "string") return JSON.stringify(value);
  if (typeof value === "number") return fixed(value, defaultPrecision);
  if (value instanceof Uint8Array) return `b${JSON.stringify(Buffer.from(value).toString("utf8"))}`;
  if (isKind(value, "list"))
    return `[${itemsOf(value)
      .map((item) => formatInner(item, depth + 1))
      .join(", ")}]`;
  if (isKind(value, "map")) {
    const entries = value.keys().map((key) => `${formatInner(key)}:${formatInner(value.get(key) ?? null, depth + 1)}`);
    return `{${entries.sort().join(", ")}}`;
  }
  if (isKind(value, "uint")) return value.value.toString();
  if (isKind(value, "timestamp")) return `timestamp(${JSON.stringify(formatTimestamp(value))})`;
  if (isKind(value, "duration")) return `duration(${JSON.stringify(formatDuration(value))})`;
  if (isKind(value, "type")) return value.name;
  return wrongVerb("s", value);
}
