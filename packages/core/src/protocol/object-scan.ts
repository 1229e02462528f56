/**
 * Goes once through the bytes of an object as kube-apiserver writes it, to find its managedFields and what tells it apart, without decoding
 * it; slim-watch-event.ts takes it apart there. What is written in another way, or what JSON.parse might spoil, is not found.
 */
import { CREATOR_SUFFIX } from "../meta/creator.ts";
import { JSON_DEPTH_MAX } from "../meta/json-reader.ts";
import { DIGITS_RISKY } from "../meta/json-text.ts";

/** Bytes from `start` up to, not including, `end`. */
export interface Range {
  readonly start: number;
  readonly end: number;
}

/** Where the parts of an object are. */
export interface ScannedObject {
  /** Behind the object. */
  readonly end: number;
  /**
   * What is left out, in order: managedFields with one of the commas around them, or what stands in them before and behind the beginning of
   * the entry that names who created the object.
   */
  readonly cuts: readonly Range[];
  /** Texts of the metadata, without their quotes. */
  readonly name: Range | undefined;
  readonly namespace: Range | undefined;
  readonly resourceVersion: Range | undefined;
  /** The list, with its brackets. */
  readonly ownerReferences: Range | undefined;
}

type Found = { -readonly [Part in keyof ScannedObject]: ScannedObject[Part] };

const encoder = new TextEncoder();
/** What may stand in the object before its metadata: texts, in any order. */
const TEXTS: readonly Uint8Array[] = ['"apiVersion":"', '"kind":"'].map((text) => encoder.encode(text));
const METADATA: Uint8Array = encoder.encode('"metadata":{');
const NAME: Uint8Array = encoder.encode('"name":"');
const NAMESPACE: Uint8Array = encoder.encode('"namespace":"');
const RESOURCE_VERSION: Uint8Array = encoder.encode('"resourceVersion":"');
const OWNER_REFERENCES: Uint8Array = encoder.encode('"ownerReferences":[');
const MANAGED_FIELDS: Uint8Array = encoder.encode('"managedFields":[');
/** How an entry of managedFields begins, and how it goes on where it names who created the object. */
const MANAGER: Uint8Array = encoder.encode('{"manager":"');
const CREATED: Uint8Array = encoder.encode(`${CREATOR_SUFFIX}","operation":"Update"`);
/** How managedFields end where another field follows the metadata. */
const BEHIND_METADATA: Uint8Array = encoder.encode('}]},"');
const NO_CUTS: readonly Range[] = [];

/** The object that begins at `start`; undefined when its brackets do not match or JSON.parse might spoil it. */
export function scanObject(line: Uint8Array, start: number): ScannedObject | undefined {
  const from = findMetadata(line, start);
  if (from === undefined) return undefined;
  const found: Found = {
    end: 0,
    cuts: NO_CUTS,
    name: undefined,
    namespace: undefined,
    resourceVersion: undefined,
    ownerReferences: undefined,
  };
  let isMetadata = true;
  let depth = 2;
  for (let index = from; index < line.length; index++) {
    const byte = line[index];
    if (byte === QUOTE) {
      const isField = isMetadata && depth === 2;
      index = isField ? noteField(line, index, found) : endOfString(line, index);
    } else if (byte === OPEN_BRACE || byte === OPEN_BRACKET) {
      if (++depth > JSON_DEPTH_MAX) return undefined;
    } else if (isDigit(byte)) {
      const digits = countDigits(line, index);
      index += digits - 1;
      if (digits >= DIGITS_RISKY || isExponent(line[index + 1])) return undefined;
    } else if (byte === CLOSE_BRACE || byte === CLOSE_BRACKET) {
      depth--;
      if (depth === 1) isMetadata = false;
      if (depth > 0) continue;
      found.end = index + 1;
      return found;
    }
  }
  return undefined;
}

/**
 * Notes the field of the metadata whose name opens at `start`, unless a text does; answers with the last byte that need not be looked at,
 * behind the line where the field is written in another way than kube-apiserver does.
 */
