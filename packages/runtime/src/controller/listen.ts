/** Subscribes a controller's queue to the informers of its kinds. The mapping from changes to keys is in enqueue.ts. */
import type { Cancel } from "@kubewright/core/ports";
import type { Cache } from "../cache/cache.ts";
import type { InformerEvent } from "../cache/informer.ts";
import { formatKey } from "../cache/object-key.ts";
import type { WorkQueue } from "../queue/work-queue.ts";
import type { AnyController } from "./define-controller.ts";
import { enqueue, enqueueObjects, enqueueOwners } from "./enqueue.ts";
import type { Watch } from "./watch.ts";

/** Queues the keys that changes concern, until cancelled. */
export function listen(controller: AnyController, queue: WorkQueue, cache: Cache): readonly Cancel[] {
  const own = enqueueObjects(cache.informer(controller.for), queue, (event) => controller.predicate?.(event) !== false);
  const owned = (controller.owns ?? []).map((child) => enqueueOwners(cache.informer(child), queue, controller.for));
  const watched = (controller.watches ?? []).map((watch) =>
    cache.informer(watch.definition).subscribe((event) => {
      if (watch.predicate?.(event) === false) return;
      enqueue(queue, mappedKeys(watch, event, cache), { event, definition: watch.definition });
    }),
  );
  return [own, ...owned, ...watched];
}

/** The keys that a mapper names, for the state before the change and for the one after. */
function mappedKeys({ map }: Watch, { previous, object }: InformerEvent, cache: Cache): ReadonlySet<string> {
  const context = { cache: cache.reader(object.metadata?.namespace) };
  const states = previous === undefined ? [object] : [previous, object];
  return new Set(states.flatMap((state) => map(state, context).map(formatKey)));
}
