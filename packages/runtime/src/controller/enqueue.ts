/**
 * From a change to the keys that it concerns: the object itself, its owner, or whatever a mapper says. `listen.ts` subscribes the queues
 * of controllers with it; programs without a manager subscribe their own.
 */
import { formatGroupResource, getControllerOf, type KubernetesObject, parseApiVersion } from "@kubewright/core/meta";
import type { Cancel } from "@kubewright/core/ports";
import type { Informer, InformerEvent } from "../cache/informer.ts";
import { formatKey } from "../cache/object-key.ts";
import type { AnyDefinition } from "../client/definitions.ts";
import type { Cause } from "../queue/schedule.ts";
import { LOW_PRIORITY, UNSEEN_PRIORITY, type WorkQueue } from "../queue/work-queue.ts";
import { changedFields } from "./changed-fields.ts";

/**
 * Queues each object of an informer that is there or changes, until cancelled.
 * @example enqueueObjects(cache.informer(App), queue);
 */
export function enqueueObjects<Kind extends KubernetesObject>(
  informer: Informer<Kind>,
  queue: WorkQueue,
  predicate: (event: InformerEvent<Kind>) => boolean = () => true,
): Cancel {
  const { definition } = informer;
  return informer.subscribe((event) => {
    if (predicate(event)) enqueue(queue, [event.key], { event, definition, isUnseen: isUnseen(event.object) });
  });
}

/**
 * Queues the controlling owner, if it is of kind `owner`, of each object that is there or changes, until cancelled.
 * @example enqueueOwners(cache.informer(Deployment), queue, App);
 */
export function enqueueOwners<Kind extends KubernetesObject>(
  informer: Informer<Kind>,
  queue: WorkQueue,
  owner: AnyDefinition,
): Cancel {
  const { definition } = informer;
  return informer.subscribe((event) => enqueue(queue, ownerKeys(event, owner), { event, definition }));
}

/** Adds keys for one change; initial objects wait behind fresh changes, and of them those that were seen before behind the others. */
export function enqueue(
  queue: WorkQueue,
  keys: Iterable<string>,
  from: { readonly event: InformerEvent; readonly definition: AnyDefinition; readonly isUnseen?: boolean },
): void {
  let cause: Cause | undefined;
  const initialPriority = from.isUnseen === true ? UNSEEN_PRIORITY : LOW_PRIORITY;
  for (const key of keys) {
    cause ??= causeOf(from);
    queue.add(key, { priority: from.event.initial ? initialPriority : 0, cause });
  }
}

/** Nobody wrote a status for this object, or for what it says now: it was made or changed while nobody looked. */
function isUnseen(object: KubernetesObject): boolean {
  const { status } = object as { readonly status?: { readonly observedGeneration?: unknown } };
  if (status === undefined) return true;
  const { observedGeneration } = status;
  return observedGeneration !== undefined && observedGeneration !== object.metadata?.generation;
}

function causeOf({ event, definition }: { readonly event: InformerEvent; readonly definition: AnyDefinition }): Cause {
  const { previous, object, key, type } = event;
  const cause = { kind: event.initial ? "resync" : type, resource: formatGroupResource(definition), key } as const;
  if (previous === undefined || type !== "updated") return cause;
  // Few ask why, and the answer takes a look at every field.
  let fields: readonly string[] | undefined;
  return {
    ...cause,
    get fields() {
      fields ??= changedFields(previous, object);
      return fields;
    },
  };
}

/** The keys of the owners of kind `definition`, before and after the change. */
export function ownerKeys(event: InformerEvent, definition: AnyDefinition): ReadonlySet<string> {
  const keys = new Set<string>();
  for (const object of [event.previous, event.object]) {
    const key = object === undefined ? undefined : ownerKey(object, definition);
    if (key !== undefined) keys.add(key);
  }
  return keys;
}

function ownerKey(object: KubernetesObject, definition: AnyDefinition): string | undefined {
  const owner = getControllerOf(object);
  if (
    owner === undefined ||
    owner.kind !== definition.kind ||
    parseApiVersion(owner.apiVersion).group !== definition.group
  ) {
    return undefined;
  }
  return formatKey({
    name: owner.name,
    namespace: definition.scope === "Cluster" ? undefined : object.metadata?.namespace,
  });
}
