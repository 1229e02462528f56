/**
 * What a DaemonSet does next: a pure step from the set, the nodes and its pods to the pods to create and delete, and its
 * status. One pod per node that it runs on; a rolling update keeps within its limits. controller.ts carries it out.
 */
import type { DaemonSet, DaemonSetStatus } from "@kubewright/api/apps/v1";
import type { Node, Pod } from "@kubewright/api/core/v1";
import { scaleIntOrPercent } from "@kubewright/core/meta";
import { isPodAvailable, isPodFinished, isPodReady, isPodTerminating } from "../workload/pod-state.ts";
import { HASH_LABEL } from "../workload/revisions.ts";
import { nodeOf, type Placement, placementOn } from "./placement.ts";

/** The state that a step starts from. */
export interface DaemonSetState {
  readonly set: DaemonSet;
  readonly nodes: readonly Node[];
  /** All pods that the set controls. */
  readonly pods: readonly Pod[];
  /** The hash of the set's template. */
  readonly hash: string;
  readonly now: number;
}

/** One step. */
export interface DaemonSetStep {
  /** Names of nodes that get a pod. */
  readonly create: readonly string[];
  readonly remove: readonly Pod[];
  readonly status: DaemonSetStatus;
}

/** One node and the pods of the set on it. */
interface Place {
  readonly node: string;
  readonly placement: Placement;
  readonly pods: readonly Pod[];
}

/** The next step of a DaemonSet. */
export function planDaemonSet(state: DaemonSetState): DaemonSetStep {
  const places = placesOf(state);
  const status = statusOf(state, places);
  if (state.set.metadata?.deletionTimestamp !== undefined) return { create: [], remove: [], status };
  const kept = keep(state, places);
  if (kept.create.length + kept.remove.length > 0) return { ...kept, status };
  const rolls = state.set.spec?.updateStrategy?.type !== "OnDelete";
  return { ...(rolls ? roll(state, places) : nothing), status };
}

type Changes = Pick<DaemonSetStep, "create" | "remove">;
const nothing: Changes = { create: [], remove: [] };

function placesOf({ set, nodes, pods }: DaemonSetState): readonly Place[] {
  const byNode = Map.groupBy(pods, (pod) => nodeOf(pod) ?? "");
  const known = nodes.map((each): Place => {
    const node = each.metadata?.name ?? "";
    return { node, placement: placementOn(set, each), pods: byNode.get(node) ?? [] };
  });
  const names = new Set(known.map(({ node }) => node));
  const lost = [...byNode].filter(([node]) => !names.has(node));
  return [...known, ...lost.map(([node, left]) => ({ node, placement: { runs: false, stays: false }, pods: left }))];
}

/** One pod where one should be, none where none may be; ended ones are replaced. */
function keep(state: DaemonSetState, places: readonly Place[]): Changes {
  const create: string[] = [];
  const remove: Pod[] = [];
  for (const { node, placement, pods } of places) {
    const staying = pods.filter((pod) => !isPodTerminating(pod));
    if (!placement.stays) {
      remove.push(...staying);
      continue;
    }
    const ended = staying.filter(isPodFinished);
    remove.push(...ended);
    const alive = staying.filter((pod) => !isPodFinished(pod)).toSorted(byAge);
    if (placement.runs && pods.length === 0) create.push(node);
    remove.push(...surplus(state, alive));
  }
  return { create, remove };
}

/** Of several pods on a node the oldest stays; while surging, the oldest of each revision. */
function surplus({ set, hash }: DaemonSetState, alive: readonly Pod[]): readonly Pod[] {
  if (limitsOf(set, 1).surge === 0) return alive.slice(1);
  const updated = alive.filter((pod) => isUpdated(pod, hash));
  const old = alive.filter((pod) => !isUpdated(pod, hash));
  return [...updated.slice(1), ...old.slice(1)];
}

