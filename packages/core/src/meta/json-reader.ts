/**
 * The exact JSON reader behind json-text.ts: takes what RFC 8259 allows, keeps 64-bit integers, notes duplicate keys,
 * and words its errors as Kubernetes does. It keeps its own stack, so depth is a limit and never a crash.
 */
import { getKey, type Json, type MutableJsonObject, setKey } from "./json.ts";
import { type Cursor, nextUnit, passWord, readNumber, readString, unexpected } from "./json-scalars.ts";
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
      passWord(cursor, "true");
      return { value: true };
    case "f":
      passWord(cursor, "false");
      return { value: false };
    case "n":
      passWord(cursor, "null");
      return { value: null };
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
