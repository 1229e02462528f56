/**
 * What a Deployment's rollout does next: a pure step from the Deployment and its ReplicaSets to the writes that bring
 * the world one step closer. controller.ts carries the writes out and comes back when their effects are seen.
 */
import type { Deployment, ReplicaSet } from "@kubewright/api/apps/v1";
import type { Pod } from "@kubewright/api/core/v1";
import { isPodFinished } from "../workload/pod-state.ts";
import { type Bounds, boundsOf } from "./bounds.ts";
import { proportionalSizes } from "./proportional.ts";
import {
  byAge,
  currentAnnotations,
  currentReplicaSet,
  DESIRED_REPLICAS,
  MAX_REPLICAS,
  replicaSetFor,
  revisionOf,
} from "./replica-sets.ts";
import { newSize, oldSizes, type Sized } from "./rolling.ts";
import { countersOf, isComplete } from "./status.ts";

/** One write. */
export type RolloutAction =
  | { readonly do: "create"; readonly set: ReplicaSet }
  /** Sets the size and the annotations that record it. */
  | { readonly do: "scale"; readonly set: ReplicaSet; readonly replicas: number; readonly annotations: Annotations }
  /** Brings annotations and minReadySeconds of the current ReplicaSet up to date. */
  | { readonly do: "annotate"; readonly set: ReplicaSet; readonly annotations: Annotations }
  | { readonly do: "delete"; readonly set: ReplicaSet };

type Annotations = Readonly<Record<string, string>>;

/** The state that a step starts from. */
export interface Rollout {
  readonly deployment: Deployment;
  /** All ReplicaSets that the Deployment controls. */
  readonly sets: readonly ReplicaSet[];
  /** All pods of those ReplicaSets. */
  readonly pods: readonly Pod[];
}

/** What to write now, and which revision the Deployment is at. */
export interface RolloutStep {
  readonly actions: readonly RolloutAction[];
  /** The number of the rollout; 0 while there is none. */
  readonly revision: number;
}

/** The next step of a rollout. No actions means that nothing is to be done until something changes. */
export function planRollout(rollout: Rollout): RolloutStep {
  const { deployment, sets } = rollout;
  const current = currentReplicaSet(deployment, sets);
  const others = byAge(sets).filter((set) => set !== current);
  const revision = Math.max(current ? revisionOf(current) : 0, 1 + Math.max(0, ...others.map(revisionOf)));
  const step = (actions: readonly RolloutAction[]): RolloutStep => ({ actions, revision });
  if (deployment.metadata?.deletionTimestamp !== undefined) return step([]);
  const bounds = boundsOf(deployment);
  const frame: Frame = { rollout, current, others, bounds, revision };
  const annotate = annotateCurrent(frame);
  if (annotate.length > 0) return step(annotate);
  if (deployment.spec?.paused || isResized(frame)) return step(firstOf(resize(frame), () => cleanUp(frame)));
  if (deployment.spec?.strategy?.type === "Recreate") return step(firstOf(recreate(frame), () => cleanUp(frame)));
  return step(firstOf(roll(frame), () => cleanUp(frame)));
}

interface Frame {
  readonly rollout: Rollout;
  readonly current: ReplicaSet | undefined;
  /** Oldest first. */
  readonly others: readonly ReplicaSet[];
  readonly bounds: Bounds;
  readonly revision: number;
}

/** Rolling update: grow the new ReplicaSet as far as the surge allows, else shrink the old ones. */
function roll(frame: Frame): RolloutAction[] {
  const { current, others, bounds } = frame;
  if (current === undefined)
    return [create(frame, newSize(nothing, totalWanted(others), bounds.desired, bounds.surge))];
  const grown = newSize(sized(current), totalWanted([...others, current]), bounds.desired, bounds.surge);
  if (grown !== wanted(current)) return [scale(frame, current, grown)];
  const sizes = oldSizes(others.map(sized), sized(current), bounds.desired, bounds.unavailable);
  return scaleEach(frame, others, sizes);
}

/** Recreate: all old pods must be gone before the first new one starts. */
function recreate(frame: Frame): RolloutAction[] {
  const { current, others, bounds, rollout } = frame;
  const down = scaleEach(
    frame,
    others,
    others.map(() => 0),
  );
  if (down.length > 0) return down;
  const old = new Set(others.map((set) => set.metadata?.uid));
  const running = rollout.pods.some(
    (pod) =>
      !isPodFinished(pod) && pod.metadata?.ownerReferences?.some((owner) => owner.controller && old.has(owner.uid)),
  );
  if (running) return [];
  if (current === undefined) return [create(frame, bounds.desired)];
  return wanted(current) === bounds.desired ? [] : [scale(frame, current, bounds.desired)];
}

