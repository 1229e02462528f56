/** From a change to the keys that it concerns: the object itself, its owner, or whatever a mapper says. */
import { formatGroupResource, getControllerOf, type KubernetesObject, parseApiVersion } from "@kubewright/core/meta";
import type { InformerEvent } from "../cache/informer.ts";
import { formatKey } from "../cache/object-key.ts";
import type { AnyDefinition } from "../client/definitions.ts";
import { LOW_PRIORITY, type WorkQueue } from "../queue/work-queue.ts";
import { changedFields } from "./changed-fields.ts";

/** Adds keys for one change; initial objects wait behind fresh changes. */
export function enqueue(
  queue: WorkQueue,
  keys: Iterable<string>,
  from: { readonly event: InformerEvent; readonly definition: AnyDefinition },
): void {
  const { event, definition } = from;
  const fields =
    event.previous !== undefined && event.type === "updated" ? changedFields(event.previous, event.object) : [];
  const cause = {
    kind: event.initial ? "resync" : event.type,
    resource: formatGroupResource(definition),
    key: event.key,
    ...(fields.length === 0 ? {} : { fields }),
  } as const;
  for (const key of keys) queue.add(key, { priority: event.initial ? LOW_PRIORITY : 0, cause });
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
