/** Watches: the events of a response stream. Used by the client; the reflector follows them. */
import type { KubernetesObject, ObjectMeta } from "@kubewright/core/meta";
import type { HandedEvent } from "@kubewright/core/ports";
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
      /** The object's metadata, where that was decoded already and the object was not. */
      readonly metadata?: ObjectMeta;
    }
  /** Nothing changed up to this version; `initialEventsEnd` marks the end of the initial objects. */
  | { readonly type: "BOOKMARK"; readonly resourceVersion: string; readonly initialEventsEnd: boolean };

/** What a watch's body needs to be read. */
export interface WatchBody {
  readonly body: AsyncIterable<Uint8Array>;
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

/** Opens a watch and yields its events, as many at once as came together. An ERROR event throws its Status; a line that is no event throws too. */
export async function* watchEventBatches<Kind extends KubernetesObject>(
  open: () => Promise<WatchBody>,
  { onOpen, onActivity = () => {}, dropsManagedFields = false }: WatchReading,
): AsyncGenerator<readonly ObjectEvent<Kind>[]> {
  const watch = await open();
  onOpen?.();
  const decoder = createLineDecoder();
  const decode = dropsManagedFields ? toSlimEvent<Kind> : toWholeEvent<Kind>;
  try {
    for await (const events of watch.events ?? []) {
      const { batch, failure } = inBatch(events, toObjectEvent<Kind>);
      if (batch.length > 0) yield batch;
      if (failure !== undefined) throw failure.error;
    }
    for await (const chunk of watch.body) {
      onActivity();
      const { batch, failure } = inBatch(decoder.push(chunk), decode);
      if (batch.length > 0) yield batch;
      if (failure !== undefined) throw failure.error;
    }
  } catch (error) {
    if (watch.signal?.aborted === true) throw watch.signal.reason;
    throw error instanceof ApiError ? error : unreachableError({ method: "WATCH", path: watch.path }, error);
  }
  watch.signal?.throwIfAborted();
  if (decoder.end().length > 0) {
    throw unreachableError({ method: "WATCH", path: watch.path }, new Error("the stream ended within an event"));
  }
}

/** What came together, decoded. What came before a failure is told before it. */
function inBatch<Input, Event>(inputs: Iterable<Input>, decode: (input: Input) => Event): Batch<Event> {
  const batch: Event[] = [];
  try {
    for (const input of inputs) batch.push(decode(input));
  } catch (error) {
    return { batch, failure: { error } };
  }
  return { batch };
}

interface Batch<Event> {
  readonly batch: readonly Event[];
  readonly failure?: { readonly error: unknown };
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