/** The Deployment's size changed, or it is paused: sizes follow in proportion, templates stay. */
function resize(frame: Frame): RolloutAction[] {
  const { current, others, bounds } = frame;
  const active = [...others, ...(current ? [current] : [])].filter((set) => wanted(set) > 0);
  const only = active.length <= 1 ? (active[0] ?? current ?? others.at(-1)) : undefined;
  if (only !== undefined) return isSizedFor(only, bounds) ? [] : [scale(frame, only, bounds.desired)];
  if (current !== undefined && isSaturated(current, bounds))
    return scaleEach(
      frame,
      others,
      others.map(() => 0),
    );
  if (frame.rollout.deployment.spec?.strategy?.type === "Recreate") return [];
  const sizes = proportionalSizes(active, bounds, frame.rollout.deployment.status?.replicas ?? 0);
  return active.flatMap((set, index) => {
    const size = sizes[index] ?? 0;
    return size === wanted(set) && isSizedFor(set, bounds) ? [] : [scale(frame, set, size)];
  });
}

/** Old ReplicaSets without pods go, but for as many as the history limit keeps. Only once the rollout is complete. */
function cleanUp(frame: Frame): RolloutAction[] {
  const { rollout, others, current } = frame;
  const { deployment, sets } = rollout;
  const surplus = others.length - (deployment.spec?.revisionHistoryLimit ?? 10);
  if (surplus <= 0 || !isComplete(deployment, countersOf(deployment, sets, current), frame.bounds.desired)) return [];
  return others
    .toSorted((left, right) => revisionOf(left) - revisionOf(right))
    .slice(0, surplus)
    .filter((set) => wanted(set) === 0 && set.status?.replicas === 0 && set.metadata?.deletionTimestamp === undefined)
    .map((set) => ({ do: "delete", set }));
}

function annotateCurrent(frame: Frame): RolloutAction[] {
  const { current, rollout, revision } = frame;
  if (current === undefined) return [];
  const existing = current.metadata?.annotations ?? {};
  const annotations = currentAnnotations(rollout.deployment, existing, revision);
  const minReady = rollout.deployment.spec?.minReadySeconds ?? 0;
  const changed = Object.entries(annotations).some(([key, value]) => existing[key] !== value);
  return changed || (current.spec?.minReadySeconds ?? 0) !== minReady
    ? [{ do: "annotate", set: current, annotations }]
    : [];
}

function isResized(frame: Frame): boolean {
  const all = [...frame.others, ...(frame.current ? [frame.current] : [])];
  return all.some(
    (set) =>
      wanted(set) > 0 &&
      Number(set.metadata?.annotations?.[DESIRED_REPLICAS] ?? frame.bounds.desired) !== frame.bounds.desired,
  );
}

function isSizedFor(set: ReplicaSet, bounds: Bounds): boolean {
  return wanted(set) === bounds.desired && set.metadata?.annotations?.[DESIRED_REPLICAS] === String(bounds.desired);
}

function isSaturated(set: ReplicaSet, { desired }: Bounds): boolean {
  const recorded = Number(set.metadata?.annotations?.[DESIRED_REPLICAS] ?? Number.NaN);
  return wanted(set) === desired && recorded === desired && (set.status?.availableReplicas ?? 0) === desired;
}

function create(frame: Frame, replicas: number): RolloutAction {
  const set = replicaSetFor(frame.rollout.deployment);
  const annotations = currentAnnotations(frame.rollout.deployment, sizeAnnotations(frame.bounds), frame.revision);
  return {
    do: "create",
    set: {
      ...set,
      metadata: { ...set.metadata, annotations },
      ...(set.spec ? { spec: { ...set.spec, replicas } } : {}),
    },
  };
}

function scale(frame: Frame, set: ReplicaSet, replicas: number): RolloutAction {
  return { do: "scale", set, replicas, annotations: sizeAnnotations(frame.bounds) };
}

function scaleEach(frame: Frame, sets: readonly ReplicaSet[], sizes: readonly number[]): RolloutAction[] {
  return sets.flatMap((set, index) => {
    const size = sizes[index] ?? 0;
    return size === wanted(set) ? [] : [scale(frame, set, size)];
  });
}

function sizeAnnotations({ desired, surge }: Bounds): Record<string, string> {
  return { [DESIRED_REPLICAS]: String(desired), [MAX_REPLICAS]: String(desired + surge) };
}

const nothing: Sized = { wanted: 0, available: 0 };

function sized(set: ReplicaSet): Sized {
  return { wanted: wanted(set), available: set.status?.availableReplicas ?? 0 };
}

function wanted(set: ReplicaSet): number {
  return set.spec?.replicas ?? 1;
}

function totalWanted(sets: readonly ReplicaSet[]): number {
  return sets.reduce((total, set) => total + wanted(set), 0);
}

function firstOf(actions: RolloutAction[], otherwise: () => RolloutAction[]): RolloutAction[] {
  return actions.length > 0 ? actions : otherwise();
}
