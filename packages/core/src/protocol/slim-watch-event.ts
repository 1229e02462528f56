/**
 * Watch events for caches: metadata.managedFields, often more than half of an object, is cut out of the bytes before they are decoded, but for
 * the name of who created the object (creator.ts). The object's text is kept beside its value, so that a store needs not write it again. Of the
 * thousands of objects that a watch begins with hardly one is read before the others came, so that an object is decoded when it is first read,
 * and what tells it apart is there before. Only lines as kube-apiserver writes them are taken (object-scan.ts); for all others the answer is
 * undefined, and `decodeWatchEvent` does it. Answers to own writes are decoded in the same way.
 */
import type { JsonObject } from "../meta/json.ts";
import { decodeUtf8, parsePlainJson } from "../meta/json-text.ts";
import type { ObjectIdentity, ObjectMeta, OwnerReference } from "../meta/object.ts";
import { CLOSE_BRACE, type Range, type ScannedObject, scanObject, startsAt } from "./object-scan.ts";

/** An event without managedFields, and its object as text, which JSON.parse reads without loss. */
export interface SlimWatchEvent {
  readonly type: "ADDED" | "MODIFIED" | "DELETED";
  readonly text: string;
  readonly identity: ObjectIdentity;
  /** Decoded when it is first read. */
  readonly object: JsonObject;
}

const encoder = new TextEncoder();
/** What stands before the object, by type. */
const OPENINGS: ReadonlyArray<{ readonly type: SlimWatchEvent["type"]; readonly bytes: Uint8Array }> = (
  ["ADDED", "MODIFIED", "DELETED"] as const
).map((type) => ({ type, bytes: encoder.encode(`{"type":"${type}","object":`) }));

/** Where objects are put together without their managedFields, unless they are large. */
const scratch = new Uint8Array(64 * 1024);

/** The event on one line without managedFields; undefined for lines that are written in another way. */
export function decodeSlimWatchEvent(line: Uint8Array): SlimWatchEvent | undefined {
  for (const { type, bytes } of OPENINGS) if (startsAt(line, 0, bytes)) return decodeFrom(line, bytes.length, type);
  return undefined;
}

/** The object that is the whole of `bytes`, without managedFields; undefined where it is written in another way. */
export function decodeSlimObject(bytes: Uint8Array): JsonObject | undefined {
  const found = scanObject(bytes, 0);
  const isWhole = found?.end === bytes.length || (found?.end === bytes.length - 1 && bytes[found.end] === LINE_FEED);
  if (found === undefined || !isWhole) return undefined;
  return parsePlainJson(decodeUtf8(withoutCuts(bytes, 0, found))) as JsonObject;
}

/** The event whose object begins at `start`. */
function decodeFrom(line: Uint8Array, start: number, type: SlimWatchEvent["type"]): SlimWatchEvent | undefined {
  const found = scanObject(line, start);
  // Behind the object stands the brace that closes the event, and nothing else.
  if (found?.end !== line.length - 1 || line[found.end] !== CLOSE_BRACE) return undefined;
  const bytes = withoutCuts(line, start, found);
  const text = decodeUtf8(bytes);
  // Where all are ASCII, each byte is a letter of the text.
  const identity = text.length === bytes.length ? identityIn(text, bytes, found) : undefined;
  return new SlimEvent(type, text, identity);
}

/**
 * What tells the object of a text apart. Parts of a text keep it in memory for as long as they are there. Of the name alone, where there is no
 * namespace to put in front of it, caches make keys, which outlive the state that they came with: so it is decoded by itself.
 */
function identityIn(text: string, bytes: Uint8Array, found: ScannedObject): ObjectIdentity {
  const { name, namespace, resourceVersion, ownerReferences } = found;
  const owners = partOf(text, ownerReferences);
  const isAlone = namespace === undefined && name !== undefined;
  return {
    name: isAlone ? decodeUtf8(bytes.subarray(name.start, name.end)) : partOf(text, name),
    namespace: partOf(text, namespace),
    resourceVersion: partOf(text, resourceVersion),
    ownerReferences: owners === undefined ? undefined : (parsePlainJson(owners) as unknown as OwnerReference[]),
  };
}

function partOf(text: string, range: Range | undefined): string | undefined {
  return range === undefined ? undefined : text.slice(range.start, range.end);
}

class SlimEvent implements SlimWatchEvent {
  readonly type: SlimWatchEvent["type"];
  readonly text: string;
  #identity: ObjectIdentity | undefined;
  #object: JsonObject | undefined;

  constructor(type: SlimWatchEvent["type"], text: string, identity: ObjectIdentity | undefined) {
    this.type = type;
    this.text = text;
    this.#identity = identity;
  }

  get identity(): ObjectIdentity {
    this.#identity ??= this.object["metadata"] as ObjectMeta;
    return this.#identity;
  }

  get object(): JsonObject {
    // The first byte of the text is an opening brace: what it holds is an object.
    this.#object ??= parsePlainJson(this.text) as JsonObject;
    return this.#object;
  }
}

/** The bytes of the object that begins at `start`, without what is cut out; good until the next call. */
function withoutCuts(line: Uint8Array, start: number, { cuts, end }: ScannedObject): Uint8Array {
  if (cuts.length === 0) return line.subarray(start, end);
  const target = end - start > scratch.length ? new Uint8Array(end - start) : scratch;
  let from = start;
  let length = 0;
  for (const cut of cuts) {
    target.set(line.subarray(from, cut.start), length);
    length += cut.start - from;
    from = cut.end;
  }
  target.set(line.subarray(from, end), length);
  return target.subarray(0, length + end - from);
}

const LINE_FEED = 0x0a;
