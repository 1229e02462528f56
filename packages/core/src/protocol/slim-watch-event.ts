/**
 * Watch events for caches: metadata.managedFields, often more than half of an object, is cut out of the bytes before they are decoded,
 * and the object's text is kept beside its value, so that a store needs not write it again. Of the thousands of objects that a watch
 * begins with hardly one is read before the others came, so that their metadata can be had without the rest; both are decoded when read. Only lines as kube-apiserver
 * writes them are cut, whose brackets match, and without numbers that JSON.parse might spoil; for all others the answer is undefined, and
 * `decodeWatchEvent` does it.
 */
import type { JsonObject } from "../meta/json.ts";
import { JSON_DEPTH_MAX } from "../meta/json-reader.ts";
import { DIGITS_RISKY, decodeUtf8, parsePlainJson } from "../meta/json-text.ts";
import { concatenate } from "../ports/transport.ts";

/** An event without managedFields, and its object as text, which JSON.parse reads without loss. */
export interface SlimWatchEvent {
  readonly type: "ADDED" | "MODIFIED" | "DELETED";
  readonly text: string;
  /** Decoded when it is first read, unless the object was. */
  readonly metadata: JsonObject;
  /** Decoded when it is first read. */
  readonly object: JsonObject;
}

const encoder = new TextEncoder();
/** What stands before the object, by type. */
const OPENINGS: ReadonlyArray<{ readonly type: SlimWatchEvent["type"]; readonly bytes: Uint8Array }> = (
  ["ADDED", "MODIFIED", "DELETED"] as const
).map((type) => ({ type, bytes: encoder.encode(`{"type":"${type}","object":`) }));
/** What may stand in the object before its metadata: texts, in any order. */
const TEXTS: readonly Uint8Array[] = ['"apiVersion":"', '"kind":"'].map((text) => encoder.encode(text));
const METADATA: Uint8Array = encoder.encode('"metadata":{');
const KEY: Uint8Array = encoder.encode('"managedFields":[');

/** Where objects are put together without their managedFields, unless they are large. */
const scratch = new Uint8Array(64 * 1024);

/** The event on one line without managedFields; undefined for lines that are written in another way. */
export function decodeSlimWatchEvent(line: Uint8Array): SlimWatchEvent | undefined {
  for (const { type, bytes } of OPENINGS) if (startsAt(line, 0, bytes)) return decodeFrom(line, bytes.length, type);
  return undefined;
}

/** The event whose object begins at `start`. */
function decodeFrom(line: Uint8Array, start: number, type: SlimWatchEvent["type"]): SlimWatchEvent | undefined {
  const from = findMetadata(line, start);
  const found = from === undefined ? undefined : scanObject(line, from);
  // Behind the object stands the brace that closes the event, and nothing else.
  if (from === undefined || found?.end !== line.length - 1 || line[found.end] !== CLOSE_BRACE) return undefined;
  const { cut, end } = found;
  const bytes =
    cut === undefined ? line.subarray(start, end) : join(line.subarray(start, cut.start), line.subarray(cut.end, end));
  const text = decodeUtf8(bytes);
  const metadataStart = from - 1 - start;
  const metadataEnd = found.metadataEnd - start - (cut === undefined ? 0 : cut.end - cut.start);
  const isAscii = text.length === bytes.length;
  const metadata = isAscii
    ? text.slice(metadataStart, metadataEnd)
    : decodeUtf8(bytes.subarray(metadataStart, metadataEnd));
  return new SlimEvent(type, text, metadata);
}

class SlimEvent implements SlimWatchEvent {
  readonly type: SlimWatchEvent["type"];
  readonly text: string;
  #metadata: JsonObject | string;
  #object: JsonObject | undefined;

  constructor(type: SlimWatchEvent["type"], text: string, metadataText: string) {
    this.type = type;
    this.text = text;
    this.#metadata = metadataText;
  }

