/**
 * JSON text ↔ values, as Kubernetes reads and writes it: integers of 64 bits survive (as bigint beyond 2^53), numbers
 * that no double can hold are refused, nesting is limited, "__proto__" is an ordinary key. Almost every text takes the
 * fast path through JSON.parse; json-reader.ts does the rest and words the errors.
 */
import { isJsonArray, isJsonObject, type Json } from "./json.ts";
import { JSON_DEPTH_MAX, readJson } from "./json-reader.ts";
import { malformed } from "./malformed.ts";

/** A value and the paths of keys that stood twice in one object ("spec.ports[0].name"), each told once. */
export interface StrictJson {
  readonly value: Json;
  readonly duplicates: readonly string[];
}

/** The value of a JSON text or of its UTF-8 bytes. The last of duplicate keys wins. Throws `MalformedError`. */
export function parseJson(input: string | Uint8Array): Json {
  const text = toText(input);
  return countKeys(text) === undefined ? readJson(text).value : parsePlainJson(text);
}

/** As `parseJson`, for a text that is known to have no number that JSON.parse might spoil, and not to nest too deep. */
export function parsePlainJson(text: string): Json {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return readJson(text).value; // Throws with Kubernetes' words where JSON.parse has its own.
  }
}

/** As `parseJson`, and reports duplicate keys: JSON.parse loses them, so a value with fewer keys than its text has some. */
export function parseJsonStrict(input: string | Uint8Array): StrictJson {
  const text = toText(input);
  const keys = countKeys(text);
  if (keys === undefined) return readJson(text);
  try {
    const value = JSON.parse(text) as Json;
    return keys === keysOf(value) ? { value, duplicates: [] } : readJson(text);
  } catch {
    return readJson(text);
  }
}

/** How many keys the objects in a value have. */
function keysOf(value: Json): number {
  let keys = 0;
  const pending: Json[] = [value];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    if (isJsonArray(next)) {
      for (const item of next) if (typeof item === "object" && item !== null) pending.push(item);
    } else if (isJsonObject(next)) {
      for (const key in next) {
        keys++;
        const child = next[key];
        if (typeof child === "object" && child !== null) pending.push(child);
      }
    }
  }
  return keys;
}

/** The JSON text of a value; bigints become plain integers. `indent` spaces per level make it pretty. @default 0 */
export function stringifyJson(value: unknown, indent = 0): string {
  let text: string | undefined;
  try {
    text = JSON.stringify(value, undefined, indent);
  } catch (error) {
    // JSON.stringify is several times faster without a replacer, and only bigints need one.
    if (!(error instanceof TypeError) || !/BigInt/.test(error.message)) throw error;
    text = JSON.stringify(value, rawBigint, indent);
  }
  if (text === undefined) throw new TypeError(`cannot write ${typeof value} as JSON; pass a JSON value`);
  return text;
}

const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** The text of UTF-8 bytes. Throws `MalformedError` where they are none. */
export function decodeUtf8(bytes: Uint8Array): string {
  try {
    return utf8.decode(bytes);
  } catch (error) {
    throw malformed("invalid UTF-8 in text; send UTF-8 bytes", { cause: error });
  }
}

/**
 * How many keys stand in the text; undefined when it nests too deep or has a number that JSON.parse might spoil: 16 digits
 * in a row, or an exponent. One pass without allocation: this is paid for every text, and costs a fraction of JSON.parse.
 */
function countKeys(text: string): number | undefined {
  const length = text.length;
  let keys = 0;
  let depth = 0;
  let digits = 0;
  for (let index = 0; index < length; index++) {
    const unit = text.charCodeAt(index);
    if (unit >= ZERO && unit <= NINE) {
      if (++digits >= DIGITS_RISKY) return undefined;
      continue;
    }
    if (digits > 0 && (unit | LOWER_CASE) === LETTER_E) return undefined;
    digits = 0;
    if (unit === QUOTE) index = endOfString(text, index);
    else if (unit === COLON) keys++;
    else if (unit === OPEN_BRACE || unit === OPEN_BRACKET) depth++;
    else if (unit === CLOSE_BRACE || unit === CLOSE_BRACKET) depth--;
    if (depth > JSON_DEPTH_MAX) return undefined;
  }
  return keys;
}

/** Where the string that opens at `start` closes; beyond the text when it does not. */
function endOfString(text: string, start: number): number {
  for (let index = start + 1; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    if (unit === QUOTE) return index;
    if (unit === BACKSLASH) index++;
  }
  return text.length;
}

/** No safe integer has more than 16 digits, and not every one with 16 is safe. */
export const DIGITS_RISKY = 16;
const QUOTE = 0x22;
const ZERO = 0x30;
const NINE = 0x39;
const COLON = 0x3a;
const OPEN_BRACKET = 0x5b;
const BACKSLASH = 0x5c;
const CLOSE_BRACKET = 0x5d;
const LETTER_E = 0x65;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
const LOWER_CASE = 0x20;

function toText(input: string | Uint8Array): string {
  return typeof input === "string" ? input : decodeUtf8(input);
}

/** JSON.rawJSON is in V8 but not yet in the compiler's library. */
const { rawJSON: rawJson } = JSON as unknown as { readonly rawJSON: (text: string) => object };

function rawBigint(_key: string, value: unknown): unknown {
  return typeof value === "bigint" ? rawJson(value.toString()) : value;
}
