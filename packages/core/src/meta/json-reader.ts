/**
 * The exact JSON reader behind json-text.ts: takes what RFC 8259 allows, keeps 64-bit integers, notes duplicate keys,
 * and words its errors as Kubernetes does. It keeps its own stack, so depth is a limit and never a crash.
 */
import { getKey, type Json, type MutableJsonObject, setKey } from "./json.ts";
import { malformed } from "./malformed.ts";

/** How deep lists and objects may nest, as in Kubernetes. */
export const JSON_DEPTH_MAX = 10_000;

/** How many duplicate keys are told at most, as in Kubernetes. */
const DUPLICATES_MAX = 100;

/** Reads a whole text. Throws `MalformedError`. */
export function readJson(text: string): { readonly value: Json; readonly duplicates: readonly string[] } {
  const cursor: Cursor = { text, index: 0 };
  const frames: Frame[] = [];
  const duplicates = new Set<string>();
  let done = readValue(cursor, frames);
  while (frames.length > 0) {
    const frame = frames[frames.length - 1] as Frame;
    if (done !== undefined) addTo(frame, done.value);
    done = closes(cursor, frame, done !== undefined) ? { value: closeFrame(frames) } : undefined;
    if (done !== undefined) continue;
    if (frame.kind === "object") frame.key = readKey(cursor, frames, duplicates);
    done = readValue(cursor, frames);
  }
  const rest = nextUnit(cursor);
  if (rest !== "") throw unexpected(cursor, "after top-level value");
  return { value: (done as Done).value, duplicates: [...duplicates] };
}

interface Cursor {
  readonly text: string;
  index: number;
}

/** An object being read, the key whose value comes next, and its keys that stood twice. */
interface ObjectFrame {
  readonly kind: "object";
  readonly value: MutableJsonObject;
  key: string;
  readonly told: Set<string>;
}

/** A list being read. */
interface ListFrame {
  readonly kind: "list";
  readonly value: Json[];
}

type Frame = ObjectFrame | ListFrame;

interface Done {
  readonly value: Json;
}

/** Reads one value that is not a list or object; for those it opens a frame and returns nothing yet. */
function readValue(cursor: Cursor, frames: Frame[]): Done | undefined {
  switch (nextUnit(cursor)) {
    case "{":
      return open(cursor, frames, { kind: "object", value: {}, key: "", told: new Set() });
    case "[":
      return open(cursor, frames, { kind: "list", value: [] });
    case '"':
      return { value: readString(cursor) };
    case "t":
      return readWord(cursor, "true", true);
    case "f":
      return readWord(cursor, "false", false);
    case "n":
      return readWord(cursor, "null", null);
    default:
      return { value: readNumber(cursor) };
  }
}

function open(cursor: Cursor, frames: Frame[], frame: Frame): undefined {
  if (frames.length >= JSON_DEPTH_MAX) throw malformed(`exceeded max depth: JSON nests at most ${JSON_DEPTH_MAX} deep`);
  cursor.index++;
  frames.push(frame);
}

function addTo(frame: Frame, value: Json): void {
  if (frame.kind === "list") frame.value.push(value);
  else setKey(frame.value, frame.key, value);
}

function closeFrame(frames: Frame[]): Json {
  return (frames.pop() as Frame).value;
}

/** Passes the bracket that closes `frame`, or the comma before its next entry. */
function closes(cursor: Cursor, frame: Frame, hadEntry: boolean): boolean {
  const unit = nextUnit(cursor);
  const isList = frame.kind === "list";
  if (unit === (isList ? "]" : "}")) {
    cursor.index++;
    return true;
  }
  if (!hadEntry) return false;
  if (unit !== ",") throw unexpected(cursor, isList ? "after array element" : "after object key:value pair");
  cursor.index++;
  return false;
}

function readKey(cursor: Cursor, frames: readonly Frame[], duplicates: Set<string>): string {
  const frame = frames[frames.length - 1] as ObjectFrame;
  if (nextUnit(cursor) !== '"') throw unexpected(cursor, "looking for beginning of object key string");
  const key = readString(cursor);
  if (nextUnit(cursor) !== ":") throw unexpected(cursor, "after object key");
  cursor.index++;
  if (getKey(frame.value, key) !== undefined) noteDuplicate(frames, key, duplicates);
  return key;
}

/** Finding the path costs as much as the nesting is deep, so each key of an object is told once. */
function noteDuplicate(frames: readonly Frame[], key: string, duplicates: Set<string>): void {
  const { told } = frames[frames.length - 1] as ObjectFrame;
  if (told.has(key) || duplicates.size >= DUPLICATES_MAX) return;
  told.add(key);
  duplicates.add(pathOf(frames, key));
}

/** The dotted path of `key` in the innermost object: `spec.ports[0].name`. */
function pathOf(frames: readonly Frame[], key: string): string {
  const steps = frames
    .slice(0, -1)
    .map((frame) => (frame.kind === "list" ? `[${frame.value.length}]` : `.${frame.key}`));
  return [...steps, `.${key}`].join("").replace(/^\./, "");
}

function readWord(cursor: Cursor, word: string, value: Json): Done {
  for (const letter of word) {
    if (cursor.text[cursor.index] !== letter) throw unexpected(cursor, `in literal ${word} (expecting '${letter}')`);
    cursor.index++;
  }
  return { value };
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: JSON forbids exactly these in strings.
const PLAIN_STRING = /"[^"\\\u0000-\u001f]*"/y;
const NUMBER = /-?(?:0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?/y;

function readString(cursor: Cursor): string {
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

function readNumber(cursor: Cursor): number | bigint {
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
function nextUnit(cursor: Cursor): string {
  for (; ; cursor.index++) {
    const unit = cursor.text[cursor.index];
    if (unit === undefined) return "";
    if (unit !== " " && unit !== "\n" && unit !== "\t" && unit !== "\r") return unit;
  }
}

function unexpected(cursor: Cursor, where: string): Error {
  const unit = cursor.text[cursor.index];
  if (unit === undefined) return malformed("unexpected end of JSON input");
  const shown = unit === "'" ? "'\\''" : unit === '"' ? `'"'` : `'${JSON.stringify(unit).slice(1, -1)}'`;
  return malformed(`invalid character ${shown} ${where}`);
}
