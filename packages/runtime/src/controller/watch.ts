/** Watches on other kinds: whose changes concern which objects of the controller's kind. */
import type { KubernetesObject, ResourceDefinition } from "@kubewright/core/meta";
import type { KindOptions } from "../cache/cache.ts";
import type { CacheReader } from "../cache/cache-reader.ts";
import type { InformerEvent } from "../cache/informer-options.ts";
import type { ObjectKey } from "../cache/object-key.ts";

/** What a mapper may use. */
export interface WatchContext {
  readonly cache: CacheReader;
}

/** A watch on another kind. */
export interface Watch {
  readonly definition: ResourceDefinition<KubernetesObject, unknown>;
  /** Which objects of the controller's kind a change concerns. */
  readonly map: (object: KubernetesObject, context: WatchContext) => readonly ObjectKey[];
  readonly predicate?: ((event: InformerEvent) => boolean) | undefined;
  readonly cache?: KindOptions | undefined;
}

/** What `watch` takes besides the kind. */
export interface WatchSettings<Kind extends KubernetesObject> {
  /** Which objects of the controller's kind a change of `object` concerns. */
  map(object: Kind, context: WatchContext): readonly ObjectKey[];
  /** Which changes matter. @default all */
  predicate?(event: InformerEvent<Kind>): boolean;
  /** How the kind is cached. */
  readonly cache?: KindOptions<Kind>;
}

/**
 * Declares a watch on another kind.
 * @example watches: [watch(Secret, { map: (secret) => [{ name: secret.metadata.labels.app }] })]
 */
export function watch<Kind extends KubernetesObject>(
  definition: ResourceDefinition<Kind, unknown>,
  settings: WatchSettings<Kind>,
): Watch {
  // Erases the kind: the informer of `definition` hands these functions objects of that kind only.
  return { definition, ...settings } as unknown as Watch;
}
