/** Subscribes a controller's queue to the informers of its kinds. The mapping from changes to keys is in enqueue.ts. */
import type { Cancel } from "@kubewright/core/ports";
import type { Cache } from "../cache/cache.ts";
import type { InformerEvent } from "../cache/informer-options.ts";
import { formatKey } from "../cache/object-key.ts";
import type { AnyDefinition } from "../client/definitions.ts";
import type { WorkQueue } from "../queue/work-queue.ts";
import type { AnyController } from "./define-controller.ts";
import { enqueue, enqueueObjects, ownerKeys } from "./enqueue.ts";
import type { OwnWrites } from "./own-writes.ts";
import type { Watch } from "./watch.ts";

/** What listening works with. */
export interface ListenPorts {
  readonly queue: WorkQueue;
  readonly cache: Cache;
  /** What the controller wrote itself, where it need not look at that again. */
  readonly ownWrites?: OwnWrites | undefined;
}

/** Queues the keys that changes concern, until cancelled. */
export function listen(controller: AnyController, ports: ListenPorts): readonly Cancel[] {
  const { queue, cache } = ports;
  const { store } = cache.informer(controller.for);
  // Whoever is not there yet is queued when it comes; where nobody is there, nobody needs to be found.
  const enqueueKnown = (keys: Iterable<string>, event: InformerEvent, definition: AnyDefinition): void => {
    for (const key of keys) if (store.has(key)) enqueue(queue, [key], { event, definition });
  };
  const own = enqueueObjects(cache.informer(controller.for), queue, (event) => isToLookAt(event, controller, ports));
  const owned = (controller.owns ?? []).map((child) =>
    cache.informer(child).subscribe((event) => {
      if (store.size > 0) enqueueKnown(ownerKeys(event, controller.for), event, child);
    }),
  );
  const watched = (controller.watches ?? []).map((watch) =>
    cache.informer(watch.definition).subscribe((event) => {
      if (watch.predicate?.(event) === false || store.size === 0) return;
      enqueueKnown(mappedKeys(watch, event, cache), event, watch.definition);
    }),
  );
  // Whatever failed while the server was away waits up to a quarter of an hour, and would wait on when it is back.
  const recovery = cache.informer(controller.for).onRecovery(() => queue.retryNow("the API server answers again"));
  return [own, ...owned, ...watched, recovery];
}

/** For an object that is gone nothing is left to do: its finalizer, if it had one, kept it until all was done. */
function isToLookAt(event: InformerEvent, controller: AnyController, { queue, ownWrites }: ListenPorts): boolean {
  const matters = controller.predicate?.(event) !== false;
  if (event.type !== "deleted") return matters && ownWrites?.keepsBack(event) !== true;
  queue.forget(event.key);
  ownWrites?.forget(event.key);
  return false;
}

const NO_KEYS: ReadonlySet<string> = new Set();

/** The keys that a mapper names, for the state before the change and for the one after. */
function mappedKeys({ map }: Watch, { previous, object }: InformerEvent, cache: Cache): ReadonlySet<string> {
  const context = { cache: cache.reader(object.metadata?.namespace) };
  const now = map(object, context);
  const before = previous === undefined ? [] : map(previous, context);
  if (now.length + before.length === 0) return NO_KEYS;
  return new Set([...before, ...now].map(formatKey));
}
