/**
 * The metadata that the server keeps: what it sets on new objects, and what of an update it takes over or restores.
 * Create and update call these; validate-metadata.ts says what clients may write.
 */
import { type Random, randomUuid } from "@kubewright/core/ports";
import { type ApiObject, withMetadata } from "../resource/object.ts";
import type { StrategyContext } from "../resource/strategy.ts";

const NAME_ALPHABET = "bcdfghjklmnpqrstvwxz2456789";
const NAME_RANDOM_LENGTH = 5;
const NAME_BASE_LENGTH_MAX = 63 - NAME_RANDOM_LENGTH;

/** A new object without what only the server may say. */
export function wipeSystemMetadata(object: ApiObject, namespace: string): ApiObject {
  return withMetadata(object, {
    namespace: namespace === "" ? undefined : namespace,
    uid: undefined,
    creationTimestamp: undefined,
    deletionTimestamp: undefined,
    deletionGracePeriodSeconds: undefined,
    selfLink: undefined,
    generation: undefined,
  });
}

/** A new object with its identity: name, uid and time of creation. */
export function fillSystemMetadata(object: ApiObject, context: StrategyContext): ApiObject {
  const { name = "", generateName = "" } = object.metadata;
  const ownName = name !== "" || generateName === "" ? name : generatedName(generateName, context.random);
  return withMetadata(object, {
    ...(ownName === "" ? {} : { name: ownName }),
    uid: randomUuid(context.random),
    creationTimestamp: context.time,
  });
}

/** `base` and five random characters, as long as a DNS label may be. */
export function generatedName(base: string, random: Random): string {
  const characters = Array.from(
    { length: NAME_RANDOM_LENGTH },
    () => NAME_ALPHABET[Math.floor(random.next() * NAME_ALPHABET.length)],
  );
  return base.slice(0, NAME_BASE_LENGTH_MAX) + characters.join("");
}

/** The metadata of an update with everything restored that an update cannot change. */
export function keepSystemMetadata(next: ApiObject, current: ApiObject): ApiObject {
  const { uid, generation, creationTimestamp, deletionTimestamp, deletionGracePeriodSeconds, resourceVersion } =
    current.metadata;
  return withMetadata(next, {
    generation,
    creationTimestamp,
    deletionTimestamp,
    deletionGracePeriodSeconds,
    resourceVersion,
    selfLink: undefined,
    uid: (next.metadata.uid ?? "") === "" ? uid : next.metadata.uid,
    namespace: next.metadata.namespace ?? current.metadata.namespace,
  });
}
