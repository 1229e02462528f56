/** The index every informer has: from a controller's uid to the objects that it owns. */
import { getControllerOf, type KubernetesObject } from "@kubewright/core/meta";

/** Name of the index from the uid of the controlling owner to the owned. */
export const OWNER_INDEX = "kubewright.controller-uid";

const NOBODY: readonly string[] = [];

/** The uid of the controlling owner, as an index takes it. */
export function controllerUids(object: KubernetesObject): readonly string[] {
  const owner = getControllerOf(object);
  return owner === undefined ? NOBODY : [owner.uid];
}
