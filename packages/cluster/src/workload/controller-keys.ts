/** Whom a change of a child concerns, for watches of controllers that do not `own` the kind because they look away from some changes. */
import { getControllerOf, type KubernetesObject } from "@kubewright/core/meta";
import type { ObjectKey } from "@kubewright/runtime";

/** The key of an object's controller if that is of `kind`. */
export function controllerKeys(object: KubernetesObject, kind: string): readonly ObjectKey[] {
  const owner = getControllerOf(object);
  return owner?.kind === kind ? [{ name: owner.name, namespace: object.metadata?.namespace }] : [];
}