/** A rolling update: as many old pods go, or new ones come, as the limits allow at once. */
function roll(state: DaemonSetState, places: readonly Place[]): Changes {
  const { set, hash, now } = state;
  const wanted = places.filter(({ placement }) => placement.runs);
  const { surge, unavailable } = limitsOf(set, wanted.length);
  const available = (pod: Pod): boolean => isPodAvailable(pod, set.spec?.minReadySeconds ?? 0, now);
  const nodes = wanted.map(({ node, pods }) => ({
    node,
    old: pods.find((pod) => !isUpdated(pod, hash) && !isPodTerminating(pod)),
    updated: pods.find((pod) => isUpdated(pod, hash) && !isPodTerminating(pod)),
  }));
  if (surge > 0) {
    const surging = nodes.filter(({ old, updated }) => old && updated);
    const room = Math.max(0, surge - surging.filter(({ updated }) => updated && !available(updated)).length);
    const candidates = nodes.filter(({ old, updated }) => old !== undefined && updated === undefined);
    const broken = candidates.filter(({ old }) => old && !available(old));
    const sound = candidates.filter(({ old }) => old && available(old)).slice(0, room);
    return {
      create: [...broken, ...sound].map(({ node }) => node),
      remove: surging.flatMap(({ old, updated }) => (old && updated && available(updated) ? [old] : [])),
    };
  }
  const missing = nodes.filter(({ old, updated }) => {
    const pod = updated ?? old;
    return pod === undefined || !available(pod);
  }).length;
  const old = nodes.flatMap((each) => (each.old && each.updated === undefined ? [each.old] : []));
  const room = Math.max(0, unavailable - missing);
  return {
    create: [],
    remove: [...old.filter((pod) => !available(pod)), ...old.filter(available).slice(0, room)],
  };
}

function limitsOf(set: DaemonSet, desired: number): { readonly surge: number; readonly unavailable: number } {
  const { maxSurge = 0, maxUnavailable = 1 } = set.spec?.updateStrategy?.rollingUpdate ?? {};
  const surge = scaleIntOrPercent(maxSurge, desired, "up");
  const unavailable = scaleIntOrPercent(maxUnavailable, desired, "up");
  return { surge, unavailable: surge === 0 && unavailable === 0 ? 1 : unavailable };
}

function statusOf({ set, hash, now }: DaemonSetState, places: readonly Place[]): DaemonSetStatus {
  const wanted = places.filter(({ placement }) => placement.runs);
  const first = wanted.flatMap(({ pods }) => pods.toSorted(byAge).slice(0, 1));
  const staying = first.filter((pod) => !isPodTerminating(pod));
  const available = staying.filter((pod) => isPodAvailable(pod, set.spec?.minReadySeconds ?? 0, now)).length;
  const unavailable = wanted.length - available;
  const updated = first.filter((pod) => isUpdated(pod, hash)).length;
  return {
    currentNumberScheduled: first.length,
    desiredNumberScheduled: wanted.length,
    numberMisscheduled: places.filter(({ placement, pods }) => !placement.runs && pods.length > 0).length,
    numberReady: staying.filter(isPodReady).length,
    ...(updated === 0 ? {} : { updatedNumberScheduled: updated }),
    ...(available === 0 ? {} : { numberAvailable: available }),
    ...(unavailable === 0 ? {} : { numberUnavailable: unavailable }),
    ...(set.metadata?.generation === undefined ? {} : { observedGeneration: set.metadata.generation }),
    ...(set.status?.collisionCount === undefined ? {} : { collisionCount: set.status.collisionCount }),
  };
}

function isUpdated(pod: Pod, hash: string): boolean {
  return pod.metadata?.labels?.[HASH_LABEL] === hash;
}

/** Pods on their node first, then by age. */
function byAge(left: Pod, right: Pod): number {
  const key = ({ metadata, spec }: Pod): string =>
    `${spec?.nodeName ? 0 : 1} ${metadata?.creationTimestamp ?? ""} ${metadata?.name ?? ""}`;
  return key(left) < key(right) ? -1 : 1;
}
