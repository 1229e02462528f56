/**
 * Fills a controller's queue: with all objects that are there when it begins to work, and with those that changes of its kinds concern from
 * then on. The mapping from changes to keys is in enqueue.ts.
 */
import { formatGroupResource } from "@kubewright/core/meta";
import type { Cancel, Logger } from "@kubewright/core/ports";
import type { Cache } from "../cache/cache.ts";
import type { InformerEvent, SubscribeOptions } from "../cache/informer-options.ts";
import { formatKey } from "../cache/object-key.ts";
import type { Store } from "../cache/store.ts";
import type { WorkQueue } from "../queue/work-queue.ts";
import type { AnyController } from "./define-controller.ts";
import { enqueue, ownerKeys } from "./enqueue.ts";
import type { OwnedChange, OwnWrites } from "./own-writes.ts";
import type { Watch } from "./watch.ts";

/** What listening works with. */
export interface ListenPorts {
  readonly queue: WorkQueue;
  readonly cache: Cache;
  /** What the controller wrote itself and need not look at again. */
  readonly ownWrites?: OwnWrites | undefined;
  readonly log: Logger;
}

/**
 * Queues what is there, those that changed last first: what happened while nobody looked is answered before a restart has looked through all
 * others. Then queues the keys that changes concern, until cancelled.
 */
export function listen(controller: AnyController, ports: ListenPorts): readonly Cancel[] {
  const { queue, cache, ownWrites, log } = ports;
  const { store } = cache.informer(controller.for);
  const resource = formatGroupResource(controller.for);
  queue.addBacklog(existingKeys(controller, store, log), (key) => ({ kind: "resync", resource, key }));
  // What is there of other kinds concerns nobody who is not queued, unless a predicate kept somebody out.
  const others: SubscribeOptions = { knowsAll: controller.predicate === undefined };
  // Whoever is not there yet is queued when it comes; where nobody is there, nobody needs to be found.
  const enqueueKnown = (key: string, change: OwnedChange): void => {
    if (store.has(key)) enqueue(queue, [key], change);
  };
  const own = cache.informer(controller.for).subscribe(
    (event) => {
      if (isToLookAt(event, controller, ports)) enqueue(queue, [event.key], { event, definition: controller.for });
    },
    { knowsAll: true },
  );
  const owned = (controller.owns ?? []).map((child) =>
    cache.informer(child).subscribe((event) => {
      if (store.size === 0) return;
      const change = { event, definition: child };
      for (const key of ownerKeys(event, controller.for))
        if (ownWrites?.keepsBack(key, change) !== true) enqueueKnown(key, change);
    }, others),
  );
  const watched = (controller.watches ?? []).map((watch) =>
    cache.informer(watch.definition).subscribe((event) => {
      if (watch.predicate?.(event) === false || store.size === 0) return;
      const change = { event, definition: watch.definition };
      for (const key of mappedKeys(watch, event, cache)) enqueueKnown(key, change);
    }, others),
  );
  // Whatever failed while the server was away waits up to a quarter of an hour, and would wait on when it is back.
  const recovery = cache.informer(controller.for).onRecovery(() => queue.retryNow("the API server answers again"));
  return [own, ...owned, ...watched, recovery];
}

/** The keys of the objects that the controller wants to look at, those that changed last first. */
function existingKeys({ predicate }: AnyController, store: Store, log: Logger): readonly string[] {
  const keys = store.newestKeys();
  if (predicate === undefined) return keys;
  return keys.filter((key) => {
    const event = store.replayOne(key);
    try {
      return event !== undefined && predicate(event) !== false;
    } catch (error) {
      log.error("the predicate failed; the object is looked at", { key, error });
      return true;
    }
  });
}

/** For an object that is gone nothing is left to do: its finalizer, if it had one, kept it until all was done. */
function isToLookAt(event: InformerEvent, controller: AnyController, { queue, ownWrites }: ListenPorts): boolean {
  const matters = controller.predicate?.(event) !== false;
  if (event.type === "added") return matters;
  if (event.type === "updated")
    return matters && ownWrites?.keepsBack(event.key, { event, definition: controller.for }) !== true;
  queue.forget(event.key);
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