function noteField(line: Uint8Array, start: number, found: Found): number {
  const letter = line[start + 1];
  if (letter === LETTER_N && startsAt(line, start, NAME)) {
    found.name = textAt(line, start + NAME.length);
    return found.name?.end ?? line.length;
  }
  if (letter === LETTER_N && startsAt(line, start, NAMESPACE)) {
    found.namespace = textAt(line, start + NAMESPACE.length);
    return found.namespace?.end ?? line.length;
  }
  if (letter === LETTER_R && startsAt(line, start, RESOURCE_VERSION)) {
    found.resourceVersion = textAt(line, start + RESOURCE_VERSION.length);
    return found.resourceVersion?.end ?? line.length;
  }
  if (letter === LETTER_O && startsAt(line, start, OWNER_REFERENCES)) {
    const opening = start + OWNER_REFERENCES.length - 1;
    found.ownerReferences = { start: opening, end: endOfList(line, opening + 1) };
    return opening - 1; // What is in it stays in the object.
  }
  if (letter === LETTER_M && startsAt(line, start, MANAGED_FIELDS)) {
    return noteManagers(line, start, found);
  }
  return endOfString(line, start);
}

/** Notes what is to be cut of managedFields, whose name opens at `start`; answers as `noteField` does. */
function noteManagers(line: Uint8Array, start: number, found: Found): number {
  const first = start + MANAGED_FIELDS.length;
  let creator = creatorAt(line, first);
  let index = creator === undefined ? first : quickEnd(line, first);
  while (line[index] === OPEN_BRACE) {
    creator ??= creatorAt(line, index);
    index = endOfList(line, index + 1);
    if (line[index] === COMMA) index++;
  }
  if (line[index] !== CLOSE_BRACKET) return line.length;
  const end = index + 1;
  if (creator === undefined) {
    const cut = withComma(line, start, end);
    found.cuts = [cut];
    return cut.end - 1;
  }
  // The brace and the bracket that close the list close what is left of it.
  found.cuts = [
    { start: first, end: creator.start },
    { start: creator.end, end: end - 2 },
  ];
  return end - 1;
}

/**
 * The bracket behind managedFields that begin at `from`, if it is the first one and they end the metadata, as they mostly do; otherwise `from`.
 * No text in them can look so: in one the quote would be escaped, and behind one comes no letter.
 */
function quickEnd(line: Uint8Array, from: number): number {
  const end = line.indexOf(CLOSE_BRACKET, from);
  return startsAt(line, end - 1, BEHIND_METADATA) && isLetter(line[end - 1 + BEHIND_METADATA.length]) ? end : from;
}

/** The beginning of the entry of managedFields at `start`, up to its operation, where it names who created the object. */
function creatorAt(line: Uint8Array, start: number): Range | undefined {
  if (!startsAt(line, start, MANAGER)) return undefined;
  const suffix = endOfString(line, start + MANAGER.length - 1) - CREATOR_SUFFIX.length;
  return startsAt(line, suffix, CREATED) ? { start, end: suffix + CREATED.length } : undefined;
}

/** The text whose first letter is at `start`; undefined where it has escapes, which no name has. */
function textAt(line: Uint8Array, start: number): Range | undefined {
  const end = endOfString(line, start - 1);
  for (let index = start; index < end; index++) if (line[index] === BACKSLASH) return undefined;
  return { start, end };
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

function isLetter(byte = 0): boolean {
  return (byte | LOWER_CASE) >= LETTER_A && (byte | LOWER_CASE) <= LETTER_Z;
}

function isExponent(byte = 0): boolean {
  return (byte | LOWER_CASE) === LETTER_E;
}

function withComma(line: Uint8Array, start: number, end: number): Range {
  if (line[end] === COMMA) return { start, end: end + 1 };
  return line[start - 1] === COMMA ? { start: start - 1, end } : { start, end };
}

/** Whether these very bytes stand at `start`. */
export function startsAt(line: Uint8Array, start: number, wanted: Uint8Array): boolean {
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
const LETTER_A = 0x61;
const LETTER_E = 0x65;
const LETTER_M = 0x6d;
const LETTER_N = 0x6e;
const LETTER_O = 0x6f;
const LETTER_R = 0x72;
const LETTER_Z = 0x7a;
const OPEN_BRACE = 0x7b;
/** What ends an object. */
export const CLOSE_BRACE = 0x7d;
