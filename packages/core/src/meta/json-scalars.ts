/**
 * The pieces of JSON text that are not lists or objects, for json-reader.ts: strings, numbers, words and the space
 * between them. Each function starts at the cursor and leaves it behind what it read.
 */
import { malformed } from "./malformed.ts";

/** A text and how far it is read. */
export interface Cursor {
  readonly text: string;
  index: number;
}

/** Passes `true`, `false` or `null`. */
export function passWord(cursor: Cursor, word: string): void {
  for (const letter of word) {
    if (cursor.text[cursor.index] !== letter) throw unexpected(cursor, `in literal ${word} (expecting '${letter}')`);
    cursor.index++;
  }
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: JSON forbids exactly these in strings.
const PLAIN_STRING = /"[^"\\\u0000-\u001f]*"/y;
const NUMBER = /-?(?:0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?/y;

/** Reads the string that opens at the cursor. */
export function readString(cursor: Cursor): string {
  PLAIN_STRING.lastIndex = cursor.index;
  if (!PLAIN_STRING.test(cursor.text)) return readEscapedString(cursor);
  const text = cursor.text.slice(cursor.index + 1, PLAIN_STRING.lastIndex - 1);
  cursor.index = PLAIN_STRING.lastIndex;
  return text;
}

function readEscapedString(cursor: Cursor): string {
  const { text, index: start } = cursor;
  for (cursor.index++; ; cursor.index++) {
    const unit = text[cursor.index];
    if (unit === undefined) throw malformed("unexpected end of JSON input");
    if (unit < " ") throw unexpected(cursor, "in string literal");
    if (unit === '"') break;
    if (unit === "\\") passEscape(cursor);
  }
  cursor.index++;
  return JSON.parse(text.slice(start, cursor.index)) as string;
}

/** Checks the escape at the cursor and stops at its last character. */
function passEscape(cursor: Cursor): void {
  cursor.index++;
  const unit = cursor.text[cursor.index] ?? "";
  if (unit === "u") {
    for (let digits = 0; digits < 4; digits++) {
      cursor.index++;
      if (!/[0-9a-fA-F]/.test(cursor.text[cursor.index] ?? ""))
        throw unexpected(cursor, "in \\u hexadecimal character escape");
    }
  } else if (unit === "" || !'"\\/bfnrt'.includes(unit)) throw unexpected(cursor, "in string escape code");
}

/** Reads the number at the cursor. */
export function readNumber(cursor: Cursor): number | bigint {
  NUMBER.lastIndex = cursor.index;
  const match = NUMBER.exec(cursor.text);
  if (match === null) {
    const isNumber = cursor.text[cursor.index] === "-";
    if (isNumber) cursor.index++;
    throw unexpected(cursor, isNumber ? "in numeric literal" : "looking for beginning of value");
  }
  cursor.index = NUMBER.lastIndex;
  checkNumberEnd(cursor, match);
  const [digits, fraction, exponent] = match;
  return fraction === undefined && exponent === undefined ? toInteger(digits) : toFloat(digits);
}

/** A point or an "e" without digits after it belongs to the number, and is what is wrong with it. */
function checkNumberEnd(cursor: Cursor, [, fraction, exponent]: RegExpExecArray): void {
  const rest = /^(?:\.|[eE][+-]?)/.exec(cursor.text.slice(cursor.index, cursor.index + 2))?.[0];
  if (rest === undefined || exponent !== undefined || (rest === "." && fraction !== undefined)) return;
  cursor.index += rest.length;
  throw unexpected(cursor, rest === "." ? "after decimal point in numeric literal" : "in exponent of numeric literal");
}

/** Integers up to 64 bits are exact; larger ones are the nearest double, as in Kubernetes. */
function toInteger(digits: string): number | bigint {
  const value = toFloat(digits);
  if (Number.isSafeInteger(value) || digits.length > 20) return value;
  const exact = BigInt(digits);
  return BigInt.asIntN(64, exact) === exact ? exact : value;
}

function toFloat(digits: string): number {
  const value = Number(digits);
  if (!Number.isFinite(value))
    throw malformed(`json: cannot unmarshal number ${digits.slice(0, 64)} into Go value of type float64`);
  return value;
}

/** The next character that is not white space, "" at the end. Stays before it. */
export function nextUnit(cursor: Cursor): string {
  for (; ; cursor.index++) {
    const unit = cursor.text[cursor.index];
    if (unit === undefined) return "";
    if (unit !== " " && unit !== "\n" && unit !== "\t" && unit !== "\r") return unit;
  }
}

/** The error about the character at the cursor, or about the end of the text. */
export function unexpected(cursor: Cursor, where: string): Error {
  const unit = cursor.text[cursor.index];
  if (unit === undefined) return malformed("unexpected end of JSON input");
  const shown = unit === "'" ? "'\\''" : unit === '"' ? `'"'` : `'${JSON.stringify(unit).slice(1, -1)}'`;
  return malformed(`invalid character ${shown} ${where}`);
}
