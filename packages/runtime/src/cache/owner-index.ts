/** The index every informer has: from a controller's uid to the objects that it owns. */
import { getControllerOf, type KubernetesObject } from "@kubewright/core/meta";

/** Name of the index from the uid of the controlling owner to the owned. */
export const OWNER_INDEX = "kubewright.controller-uid";

/** Where the index has objects that nobody controls. No uid is empty. */
export const NOBODY = "";

/** The uid of the controlling owner, as an index takes it. */
export function controllerUids(object: KubernetesObject): readonly string[] {
  return [getControllerOf(object)?.uid ?? NOBODY];
}
