/** For controllers of namespaces: what happens to an object in one concerns it. */
import type { Namespace } from "@kubewright/api/core/v1";
import type { KubernetesObject } from "@kubewright/core/meta";
import type { ObjectKey } from "@kubewright/runtime";

/** The key of the namespace that an object is in. */
export function namespaceOf({ metadata }: KubernetesObject): readonly ObjectKey[] {
  return metadata?.namespace === undefined ? [] : [{ name: metadata.namespace }];
}

/** True when objects can be created in the namespace. */
export function isOpen({ metadata, status }: Namespace): boolean {
  return metadata?.deletionTimestamp === undefined && status?.phase !== "Terminating";
}
