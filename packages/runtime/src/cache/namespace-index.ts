/** The other index every informer has: from a namespace to the objects in it. */
import type { KubernetesObject } from "@kubewright/core/meta";

/** Name of the index from the namespace to its objects. */
export const NAMESPACE_INDEX = "kubewright.namespace";

/** The namespace of an object, as an index takes it; cluster-scoped objects are in none. */
export function namespacesOf({ metadata }: KubernetesObject): readonly string[] {
  return metadata?.namespace === undefined ? [] : [metadata.namespace];
}
