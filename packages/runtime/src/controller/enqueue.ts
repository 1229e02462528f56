/**
 * From a change to the keys that it concerns: the object itself, its owner, or whatever a mapper says. `listen.ts` subscribes the queues
 * of controllers with it; programs without a manager subscribe their own.
 */
import {
  formatGroupResource,
  getControllerOf,
  type KubernetesObject,
  type ObjectIdentity,
} from "@kubewright/core/meta";
import type { Cancel } from "@kubewright/core/ports";
import type { Informer } from "../cache/informer.ts";
import type { InformerEvent } from "../cache/informer-options.ts";
import { formatKey } from "../cache/object-key.ts";
import type { AnyDefinition } from "../client/definitions.ts";
import type { Cause, CauseToTell } from "../queue/schedule.ts";
import { LOW_PRIORITY, type WorkQueue } from "../queue/work-queue.ts";
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
    if (predicate(event)) enqueue(queue, [event.key], { event, definition });
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

/** Adds keys for one change. Initial objects wait behind fresh changes, and of them those that changed last go first. */
export function enqueue(
  queue: WorkQueue,
  keys: Iterable<string>,
  from: { readonly event: InformerEvent; readonly definition: AnyDefinition },
): void {
  const { event } = from;
  let cause: CauseToTell | undefined;
  for (const key of keys) {
    if (queue.remembersCauses) cause ??= causeOf(from);
    if (!event.initial) queue.add(key, { cause });
    else queue.add(key, { priority: LOW_PRIORITY, recency: Number(event.identity.resourceVersion) || 0, cause });
  }
}

/** The cause of a change. Of an update it is told once, and only if the queue remembers it: that takes a look at every field. */
function causeOf({
  event,
  definition,
}: {
  readonly event: InformerEvent;
  readonly definition: AnyDefinition;
}): CauseToTell {
  const { key, type, initial } = event;
  const resource = formatGroupResource(definition);
  if (initial) return { kind: "resync", resource, key };
  if (type !== "updated") return { kind: type, resource, key };
  let told: Cause | undefined;
  return () => (told ??= { kind: type, resource, key, fields: changedFields(event.previous ?? {}, event.object) });
}

/** The keys of the owners of kind `definition`, before and after the change. */
export function ownerKeys(event: InformerEvent, definition: AnyDefinition): readonly string[] {
  const after = ownerKey(event.identity, definition);
  const isSame = event.keepsOwner === true || event.previous === undefined;
  const before = isSame ? after : ownerKey(event.previous?.metadata ?? {}, definition);
  if (before === undefined || before === after) return after === undefined ? NOBODY : [after];
  return after === undefined ? [before] : [before, after];
}

const NOBODY: readonly string[] = [];

function ownerKey(metadata: ObjectIdentity, definition: AnyDefinition): string | undefined {
  const owner = getControllerOf({ metadata });
  if (owner?.kind !== definition.kind || !isOfGroup(owner.apiVersion, definition.group)) return undefined;
  return formatKey({
    name: owner.name,
    namespace: definition.scope === "Cluster" ? undefined : metadata.namespace,
  });
}

/** Without taking the version apart: every change of a child asks. */
function isOfGroup(apiVersion: string, group: string): boolean {
  if (group === "") return !apiVersion.includes("/");
  return apiVersion[group.length] === "/" && apiVersion.startsWith(group);
}