  get metadata(): JsonObject {
    // The first byte of both texts is an opening brace: what they hold is an object.
    if (typeof this.#metadata === "string") this.#metadata = parsePlainJson(this.#metadata) as JsonObject;
    return this.#metadata;
  }

  get object(): JsonObject {
    if (this.#object === undefined) {
      this.#object = parsePlainJson(this.text) as JsonObject;
      this.#metadata = this.#object["metadata"] as JsonObject;
    }
    return this.#object;
  }
}

/** Both in a row; good until the next call. */
function join(first: Uint8Array, second: Uint8Array): Uint8Array {
  const length = first.length + second.length;
  if (length > scratch.length) return concatenate([first, second], length);
  scratch.set(first);
  scratch.set(second, first.length);
  return scratch.subarray(0, length);
}

/** Where the first field of the metadata stands, in the object that begins at `start`. */
function findMetadata(line: Uint8Array, start: number): number | undefined {
  if (line[start] !== OPEN_BRACE) return undefined;
  let index = start + 1;
  for (const _ of TEXTS) {
    const length = lengthOfText(line, index);
    if (length === 0) break;
    index = endOfString(line, index + length - 1) + 1;
    if (line[index] !== COMMA) return undefined;
    index++;
  }
  return startsAt(line, index, METADATA) ? index + METADATA.length : undefined;
}

/** How long the text of `TEXTS` is that stands at `start`; 0 where none does. */
function lengthOfText(line: Uint8Array, start: number): number {
  for (const text of TEXTS) if (startsAt(line, start, text)) return text.length;
  return 0;
}

interface Range {
  readonly start: number;
  readonly end: number;
}

interface Scanned {
  /** Where managedFields stand, with one of the commas around them. */
  readonly cut: Range | undefined;
  readonly metadataEnd: number;
  /** Behind the object. */
  readonly end: number;
}

/** Goes through the object from the first field of its metadata on; undefined when its brackets do not match or JSON.parse might spoil it. */
function scanObject(line: Uint8Array, from: number): Scanned | undefined {
  let cut: Range | undefined;
  let metadataEnd = 0;
  let depth = 2;
  for (let index = from; index < line.length; index++) {
    const byte = line[index];
    if (byte === QUOTE) {
      if (depth === 2 && metadataEnd === 0 && startsAt(line, index, KEY)) {
        cut = withComma(line, index, endOfList(line, index + KEY.length));
        index = cut.end - 1;
      } else index = endOfString(line, index);
    } else if (byte === OPEN_BRACE || byte === OPEN_BRACKET) {
      if (++depth > JSON_DEPTH_MAX) return undefined;
    } else if (isDigit(byte)) {
      const digits = countDigits(line, index);
      index += digits - 1;
      if (digits >= DIGITS_RISKY || isExponent(line[index + 1])) return undefined;
    } else if (byte === CLOSE_BRACE || byte === CLOSE_BRACKET) {
      depth--;
      if (depth === 1 && metadataEnd === 0) metadataEnd = index + 1;
      if (depth === 0) return { cut, metadataEnd, end: index + 1 };
    }
  }
  return undefined;
}

/** Behind the end of the list whose first item begins at `from`. */
function endOfList(line: Uint8Array, from: number): number {
  let depth = 1;
  let index = from;
  for (; index < line.length && depth > 0; index++) {
    const byte = line[index];
    if (byte === QUOTE) index = endOfString(line, index);
    else if (byte === OPEN_BRACE || byte === OPEN_BRACKET) depth++;
    else if (byte === CLOSE_BRACE || byte === CLOSE_BRACKET) depth--;
  }
  return index;
}

/** The place of the quote that ends the string which opens at `start`. */
function endOfString(line: Uint8Array, start: number): number {
  for (let index = start + 1; index < line.length; index++) {
    if (line[index] === QUOTE) return index;
    if (line[index] === BACKSLASH) index++;
  }
  return line.length;
}

function countDigits(line: Uint8Array, start: number): number {
  let index = start;
  while (isDigit(line[index])) index++;
  return index - start;
}

function isDigit(byte = 0): boolean {
  return byte >= ZERO && byte <= NINE;
}

function isExponent(byte = 0): boolean {
  return (byte | LOWER_CASE) === LETTER_E;
}

function withComma(line: Uint8Array, start: number, end: number): Range {
  if (line[end] === COMMA) return { start, end: end + 1 };
  return line[start - 1] === COMMA ? { start: start - 1, end } : { start, end };
}

function startsAt(line: Uint8Array, start: number, wanted: Uint8Array): boolean {
  for (let index = 0; index < wanted.length; index++) if (line[start + index] !== wanted[index]) return false;
  return true;
}

const QUOTE = 0x22;
const COMMA = 0x2c;
const LOWER_CASE = 0x20;
const ZERO = 0x30;
const NINE = 0x39;
const OPEN_BRACKET = 0x5b;
const BACKSLASH = 0x5c;
const CLOSE_BRACKET = 0x5d;
const LETTER_E = 0x65;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
