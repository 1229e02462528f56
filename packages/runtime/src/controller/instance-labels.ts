/**
 * The recommended labels by which the pods of one object are told from those of others, and the way back from a pod to
 * its object. Shared by all controllers that run pods through workloads.
 */
import type { KubernetesObject } from "@kubewright/core/meta";
import type { ObjectKey } from "../cache/object-key.ts";

const NAME_LABEL = "app.kubernetes.io/name";
const INSTANCE_LABEL = "app.kubernetes.io/instance";

/**
 * Labels for everything that belongs to `object`, an instance of `application`.
 * @example const labels = instanceLabels("memcached", memcached);
 */
export function instanceLabels(application: string, object: KubernetesObject): Record<string, string> {
  return { [NAME_LABEL]: application, [INSTANCE_LABEL]: object.metadata?.name ?? "" };
}

/**
 * The object that `instanceLabels` named, from something that carries its labels.
 * @example watches: [watch(Pod, { map: labelledInstance })]
 */
export function labelledInstance(labelled: KubernetesObject): readonly ObjectKey[] {
  const name = labelled.metadata?.labels?.[INSTANCE_LABEL];
  return name === undefined ? [] : [{ name, namespace: labelled.metadata?.namespace }];
}
