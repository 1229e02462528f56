/** Sources of events that are no Kubernetes objects: timers, message queues, other APIs. */
import type { Clock } from "@kubewright/core/ports";
import type { ObjectKey } from "../cache/object-key.ts";

/** Yields keys of objects to look at, until the signal aborts. */
export interface Source {
  /** Names the source in logs. */
  readonly name: string;
  events(context: { readonly clock: Clock; readonly signal: AbortSignal }): AsyncIterable<ObjectKey>;
}
