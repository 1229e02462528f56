/**
 * Events as the bytes that watchers get. All watchers of a resource hear of an event in the same moment, so the work
 * on the event at hand (decoding for selectors, encoding each form) is done once and shared; nothing older is kept.
 */
import type { HandedEvent } from "@kubewright/core/ports";
import {
  encodeWatchEvent,
  frameWatchEvent,
  internalError,
  isApiError,
  type WatchEvent,
  type WatchEventType,
} from "@kubewright/core/protocol";
import { wholeObject } from "../registry/read.ts";
import { type ApiObject, decodeObject, encodeObject } from "../resource/object.ts";
import type { StoredEntry, StoredEvent } from "../storage/storage.ts";
import type { Selection } from "./selection.ts";

/** What a watcher is told of an event. */
export interface ToldEvent {
  readonly type: WatchEventType;
  readonly entry: StoredEntry;
}

/** An event as it travels: as bytes, or handed over in memory. */
export type Piece = Uint8Array | HandedEvent;

/** What is told of an event that turns out not to be meant; streams leave it out. */
export const NOTHING: Piece = new Uint8Array();

/** A piece, or the promise of one when the form takes time. */
export type Frame = Piece | Promise<Piece>;

/** The shared work on the latest event. */
export class EventFrames {
  #event: StoredEvent | undefined;
  readonly #objects = new Map<StoredEntry, ApiObject>();
  readonly #frames = new Map<string, Frame>();

  /** What `selection` makes of an event: objects that begin or cease to match appear or go. */
  told(event: StoredEvent, selection: Selection): ToldEvent | undefined {
    const { entry, previous, type } = event;
    if (selection.isEverything) return { type: wireType(type), entry };
    this.#turnTo(event);
    const matches = (each: StoredEntry): boolean => selection.matchesEntry(each, (one) => this.#object(one));
    const now = type !== "deleted" && matches(entry);
    return tellTransition(event, { now, before: previous !== undefined && matches(previous) });
  }

  /** The frame of a told event in the form named `variant`; `make` is called once per event, type and variant. */
  frame(event: StoredEvent, told: ToldEvent, { variant, make }: FrameForm): Frame {
    if (variant === undefined) return guarded(make(told));
    this.#turnTo(event);
    const key = `${told.type} ${variant}`;
    const existing = this.#frames.get(key);
    if (existing !== undefined) return existing;
    const frame = guarded(make(told));
    this.#frames.set(key, frame);
    return frame;
  }

  #turnTo(event: StoredEvent): void {
    if (this.#event === event) return;
    this.#event = event;
    if (this.#objects.size > 0) this.#objects.clear();
    if (this.#frames.size > 0) this.#frames.clear();
  }

  #object(entry: StoredEntry): ApiObject {
    const known = (entry.value?.object as ApiObject | undefined) ?? this.#objects.get(entry);
    if (known !== undefined) return known;
    const object = decodeObject(entry.text);
    this.#objects.set(entry, object);
    return object;
  }
}

/** Whoever waits for a frame hears of its failure; nobody may be waiting any more. */
function guarded(frame: Frame): Frame {
  if (frame instanceof Promise) frame.catch(() => {});
  return frame;
}

/** What is told of an event about an object that matched `before`, or does `now`. */
export function tellTransition(
  event: StoredEvent,
  { now, before }: { readonly now: boolean; readonly before: boolean },
): ToldEvent | undefined {
  const { entry, previous, type } = event;
  if (now) return { type: before ? "MODIFIED" : "ADDED", entry };
  if (!before || previous === undefined) return undefined;
  return { type: "DELETED", entry: type === "deleted" ? entry : goneEntry(event, previous) };
}

/** An object that no longer matches goes as it was when it did, at the revision of the change. */
function goneEntry({ revision }: StoredEvent, previous: StoredEntry): StoredEntry {
  return {
    key: previous.key,
    revision,
    text: encodeObject(wholeObject(previous), revision),
    labels: previous.labels,
  };
}

/** One way to show events. */
export interface FrameForm {
  /** Equal for watchers that get equal bytes. @default nothing is shared: making a frame costs nothing */
  readonly variant?: string;
  readonly make: (told: ToldEvent) => Frame;
  /** The form of all events after the first, where it is another. @default the same form */
  readonly later?: FrameForm;
}

/** The line of an event whose object is JSON text already, as bytes. */
export function encodeFrame(type: WatchEventType, text: string): Uint8Array {
  return Buffer.from(frameWatchEvent(type, text));
}

/** The last event of a watch that cannot go on. */
export function failureEvent(error: unknown): HandedEvent {
  const { status } = isApiError(error) ? error : internalError(error instanceof Error ? error.message : String(error));
  return { type: "ERROR", object: status };
}

/** A piece as bytes. */
export function toBytes(piece: Piece): Uint8Array {
  return piece instanceof Uint8Array ? piece : Buffer.from(encodeWatchEvent(piece as WatchEvent<unknown>));
}

function wireType(type: StoredEvent["type"]): WatchEventType {
  switch (type) {
    case "created":
      return "ADDED";
    case "updated":
      return "MODIFIED";
    case "deleted":
      return "DELETED";
  }
}
