/**
 * What a ReplicaSet does next: how many pods to create, which to delete, and its status. Pure; controller.ts carries
 * it out.
 */
import type { ReplicaSet, ReplicaSetStatus } from "@kubewright/api/apps/v1";
import type { Pod } from "@kubewright/api/core/v1";
import { isPodActive, isPodAvailable, isPodFinished, isPodReady, isPodTerminating } from "../workload/pod-state.ts";
import { rankForDeletion } from "./pod-ranking.ts";

/** The most pods created or deleted at once, so that a mistake in a size does not flood the API server. */
const BURST_MAX = 500;

/** One step. */
export interface ReplicaSetStep {
  readonly create: number;
  readonly remove: readonly Pod[];
}

/** The next step of a ReplicaSet whose pods are `pods`. */
export function planReplicaSet(set: ReplicaSet, pods: readonly Pod[]): ReplicaSetStep {
  const active = pods.filter(isPodActive);
  const surplus = active.length - (set.spec?.replicas ?? 1);
  if (set.metadata?.deletionTimestamp !== undefined || surplus === 0) return { create: 0, remove: [] };
  if (surplus < 0) return { create: Math.min(-surplus, BURST_MAX), remove: [] };
  return { create: 0, remove: rankForDeletion(active).slice(0, Math.min(surplus, BURST_MAX)) };
}

/** The counters of a ReplicaSet. Its conditions are the controller's, which knows what failed. */
export function replicaSetStatus(set: ReplicaSet, pods: readonly Pod[], now: number): ReplicaSetStatus {
  const active = pods.filter(isPodActive);
  const wanted = Object.entries(set.spec?.template?.metadata?.labels ?? {});
  const labelled = active.filter((pod) => wanted.every(([key, value]) => pod.metadata?.labels?.[key] === value));
  const ready = active.filter(isPodReady);
  const available = ready.filter((pod) => isPodAvailable(pod, set.spec?.minReadySeconds ?? 0, now));
  return {
    replicas: active.length,
    ...count("fullyLabeledReplicas", labelled.length),
    ...count("readyReplicas", ready.length),
    ...count("availableReplicas", available.length),
    terminatingReplicas: pods.filter((pod) => isPodTerminating(pod) && !isPodFinished(pod)).length,
    ...(set.metadata?.generation === undefined ? {} : { observedGeneration: set.metadata.generation }),
  };
}

function count(name: string, value: number): Record<string, number> {
  return value === 0 ? {} : { [name]: value };
}
