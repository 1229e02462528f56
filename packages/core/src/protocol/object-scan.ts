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
  /** Texts of the metadata, without their quotes; where they stand in the object without what is left out. */
  readonly name: Range | undefined;
  readonly namespace: Range | undefined;
  readonly resourceVersion: Range | undefined;
  /** The list, with its brackets; likewise. */
  readonly ownerReferences: Range | undefined;
}

type Found = { -readonly [Part in keyof ScannedObject]: ScannedObject[Part] } & {
  /** How many bytes stand before the object, or in what was left out of it so far. */
  before: number;
};

const encoder = new TextEncoder();
/** What may stand in the object before its metadata: texts, in any order. */
const TEXTS: readonly Uint8Array[] = ['"apiVersion":"', '"kind":"'].map((text) => encoder.encode(text));
const METADATA: Uint8Array = encoder.encode('"metadata":{');
/** Fields of the metadata, behind the quote that opens their names. */
const NAME: Uint8Array = encoder.encode('name":"');
const NAMESPACE: Uint8Array = encoder.encode('namespace":"');
const RESOURCE_VERSION: Uint8Array = encoder.encode('resourceVersion":"');
const OWNER_REFERENCES: Uint8Array = encoder.encode('ownerReferences":[');
const MANAGED_FIELDS: Uint8Array = encoder.encode('managedFields":');
const FIRST_ENTRY: Uint8Array = encoder.encode("[{");
/** How an entry of managedFields names who created the object, and what stands before that name. */
const MANAGER: Uint8Array = encoder.encode('"manager":"');
const CREATED: Uint8Array = encoder.encode(`${CREATOR_SUFFIX}","operation":"Update"`);
/** How managedFields end where another field follows them, and where one follows the metadata that they end. */
const BEFORE_FIELD: Uint8Array = encoder.encode('}],"');
const BEHIND_METADATA: Uint8Array = encoder.encode('}]},"');
const NO_CUTS: readonly Range[] = [];
/** Where nothing is found. No byte stands there, so that nothing is found behind it either. */
const NOWHERE = -1;

/** The object that begins at `start`; undefined when its brackets do not match or JSON.parse might spoil it. */
export function scanObject(line: Uint8Array, start: number): ScannedObject | undefined {
  const found: Found = {
    end: 0,
    cuts: NO_CUTS,
    name: undefined,
    namespace: undefined,
    resourceVersion: undefined,
    ownerReferences: undefined,
    before: start,
  };
  const behind = noteMetadata(line, findMetadata(line, start), found);
  found.end = behind === NOWHERE ? NOWHERE : endOf(line, behind, 1);
  return found.end === NOWHERE ? undefined : found;
}

/** Notes the fields of the metadata, of which the first stands at `from`; answers with what stands behind the metadata. */
function noteMetadata(line: Uint8Array, from: number, found: Found): number {
  let index = from;
  while (line[index] === QUOTE) {
    index = noteField(line, index + 1, found);
    if (line[index] === COMMA) index++;
  }
  return line[index] === CLOSE_BRACE ? index + 1 : NOWHERE;
}

/** Notes a field, whose name begins at `start`; answers with what stands behind it. */
function noteField(line: Uint8Array, start: number, found: Found): number {
  switch (line[start]) {
    case LETTER_N:
      if (startsAt(line, start, NAME)) return noteText(line, start + NAME.length, found, "name");
      if (startsAt(line, start, NAMESPACE)) return noteText(line, start + NAMESPACE.length, found, "namespace");
      break;
    case LETTER_R:
      if (!startsAt(line, start, RESOURCE_VERSION)) break;
      return noteText(line, start + RESOURCE_VERSION.length, found, "resourceVersion");
    case LETTER_O:
      if (startsAt(line, start, OWNER_REFERENCES)) return noteOwners(line, start + OWNER_REFERENCES.length, found);
      break;
    case LETTER_M:
      if (startsAt(line, start, MANAGED_FIELDS)) return noteManagers(line, start, found);
  }
  const colon = endOfString(line, start) + 1;
  return line[colon] === COLON ? endOf(line, colon + 1, 0) : NOWHERE;
}

/** Notes a text, whose first letter is at `start`; answers with what stands behind it: nothing where it has escapes, which no name has. */
function noteText(
  line: Uint8Array,
  start: number,
  found: Found,
  part: "name" | "namespace" | "resourceVersion",
): number {
  let end = start;
  while (end < line.length && line[end] !== QUOTE) if (line[end++] === BACKSLASH) return NOWHERE;
  found[part] = { start: start - found.before, end: end - found.before };
  return end + 1;
}

/** Notes owners, of whom the first stands at `first`; answers with what stands behind them. */
function noteOwners(line: Uint8Array, first: number, found: Found): number {
  const end = endOf(line, first, 1);
  found.ownerReferences = { start: first - 1 - found.before, end: end - found.before };
  return end;
}

