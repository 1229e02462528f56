/**
 * Proportional scaling: when a Deployment is resized in the middle of a rollout, each ReplicaSet grows or shrinks by
 * its share, so that the rollout keeps its progress and no revision takes the whole risk.
 */
import type { ReplicaSet } from "@kubewright/api/apps/v1";
import type { Bounds } from "./bounds.ts";
import { MAX_REPLICAS } from "./replica-sets.ts";

/** The new sizes of `sets` (in their order); what rounding leaves over goes to the largest. */
export function proportionalSizes(sets: readonly ReplicaSet[], bounds: Bounds, statusReplicas: number): number[] {
  const allowed = bounds.desired > 0 ? bounds.desired + bounds.surge : 0;
  const toAdd = allowed - sets.reduce((total, set) => total + size(set), 0);
  const order = rankBySize(sets, toAdd > 0);
  const sizes = new Map<ReplicaSet, number>();
  let added = 0;
  for (const set of order) {
    const share = toAdd === 0 ? 0 : clamp(fraction(set, bounds, statusReplicas), toAdd - added);
    sizes.set(set, size(set) + share);
    added += share;
  }
  const [largest] = order;
  if (largest !== undefined) sizes.set(largest, Math.max(0, (sizes.get(largest) ?? 0) + toAdd - added));
  return sets.map((set) => sizes.get(set) ?? 0);
}

/** Largest first; among equals the newer one grows first and the older one shrinks first. */
function rankBySize(sets: readonly ReplicaSet[], growing: boolean): ReplicaSet[] {
  const age = (set: ReplicaSet): number => Date.parse(set.metadata?.creationTimestamp ?? "") || 0;
  return sets.toSorted(
    (left, right) => size(right) - size(left) || (growing ? age(right) - age(left) : age(left) - age(right)),
  );
}

/** By how much `set` should change for its share of all pods to stay the same. */
function fraction(set: ReplicaSet, bounds: Bounds, statusReplicas: number): number {
  if (bounds.desired === 0) return -size(set);
  const before = Number(set.metadata?.annotations?.[MAX_REPLICAS] ?? 0) || statusReplicas;
  if (before === 0) return 0;
  return Math.round((size(set) * (bounds.desired + bounds.surge)) / before) - size(set);
}

/** Not more, in either direction, than what is left. */
function clamp(share: number, left: number): number {
  return left > 0 ? Math.min(share, left) : Math.max(share, left);
}

function size(set: ReplicaSet): number {
  return set.spec?.replicas ?? 1;
}
