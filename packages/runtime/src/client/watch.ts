/** Watches: the events of a response stream. Used by the client; the reflector follows them. */
import type { KubernetesObject, ObjectIdentity } from "@kubewright/core/meta";
import { drainBody, type HandedEvent, type ResponseBody } from "@kubewright/core/ports";
import {
  ApiError,
  createLineDecoder,
  decodeSlimWatchEvent,
  decodeWatchEvent,
  INITIAL_EVENTS_END_ANNOTATION,
  isStatus,
  type SlimWatchEvent,
} from "@kubewright/core/protocol";
import { unreachableError } from "./unreachable-error.ts";

/** One change that a watch reports. */
export type ObjectEvent<Kind extends KubernetesObject = KubernetesObject> =
  | {
      readonly type: "ADDED" | "MODIFIED" | "DELETED";
      readonly object: Kind;
      /** The object as JSON, where managed fields were dropped before it was decoded. Then it is decoded when it is first read. */
      readonly text?: string;
      /** What tells the object apart, where that is known before it is decoded. */
      readonly identity?: ObjectIdentity;
    }
  /** Nothing changed up to this version; `initialEventsEnd` marks the end of the initial objects. */
  | { readonly type: "BOOKMARK"; readonly resourceVersion: string; readonly initialEventsEnd: boolean };

/** What a watch's body needs to be read. */
export interface WatchBody {
  readonly body: ResponseBody;
  /** The events, where the server is in this process and hands them over; then nothing is in the body. */
  readonly events?: AsyncIterable<readonly HandedEvent[]>;
  readonly path: string;
  readonly signal: AbortSignal | undefined;
}

/** How a watch is read. */
export interface WatchReading {
  /** Told when the server has answered. @default nobody is told */
  readonly onOpen?: (() => void) | undefined;
  /** Told of every piece that arrives. @default nobody is told */
  readonly onActivity?: (() => void) | undefined;
  /** Leaves managedFields out where that saves decoding them; they may be there all the same. @default false */
  readonly dropsManagedFields?: boolean | undefined;
}

/** Opens a watch and yields its events. An ERROR event throws its Status; a line that is no event throws too. */
export async function* watchEvents<Kind extends KubernetesObject>(
  open: () => Promise<WatchBody>,
  reading: WatchReading,
): AsyncGenerator<ObjectEvent<Kind>> {
  const watch = new OpenWatch<Kind>(await open(), reading);
  try {
    for await (const events of watch.handed) for (const event of events) yield toObjectEvent<Kind>(event);
    for await (const piece of watch.body) {
      watch.noteActivity();
      for (const line of watch.linesOf(piece)) yield watch.decode(line);
    }
  } catch (error) {
    throw watch.toFailure(error);
  }
  watch.end();
}

/**
 * Opens a watch and calls `take` with each event in the moment it comes: between the socket and `take` nothing is waited for. Resolves when
 * the server ends the watch; rejects where `watchEvents` throws.
 */
export async function followEvents<Kind extends KubernetesObject>(
  open: () => Promise<WatchBody>,
  reading: WatchReading,
  take: (event: ObjectEvent<Kind>) => void,
): Promise<void> {
  const watch = new OpenWatch<Kind>(await open(), reading);
  try {
    for await (const events of watch.handed) for (const event of events) take(toObjectEvent(event));
    await drainBody(watch.body, (piece) => {
      for (const line of watch.linesOf(piece)) take(watch.decode(line));
      watch.noteActivity();
    });
  } catch (error) {
    throw watch.toFailure(error);
  }
  watch.end();
}

/** A watch that the server answers. */
class OpenWatch<Kind extends KubernetesObject> {
  readonly body: ResponseBody;
  readonly handed: AsyncIterable<readonly HandedEvent[]> | readonly never[];
  /** The event on one line. */
  readonly decode: (line: Uint8Array) => ObjectEvent<Kind>;
  readonly #watch: WatchBody;
  readonly #onActivity: (() => void) | undefined;
  readonly #lines = createLineDecoder();

  constructor(watch: WatchBody, { onOpen, onActivity, dropsManagedFields }: WatchReading) {
    onOpen?.();
    this.body = watch.body;
    this.handed = watch.events ?? [];
    this.decode = dropsManagedFields === true ? toSlimEvent<Kind> : toWholeEvent<Kind>;
    this.#watch = watch;
    this.#onActivity = onActivity;
  }

  /** The lines that a piece of the body completes. */
  linesOf(piece: Uint8Array): readonly Uint8Array[] {
    return this.#lines.push(piece);
  }

  /** A piece of the body was taken. */
  noteActivity(): void {
    this.#onActivity?.();
  }

  /** Why the watch failed, as callers get it. */
  toFailure(error: unknown): unknown {
    const { signal, path } = this.#watch;
    if (signal?.aborted === true) return signal.reason;
    return error instanceof ApiError ? error : unreachableError({ method: "WATCH", path }, error);
  }

  /** The stream has ended; throws unless that was the server's will, after a whole event. */
  end(): void {
    const { signal, path } = this.#watch;
    signal?.throwIfAborted();
    if (this.#lines.end().length > 0)
      throw unreachableError({ method: "WATCH", path }, new Error("the stream ended within an event"));
  }
}

function toWholeEvent<Kind extends KubernetesObject>(line: Uint8Array): ObjectEvent<Kind> {
  return toObjectEvent(decodeWatchEvent(line));
}

function toSlimEvent<Kind extends KubernetesObject>(line: Uint8Array): ObjectEvent<Kind> {
  const slim = decodeSlimWatchEvent(line);
  // The server says that this is an object of the kind that was asked for.
  return slim === undefined ? toWholeEvent(line) : (slim as SlimWatchEvent & { readonly object: Kind });
}

function toObjectEvent<Kind extends KubernetesObject>({ type, object }: HandedEvent): ObjectEvent<Kind> {
  if (type === "ERROR") {
    if (isStatus(object)) throw new ApiError(object);
    throw new Error("the stream holds an error without a Status");
  }
  // Nothing else is a type of an event: decoding refuses it, and a server in this process has no other.
  if (type !== "BOOKMARK") return { type: type as "ADDED", object: object as KubernetesObject as Kind };
  const metadata = (object as KubernetesObject).metadata;
  return {
    type,
    resourceVersion: metadata?.resourceVersion ?? "",
    initialEventsEnd: metadata?.annotations?.[INITIAL_EVENTS_END_ANNOTATION] === "true",
  };
}