/** Notes what is to be cut of managedFields, whose name begins at `start`; answers with what stands behind them. */
function noteManagers(line: Uint8Array, start: number, found: Found): number {
  const list = start + MANAGED_FIELDS.length;
  const first = list + FIRST_ENTRY.length;
  const end = startsAt(line, list, FIRST_ENTRY) ? (quickEnd(line, first) ?? endOf(line, first, 2)) : NOWHERE;
  if (end === NOWHERE || line[end - 2] !== CLOSE_BRACE) return NOWHERE;
  const creator = creatorIn(line, first, end);
  if (creator === undefined) {
    const cut = withComma(line, start - 1, end);
    found.cuts = [cut];
    found.before += cut.end - cut.start;
    return cut.end;
  }
  // The brace that opens the list's first entry opens what is left of it; the brace and the bracket that close the list close it.
  found.cuts = [
    { start: first, end: creator.start },
    { start: creator.end, end: end - 2 },
  ];
  found.before += creator.start - first + (end - 2 - creator.end);
  return end;
}

/**
 * Behind managedFields, whose first entry begins before `from`, if that is behind the first bracket and something follows, as it mostly is. No
 * text in them can look so: in one the quote would be escaped, and behind one comes no letter. Nor is any other list in them.
 */
function quickEnd(line: Uint8Array, from: number): number | undefined {
  const bracket = line.indexOf(CLOSE_BRACKET, from);
  const isEnd =
    (startsAt(line, bracket - 1, BEFORE_FIELD) && isLetter(line[bracket - 1 + BEFORE_FIELD.length])) ||
    (startsAt(line, bracket - 1, BEHIND_METADATA) && isLetter(line[bracket - 1 + BEHIND_METADATA.length]));
  return isEnd ? bracket + 1 : undefined;
}

/** What names who created the object, of the entries of managedFields from `start` up to `end`. */
function creatorIn(line: Uint8Array, start: number, end: number): Range | undefined {
  for (let slash = line.indexOf(SLASH, start); slash !== -1 && slash < end; slash = line.indexOf(SLASH, slash + 1)) {
    if (!startsAt(line, slash, CREATED)) continue;
    const manager = line.lastIndexOf(QUOTE, slash) + 1 - MANAGER.length;
    if (startsAt(line, manager, MANAGER)) return { start: manager, end: slash + CREATED.length };
  }
  return undefined;
}

/** Where the first field of the metadata stands, in the object that begins at `start`. */
function findMetadata(line: Uint8Array, start: number): number {
  let index = line[start] === OPEN_BRACE ? start + 1 : NOWHERE;
  for (const _ of TEXTS) {
    const length = lengthOfText(line, index);
    if (length === 0) break;
    index = endOfString(line, index + length) + 1;
    if (line[index] !== COMMA) return NOWHERE;
    index++;
  }
  return startsAt(line, index, METADATA) ? index + METADATA.length : NOWHERE;
}

/** How long the text of `TEXTS` is that stands at `start`; 0 where none does. */
function lengthOfText(line: Uint8Array, start: number): number {
  for (const text of TEXTS) if (startsAt(line, start, text)) return text.length;
  return 0;
}

/**
 * Behind what begins at `from`, within `open` brackets that it closes; 0 for one value. Nowhere if it does not end, or if JSON.parse might
 * spoil it: a number with too many digits or an exponent, or too many brackets in each other.
 */
function endOf(line: Uint8Array, from: number, open: number): number {
  let depth = open;
  for (let index = from; index < line.length; index++) {
    const byte = line[index] as number; // It is within the line.
    if (byte === QUOTE) {
      index = endOfString(line, index + 1);
      if (depth === 0) return index + 1;
    } else if (byte === OPEN_BRACE || byte === OPEN_BRACKET) {
      if (++depth > JSON_DEPTH_MAX) return NOWHERE;
    } else if (byte === CLOSE_BRACE || byte === CLOSE_BRACKET) {
      if (depth === 0) return index; // Behind a word or a number that ends what it stands in.
      if (--depth === 0) return index + 1;
    } else if (byte === COMMA) {
      if (depth === 0) return index;
    } else if (byte <= NINE && byte >= ZERO) {
      const digits = countDigits(line, index);
      index += digits - 1;
      if (digits >= DIGITS_RISKY || isExponent(line[index + 1])) return NOWHERE;
    }
  }
  return NOWHERE;
}

/** The place of the quote that ends the string whose first letter is at `start`. */
function endOfString(line: Uint8Array, start: number): number {
  for (let index = start; index < line.length; index++) {
    const byte = line[index];
    if (byte === QUOTE) return index;
    if (byte === BACKSLASH) index++;
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
const SLASH = 0x2f;
const LOWER_CASE = 0x20;
const ZERO = 0x30;
const NINE = 0x39;
const COLON = 0x3a;
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
