/**
 * The metadata that the server keeps: what it sets on new objects, and what of an update it takes over or restores.
 * Create and update call these; validate-metadata.ts says what clients may write.
 */
import { deepEqual, type MutableJsonObject, setKey } from "@kubewright/core/meta";
import { randomUuid } from "@kubewright/core/ports";
import { generatedName } from "../resource/generated-name.ts";
import { type ApiObject, type Metadata, withMetadata } from "../resource/object.ts";
import type { StrategyContext } from "../resource/strategy.ts";

/** A new object without what only the server may say. */
export function wipeSystemMetadata(object: ApiObject, namespace: string): ApiObject {
  return withMetadata(object, {
    namespace: namespace === "" ? undefined : namespace,
    uid: undefined,
    creationTimestamp: undefined,
    deletionTimestamp: undefined,
    deletionGracePeriodSeconds: undefined,
    selfLink: undefined,
  });
}

/** A new object with its identity: name, uid, first generation if it `hasGeneration`, and time of creation, in the order of Go's fields. */
export function fillSystemMetadata(object: ApiObject, context: StrategyContext, hasGeneration: boolean): ApiObject {
  const { metadata: given } = object;
  const { name = "", generateName = "" } = given;
  const ownName = name !== "" || generateName === "" ? name : generatedName(generateName, context.random);
  const metadata: MutableJsonObject = {};
  if (ownName !== "") metadata["name"] = ownName;
  if (given.generateName !== undefined) metadata["generateName"] = given.generateName;
  if (given.namespace !== undefined) metadata["namespace"] = given.namespace;
  metadata["uid"] = randomUuid(context.random);
  if (hasGeneration) metadata["generation"] = 1;
  metadata["creationTimestamp"] = context.time;
  for (const key in given) if (!Object.hasOwn(metadata, key)) setKey(metadata, key, given[key]);
  return { ...object, metadata: metadata as Metadata };
}

/** The object without owners that stand twice in it, of which clients are warned. */
export function withDistinctOwners(object: ApiObject, warnings: { add(text: string): void }): ApiObject {
  const owners = object.metadata.ownerReferences ?? []; // Patches may leave null.
  if (owners.length < 2) return object;
  const repeated = owners.filter((owner, index) => owners.slice(0, index).some((other) => deepEqual(other, owner)));
  if (repeated.length === 0) return object;
  const uids = [...new Set(repeated.map((owner) => owner.uid))].join(", ");
  warnings.add(
    ".metadata.ownerReferences contains duplicate entries; API server dedups owner references in 1.20+, and may reject " +
      `such requests as early as 1.24; please fix your requests; duplicate UID(s) observed: ${uids}`,
  );
  return withMetadata(object, { ownerReferences: owners.filter((owner) => !repeated.includes(owner)) });
}

/** The metadata of an update with everything restored that an update cannot change. */
export function keepSystemMetadata(next: ApiObject, current: ApiObject): ApiObject {
  const { uid, generation, creationTimestamp, deletionTimestamp, deletionGracePeriodSeconds, resourceVersion } =
    current.metadata;
  return withMetadata(next, {
    generation,
    creationTimestamp,
    // Others than those that are there are refused later.
    deletionTimestamp: deletionTimestamp ?? next.metadata.deletionTimestamp,
    deletionGracePeriodSeconds: next.metadata.deletionGracePeriodSeconds ?? deletionGracePeriodSeconds,
    resourceVersion,
    selfLink: undefined,
    uid: (next.metadata.uid ?? "") === "" ? uid : next.metadata.uid,
    namespace: next.metadata.namespace ?? current.metadata.namespace,
  });
}
