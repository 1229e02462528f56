/**
 * Which pods go first when there are too many: those that would be missed least. The order is that of the ReplicaSet
 * controller of Kubernetes.
 */
import type { Pod } from "@kubewright/api/core/v1";
import { isPodReady, readySince, restartCount } from "../workload/pod-state.ts";

const DELETION_COST = "controller.kubernetes.io/pod-deletion-cost";
const phaseRank: Readonly<Record<string, number>> = { Pending: 0, Unknown: 1, Running: 2 };

/** `pods` sorted so that those to delete first come first. */
export function rankForDeletion(pods: readonly Pod[]): Pod[] {
  const perNode = Map.groupBy(pods, (pod) => pod.spec?.nodeName ?? "");
  const criteria: ReadonlyArray<(pod: Pod) => number> = [
    (pod) => (pod.spec?.nodeName ? 1 : 0),
    (pod) => phaseRank[pod.status?.phase ?? ""] ?? 1,
    (pod) => (isPodReady(pod) ? 1 : 0),
    deletionCost,
    (pod) => -(perNode.get(pod.spec?.nodeName ?? "")?.length ?? 0),
    (pod) => -(readySince(pod) ?? 0),
    (pod) => -restartCount(pod),
    (pod) => -Date.parse(pod.metadata?.creationTimestamp ?? "0"),
  ];
  return pods.toSorted((left, right) => {
    for (const criterion of criteria) {
      const difference = criterion(left) - criterion(right);
      if (difference !== 0 && !Number.isNaN(difference)) return difference;
    }
    return (left.metadata?.name ?? "") < (right.metadata?.name ?? "") ? -1 : 1;
  });
}

function deletionCost(pod: Pod): number {
  const cost = Number(pod.metadata?.annotations?.[DELETION_COST] ?? 0);
  return Number.isInteger(cost) ? cost : 0;
}
