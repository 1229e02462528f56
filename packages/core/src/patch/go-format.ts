/**
 * Values the way Go's fmt prints them, for error texts of Kubernetes that quote a value or its type. Numbers that fit an
 * int64 count as int64, all others as float64, as in Kubernetes' own JSON decoder.
 */
import { isJsonArray, isJsonObject, type Json } from "../meta/json.ts";

/** What Go's decoder makes of a JSON value. */
export type GoKind = "nil" | "bool" | "int64" | "float64" | "string" | "slice" | "map";

/** The Go kind of a JSON value. */
export function goKind(value: Json | undefined): GoKind {
  if (value === null || value === undefined) return "nil";
  if (isJsonArray(value)) return "slice";
  if (isJsonObject(value)) return "map";
  if (typeof value === "boolean") return "bool";
  if (typeof value === "string") return "string";
  return typeof value === "bigint" || Number.isSafeInteger(value) ? "int64" : "float64";
}

/** A Go type as `%T` prints it; a nil type the way `%s` complains about it. */
export function goTypeName(value: Json | undefined): string {
  const kind = goKind(value);
  if (kind === "slice") return "[]interface {}";
  if (kind === "map") return "map[string]interface {}";
  return kind === "nil" ? "%!s(<nil>)" : kind;
}

/** A value as `%v` prints it. */
export function goFormat(value: Json | undefined): string {
  if (value === null || value === undefined) return "<nil>";
  if (isJsonArray(value)) return `[${value.map(goFormat).join(" ")}]`;
  if (isJsonObject(value)) {
    const keys = Object.keys(value).filter((key) => value[key] !== undefined);
    return `map[${keys
      .sort(compareBytes)
      .map((key) => `${key}:${goFormat(value[key])}`)
      .join(" ")}]`;
  }
  return typeof value === "number" ? goFormatNumber(value) : String(value);
}

/** A value as `%#v` prints it. */
export function goSyntax(value: Json): string {
  if (value === null) return "interface {}(nil)";
  if (typeof value === "string") return goQuote(value);
  if (isJsonArray(value)) return `[]interface {}{${value.map(goSyntax).join(", ")}}`;
  if (!isJsonObject(value)) return goFormat(value);
  const keys = Object.keys(value).sort(compareBytes);
  return `map[string]interface {}{${keys.map((key) => `${goQuote(key)}:${goSyntax(value[key] ?? null)}`).join(", ")}}`;
}

/** JSON as Go's encoder writes it: sorted keys, and the characters escaped that mean something in HTML. */
export function goJson(value: Json): string {
  if (typeof value === "string") return escapeForHtml(JSON.stringify(value));
  if (isJsonArray(value)) return `[${value.map(goJson).join(",")}]`;
  if (isJsonObject(value)) {
    const keys = Object.keys(value).filter((key) => value[key] !== undefined);
    return `{${keys
      .sort(compareBytes)
      .map((key) => `${goJson(key)}:${goJson(value[key] ?? null)}`)
      .join(",")}}`;
  }
  return String(value);
}

/** A string as `%q` prints it. */
export function goQuote(text: string): string {
  return JSON.stringify(text).replace(/\\u00([0-9a-f]{2})/g, "\\x$1");
}

/** Orders strings by their UTF-8 bytes, as Go does; JavaScript's own order differs beyond the basic plane. */
export function compareBytes(left: string, right: string): number {
  if (left === right) return 0;
  const length = Math.min(left.length, right.length);
  for (let index = 0; index < length; index++) {
    const a = left.charCodeAt(index);
    const b = right.charCodeAt(index);
    if (a !== b) return surrogateLast(a) - surrogateLast(b);
  }
  return left.length - right.length;
}

/** Go switches to an exponent below 1e-4 and from 1e21 on. */
function goFormatNumber(value: number): string {
  if (goKind(value) === "int64") return String(value);
  const size = Math.abs(value);
  if (size >= 1e-4 && size < 1e21) return String(value);
  return value.toExponential().replace(/e([+-])(\d)$/, "e$10$2");
}

function escapeForHtml(text: string): string {
  if (!/[<>&\u2028\u2029]/.test(text)) return text;
  return text.replace(/[<>&\u2028\u2029]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

/** Surrogates stand for characters above every other UTF-16 unit. */
function surrogateLast(unit: number): number {
  return unit >= 0xd800 && unit <= 0xdfff ? unit + 0x2000 : unit >= 0xe000 ? unit - 0x800 : unit;
}
