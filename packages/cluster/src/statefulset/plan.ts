/**
 * What a StatefulSet does next: a pure step from the set, its revisions and its pods to the writes that bring it closer
 * to what is wanted. With OrderedReady one pod changes at a time and waits for those before it; Parallel waits for
 * none. controller.ts carries the writes out.
 */
import type { StatefulSet } from "@kubewright/api/apps/v1";
import type { Pod } from "@kubewright/api/core/v1";
import { isPodAvailable, isPodFinished, isPodReady, isPodTerminating } from "../workload/pod-state.ts";
import { ordinalOf, revisionOfPod } from "./pods.ts";

/** One write. */
export type StatefulSetAction =
  /** Create the pod with this ordinal (and its claims first) from the template of `revision`. */
  | { readonly do: "create"; readonly ordinal: number; readonly revision: string }
  | { readonly do: "delete"; readonly pod: Pod; readonly ordinal: number };

/** The state that a step starts from. */
export interface StatefulSetState {
  readonly set: StatefulSet;
  /** All pods that the set controls. */
  readonly pods: readonly Pod[];
  /** Name of the revision that pods had before the running update. */
  readonly currentRevision: string;
  /** Name of the revision of the set's template. */
  readonly updateRevision: string;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/** The writes of the next step. None means: wait until a pod changes. */
export function planStatefulSet(state: StatefulSetState): StatefulSetAction[] {
  if (state.set.metadata?.deletionTimestamp !== undefined) return [];
  const places = placesOf(state);
  const ordered = state.set.spec?.podManagementPolicy !== "Parallel";
  const filled = fill(state, places, ordered);
  if (filled.blocked) return filled.actions;
  const condemned = scaleDown(places, ordered);
  if (condemned.blocked) return [...filled.actions, ...condemned.actions];
  const changed = [...filled.actions, ...condemned.actions];
  return changed.length > 0 ? changed : update(state, places);
}

/** The ordinals that should be filled, and the pods that should go (highest first). */
interface Places {
  readonly wanted: readonly { readonly ordinal: number; readonly pod: Pod | undefined }[];
  readonly condemned: readonly { readonly ordinal: number; readonly pod: Pod }[];
}

interface Progress {
  readonly actions: StatefulSetAction[];
  /** Nothing further may be done before the world has caught up. */
  readonly blocked: boolean;
}

function placesOf({ set, pods }: StatefulSetState): Places {
  const start = set.spec?.ordinals?.start ?? 0;
  const end = start + (set.spec?.replicas ?? 1);
  const known = pods.flatMap((pod) => {
    const ordinal = ordinalOf(set, pod);
    return ordinal === undefined ? [] : [{ ordinal, pod }];
  });
  const byOrdinal = new Map(known.map(({ ordinal, pod }) => [ordinal, pod]));
  return {
    wanted: Array.from({ length: end - start }, (_, index) => ({
      ordinal: start + index,
      pod: byOrdinal.get(start + index),
    })),
    condemned: known
      .filter(({ ordinal }) => ordinal < start || ordinal >= end)
      .toSorted((left, right) => right.ordinal - left.ordinal),
  };
}

/** Lowest ordinal first: replace what ended, create what is missing, wait for what is not yet available. */
function fill(state: StatefulSetState, places: Places, ordered: boolean): Progress {
  const actions: StatefulSetAction[] = [];
  for (const { ordinal, pod } of places.wanted) {
    if (pod === undefined) {
      actions.push({ do: "create", ordinal, revision: revisionFor(state, ordinal) });
      if (ordered) return { actions, blocked: true };
    } else if (isPodFinished(pod) && !isPodTerminating(pod)) {
      actions.push({ do: "delete", pod, ordinal });
      if (ordered) return { actions, blocked: true };
    } else if (ordered && !isHealthy(state, pod)) {
      return { actions, blocked: true };
    }
  }
  return { actions, blocked: false };
}

/** Highest ordinal first; with OrderedReady each waits until the one above it is gone. */
function scaleDown(places: Places, ordered: boolean): Progress {
  const actions: StatefulSetAction[] = [];
  for (const { ordinal, pod } of places.condemned) {
    if (!isPodTerminating(pod)) actions.push({ do: "delete", pod, ordinal });
    if (ordered) return { actions, blocked: true };
  }
  return { actions, blocked: actions.length > 0 };
}

/** Rolling update: from the highest ordinal down to the partition, one pod at a time. */
function update(state: StatefulSetState, places: Places): StatefulSetAction[] {
  const strategy = state.set.spec?.updateStrategy;
  if (strategy?.type === "OnDelete") return [];
  const lowest = (state.set.spec?.ordinals?.start ?? 0) + (strategy?.rollingUpdate?.partition ?? 0);
  for (const { ordinal, pod } of places.wanted.toReversed()) {
    if (ordinal < lowest || pod === undefined) break;
    if (revisionOfPod(pod) !== state.updateRevision && !isPodTerminating(pod)) return [{ do: "delete", pod, ordinal }];
    if (!isHealthy(state, pod)) break;
  }
  return [];
}

/** During a rolling update, pods below the partition (or not reached yet) are made anew from the old revision. */
function revisionFor({ set, currentRevision, updateRevision }: StatefulSetState, ordinal: number): string {
  const strategy = set.spec?.updateStrategy;
  if (strategy?.type === "OnDelete") return updateRevision;
  const start = set.spec?.ordinals?.start ?? 0;
  const kept = strategy?.rollingUpdate?.partition ?? set.status?.currentReplicas ?? 0;
  return ordinal < start + kept ? currentRevision : updateRevision;
}

function isHealthy({ set, now }: StatefulSetState, pod: Pod): boolean {
  return isPodReady(pod) && !isPodTerminating(pod) && isPodAvailable(pod, set.spec?.minReadySeconds ?? 0, now);
}
