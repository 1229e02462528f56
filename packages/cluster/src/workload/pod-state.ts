/** Questions that every workload controller asks of a pod. Pure; times are milliseconds since the epoch. */
import type { Pod } from "@kubewright/api/core/v1";

/** True when the pod neither ended nor is being deleted: it counts towards the replicas of its owner. */
export function isPodActive(pod: Pod): boolean {
  return !isPodFinished(pod) && !isPodTerminating(pod);
}

/** True when all containers ended for good. */
export function isPodFinished(pod: Pod): boolean {
  return pod.status?.phase === "Succeeded" || pod.status?.phase === "Failed";
}

/** True once deletion was asked for. */
export function isPodTerminating(pod: Pod): boolean {
  return pod.metadata?.deletionTimestamp !== undefined;
}

/** True when the pod says that it can serve. */
export function isPodReady(pod: Pod): boolean {
  return readyCondition(pod)?.status === "True";
}

/** Since when the pod is ready, or undefined when it is not. */
export function readySince(pod: Pod): number | undefined {
  const condition = readyCondition(pod);
  if (condition?.status !== "True" || condition.lastTransitionTime === undefined) return undefined;
  return Date.parse(condition.lastTransitionTime);
}

/** True when the pod has been ready for `minReadySeconds`. */
export function isPodAvailable(pod: Pod, minReadySeconds: number, now: number): boolean {
  if (minReadySeconds === 0) return isPodReady(pod);
  const since = readySince(pod);
  return since !== undefined && since + minReadySeconds * 1000 <= now;
}

/** When the earliest ready pod that is not yet available becomes it, or undefined when none waits. */
export function nextAvailability(pods: readonly Pod[], minReadySeconds: number, now: number): number | undefined {
  const times = pods
    .filter((pod) => isPodActive(pod) && !isPodAvailable(pod, minReadySeconds, now))
    .map(readySince)
    .filter((since) => since !== undefined)
    .map((since) => since + minReadySeconds * 1000);
  return times.length === 0 ? undefined : Math.min(...times);
}

/** How often the containers of the pod were restarted: the most of any container. */
export function restartCount(pod: Pod): number {
  return Math.max(0, ...(pod.status?.containerStatuses ?? []).map((status) => status.restartCount));
}

function readyCondition(pod: Pod): { readonly status: string; readonly lastTransitionTime?: string } | undefined {
  return pod.status?.conditions?.find((condition) => condition.type === "Ready");
}
