/**
 * Watch events for caches: metadata.managedFields, often more than half of an object, is cut out of the bytes before they are decoded,
 * and the object's text is kept beside its value, so that a store needs not write it again. Only lines as kube-apiserver
 * writes them are cut; for all others the answer is undefined, and `decodeWatchEvent` does it.
 */
import type { JsonObject } from "../meta/json.ts";
import { isJsonObject } from "../meta/json.ts";
import { decodeUtf8, parseJson } from "../meta/json-text.ts";

/** An event without managedFields, and its object as text. */
export interface SlimWatchEvent {
  readonly type: "ADDED" | "MODIFIED" | "DELETED";
  readonly object: JsonObject;
  readonly text: string;
}

const encoder = new TextEncoder();
const TYPES = ["ADDED", "MODIFIED", "DELETED"] as const;
/** What stands before the object, by type. */
const OPENINGS: readonly Uint8Array[] = TYPES.map((type) => encoder.encode(`{"type":"${type}","object":`));
/** What may stand in the object before its metadata: texts, in any order. */
const TEXTS: readonly Uint8Array[] = ['"apiVersion":"', '"kind":"'].map((text) => encoder.encode(text));
const METADATA: Uint8Array = encoder.encode('"metadata":{');
const KEY: Uint8Array = encoder.encode('"managedFields":[');

/** The event on one line without managedFields; undefined for lines that are written in another way. */
export function decodeSlimWatchEvent(line: Uint8Array): SlimWatchEvent | undefined {
  const index = OPENINGS.findIndex((opening) => startsAt(line, 0, opening));
  const [type, start] = [TYPES[index], OPENINGS[index]?.length ?? 0];
  const metadata = type === undefined ? undefined : findMetadata(line, start);
  if (type === undefined || metadata === undefined || line[line.length - 1] !== CLOSE_BRACE) return undefined;
  const cut = findManagedFields(line, metadata);
  const text =
    cut === undefined
      ? decodeUtf8(line.subarray(start, -1))
      : decodeUtf8(line.subarray(start, cut.start)) + decodeUtf8(line.subarray(cut.end, -1));
  const object = parseJson(text);
  return isJsonObject(object) ? { type, object, text } : undefined;
}

/** Where the first field of the metadata stands, in the object that begins at `start`. */
function findMetadata(line: Uint8Array, start: number): number | undefined {
  if (line[start] !== OPEN_BRACE) return undefined;
  let index = start + 1;
  for (const _ of TEXTS) {
    const text = TEXTS.find((each) => startsAt(line, index, each));
    if (text === undefined) break;
    index = endOfString(line, index + text.length - 1) + 1;
    if (line[index] !== COMMA) return undefined;
    index++;
  }
  return startsAt(line, index, METADATA) ? index + METADATA.length : undefined;
}

interface Range {
  readonly start: number;
  readonly end: number;
}

/** Where managedFields stand among the fields of the metadata that begins at `from`, with one of the commas around them. */
function findManagedFields(line: Uint8Array, from: number): Range | undefined {
  let depth = 1;
  for (let index = from; index < line.length && depth > 0; index++) {
    const byte = line[index];
    if (byte === QUOTE) {
      if (depth === 1 && startsAt(line, index, KEY)) return withComma(line, index, endOfList(line, index + KEY.length));
      index = endOfString(line, index);
    } else if (byte === OPEN_BRACE || byte === OPEN_BRACKET) depth++;
    else if (byte === CLOSE_BRACE || byte === CLOSE_BRACKET) depth--;
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
const OPEN_BRACKET = 0x5b;
const BACKSLASH = 0x5c;
const CLOSE_BRACKET = 0x5d;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
