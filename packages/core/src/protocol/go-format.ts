/**
 * Values printed as Go prints them, because messages of the API quote values: field errors, schema validation and
 * CEL all come here. Pure functions; the same value always gives the same text.
 */
import { getKey, isJsonArray, isJsonObject, type Json, type JsonObject } from "../meta/json.ts";

/** A float as Go's %v: shortest digits, with an exponent below 1e-4 and from 1e6 on. */
export function formatFloat(value: number): string {
  if (Number.isNaN(value)) return "NaN";
  if (!Number.isFinite(value)) return value > 0 ? "+Inf" : "-Inf";
  if (value === 0) return Object.is(value, -0) ? "-0" : "0";
  const [digits = "", exponentText = "0"] = value.toExponential().split("e");
  const exponent = Number(exponentText);
  if (exponent >= -4 && exponent < 6) return String(value);
  const sign = exponent < 0 ? "-" : "+";
  return `${digits}e${sign}${String(Math.abs(exponent)).padStart(2, "0")}`;
}

const shortEscapes = new Map([
  [7, "\\a"],
  [8, "\\b"],
  [9, "\\t"],
  [10, "\\n"],
  [11, "\\v"],
  [12, "\\f"],
  [13, "\\r"],
  [34, '\\"'],
  [92, "\\\\"],
]);

/** A number of JSON as Go's %v prints what its JSON decoder made of it: integers in full, the rest as floats. */
export function formatNumber(value: number | bigint): string {
  return typeof value === "bigint" || Number.isSafeInteger(value) ? value.toString() : formatFloat(value);
}

/** A text as Go's %q: quoted, with what cannot be printed escaped. */
export function quote(text: string): string {
  if (/^[ !#-[\]-~]*$/.test(text)) return `"${text}"`;
  let quoted = '"';
  for (const character of text) quoted += escapeCharacter(character);
  return `${quoted}"`;
}

function escapeCharacter(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  const short = shortEscapes.get(code);
  if (short !== undefined) return short;
  if (code < 0x20 || code === 0x7f) return `\\x${code.toString(16).padStart(2, "0")}`;
  if (code < 0x7f || /[\p{L}\p{M}\p{N}\p{P}\p{S}]/u.test(character)) return character;
  const wide = code > 0xffff;
  return `\\${wide ? "U" : "u"}${code.toString(16).padStart(wide ? 8 : 4, "0")}`;
}

/** JSON as Go's encoding/json writes it: keys sorted, `<`, `>` and `&` escaped. Depth costs no call stack. */
export function formatGoJson(value: Json): string {
  const pieces: string[] = [];
  const pending: Piece[] = [{ value }];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    if (typeof next === "string") pieces.push(next);
    else if (isJsonArray(next.value)) pushReversed(pending, listPieces(next.value));
    else if (isJsonObject(next.value)) pushReversed(pending, objectPieces(next.value));
    else pieces.push(typeof next.value === "string" ? jsonString(next.value) : String(next.value));
  }
  return pieces.join("");
}

type Piece = string | { readonly value: Json };

/** One by one: a call cannot take a hundred thousand arguments. */
function pushReversed(pending: Piece[], pieces: readonly Piece[]): void {
  for (const piece of pieces.toReversed()) pending.push(piece);
}

function listPieces(items: readonly Json[]): Piece[] {
  return ["[", ...items.flatMap((value, index): Piece[] => (index === 0 ? [{ value }] : [",", { value }])), "]"];
}

function objectPieces(object: JsonObject): Piece[] {
  const entries = Object.keys(object)
    .sort()
    .flatMap((key, index): Piece[] => [
      `${index === 0 ? "" : ","}${jsonString(key)}:`,
      { value: getKey(object, key) ?? null },
    ]);
  return ["{", ...entries, "}"];
}

function jsonString(text: string): string {
  return JSON.stringify(text).replace(
    /[<>&\u2028\u2029]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
