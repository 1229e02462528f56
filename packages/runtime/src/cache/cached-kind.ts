/** How a kind is cached: which of its objects, how much of them, and how they are found. A controller says it, for all of its manager. */
import type { KubernetesObject, ResourceDefinition } from "@kubewright/core/meta";
import type { KindOptions } from "./cache.ts";

/** A kind with the options of its cache. */
export interface CachedKind {
  readonly definition: ResourceDefinition<KubernetesObject, unknown>;
  readonly options: KindOptions;
}

/**
 * Says how a kind is cached.
 * @example caches: [cached(Pod, { labelSelector: "app=shop", indexes: { node: (pod) => [pod.spec?.nodeName ?? ""] } })]
 */
export function cached<Kind extends KubernetesObject>(
  definition: ResourceDefinition<Kind, unknown>,
  options: KindOptions<Kind>,
): CachedKind {
  // Erases the kind: the informer of `definition` hands these functions objects of that kind only.
  return { definition, options } as unknown as CachedKind;
}
