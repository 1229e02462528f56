/** The status of a StatefulSet: its counters and how far the update has come. Pure. */
import type { StatefulSet, StatefulSetStatus } from "@kubewright/api/apps/v1";
import type { Pod } from "@kubewright/api/core/v1";
import { isPodAvailable, isPodReady, isPodTerminating } from "../workload/pod-state.ts";
import { revisionOfPod } from "./pods.ts";

/** What a status is made from. */
export interface StatusInput {
  readonly set: StatefulSet;
  readonly pods: readonly Pod[];
  readonly currentRevision: string;
  readonly updateRevision: string;
  readonly now: number;
}

/** The status; an update that has reached every pod makes its revision the current one. */
export function statefulSetStatus(input: StatusInput): StatefulSetStatus {
  const { set, pods, updateRevision, now } = input;
  const created = pods.filter((pod) => pod.status?.phase !== undefined);
  const staying = created.filter((pod) => !isPodTerminating(pod));
  const ready = created.filter(isPodReady);
  const available = ready.filter((pod) => isPodAvailable(pod, set.spec?.minReadySeconds ?? 0, now));
  const at = (revision: string): number => staying.filter((pod) => revisionOfPod(pod) === revision).length;
  const updated = at(updateRevision);
  const rolling = set.spec?.updateStrategy?.type !== "OnDelete";
  const complete = rolling && updated === created.length && ready.length === created.length;
  const currentRevision = complete ? updateRevision : input.currentRevision;
  const current = complete ? updated : at(currentRevision);
  return {
    ...(set.metadata?.generation === undefined ? {} : { observedGeneration: set.metadata.generation }),
    replicas: created.length,
    ...count("readyReplicas", ready.length),
    availableReplicas: available.length,
    ...count("currentReplicas", current),
    ...count("updatedReplicas", updated),
    currentRevision,
    updateRevision,
    collisionCount: set.status?.collisionCount ?? 0,
  };
}

function count(name: string, value: number): Record<string, number> {
  return value === 0 ? {} : { [name]: value };
}
