/**
 * A document being edited by a JSON patch. Containers are copied the first time they are written and edited in place
 * from then on, so a patch of many operations costs one copy per touched container and the input stays as it was.
 */
import { getKey, isJsonArray, isJsonObject, type Json, type MutableJsonObject, setKey } from "../meta/json.ts";

/** The state of one editing run. */
export interface JsonDraft {
  root: Json;
  /** Containers made during this run: the only ones that may be written. */
  readonly owned: Set<object>;
}

/** A list or object, and the key in it that a pointer names. */
export interface Slot {
  readonly container: Json;
  readonly key: string;
}

/** Starts editing `document`. */
export function createDraft(document: Json): JsonDraft {
  return { root: document, owned: new Set() };
}

/** The slot that `pointer` names, or undefined when a container on the way is missing. The first segment is ignored. */
export function findSlot(draft: JsonDraft, pointer: string): Slot | undefined {
  const segments = pointer.split("/");
  if (segments.length < 2) return undefined;
  let container: Json | undefined = draft.root;
  for (let depth = 1; depth < segments.length - 1; depth++) {
    container = readSlot({ container, key: unescapeSegment(segments[depth] ?? "") });
    if (!isJsonObject(container) && !isJsonArray(container)) return undefined;
  }
  return { container, key: unescapeSegment(segments.at(-1) ?? "") };
}

/** The value in a slot; undefined when there is none. */
export function readSlot({ container, key }: Slot): Json | undefined {
  if (isJsonObject(container)) return getKey(container, key);
  return isJsonArray(container) ? container[listIndex(container, key)] : undefined;
}

/** The index that `key` means in `list`, negative ones counting from the end; NaN when it means none. */
export function listIndex(list: readonly Json[], key: string, length: number = list.length): number {
  const index = /^[+-]?[0-9]+$/.test(key) ? Number(key) : Number.NaN;
  const absolute = index < 0 ? index + length : index;
  return absolute >= 0 && absolute < length ? absolute : Number.NaN;
}

/** Makes the container of `pointer`, and everything above it, writable. The slot must exist. */
export function writableContainer(draft: JsonDraft, pointer: string): Json[] | MutableJsonObject {
  let container = own(draft, draft.root, (copy) => {
    draft.root = copy;
  });
  const segments = pointer.split("/").slice(1, -1);
  for (const segment of segments) {
    const parent = container;
    const key = unescapeSegment(segment);
    container = own(draft, readSlot({ container: parent, key }), (copy) => writeKey(parent, key, copy));
  }
  return container;
}

type Container = Json[] | MutableJsonObject;

function own(draft: JsonDraft, value: Json | undefined, replace: (copy: Json) => void): Container {
  const container = value as Container;
  if (draft.owned.has(container)) return container;
  const copy: Container = Array.isArray(container) ? [...container] : { ...container };
  draft.owned.add(copy);
  replace(copy);
  return copy;
}

function writeKey(container: Container, key: string, value: Json): void {
  if (Array.isArray(container)) container[listIndex(container, key)] = value;
  else setKey(container, key, value);
}

/** RFC 6901: "~1" is a slash and "~0" a tilde, replaced in one pass. */
function unescapeSegment(segment: string): string {
  return segment.includes("~") ? segment.replace(/~[01]/g, (escaped) => (escaped === "~1" ? "/" : "~")) : segment;
}
