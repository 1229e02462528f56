/**
 * The arithmetic of a rolling update: how large the new ReplicaSet and the old ones may be now. Pure numbers; plan.ts
 * turns them into writes.
 */
import { type IntOrString, scaleIntOrPercent } from "@kubewright/core/meta";

/** How far a rollout may stray from the wanted number of replicas. */
export interface Fenceposts {
  /** How many pods above the wanted number may exist. */
  readonly surge: number;
  /** How many pods below the wanted number may be available. */
  readonly unavailable: number;
}

/** What counts of a ReplicaSet. */
export interface Sized {
  /** spec.replicas */
  readonly wanted: number;
  /** status.availableReplicas */
  readonly available: number;
}

/**
 * Absolute fenceposts from counts or percentages, of `desired` replicas: surge rounds up, unavailable rounds down, and
 * when both come out as nothing one pod may be missing, for otherwise no rollout could ever move.
 */
export function fencepostsOf(surge: IntOrString, unavailable: IntOrString, desired: number): Fenceposts {
  const result = {
    surge: scaleIntOrPercent(surge, desired, "up"),
    unavailable: scaleIntOrPercent(unavailable, desired, "down"),
  };
  return result.surge === 0 && result.unavailable === 0 ? { ...result, unavailable: 1 } : result;
}

/** The size that the new ReplicaSet may have now, given how many pods all ReplicaSets want together. */
export function newSize(newSet: Sized, totalWanted: number, desired: number, surge: number): number {
  if (newSet.wanted >= desired) return desired;
  const room = desired + surge - totalWanted;
  return room <= 0 ? newSet.wanted : newSet.wanted + Math.min(room, desired - newSet.wanted);
}

/**
 * The sizes that the old ReplicaSets may have now, in their order (oldest first). Pods that are not available go
 * first, whosever they are; then available ones, as far as enough remain available.
 */
export function oldSizes(old: readonly Sized[], newSet: Sized, desired: number, unavailable: number): number[] {
  const minimumAvailable = desired - unavailable;
  const total = newSet.wanted + sum(old.map((set) => set.wanted));
  let removable = total - minimumAvailable - Math.max(0, newSet.wanted - newSet.available);
  if (removable <= 0) return old.map((set) => set.wanted);
  const sizes = old.map((set) => {
    const drop = Math.min(removable, Math.max(0, set.wanted - set.available));
    removable -= drop;
    return set.wanted - drop;
  });
  let spare = newSet.available + sum(old.map((set) => set.available)) - minimumAvailable;
  return sizes.map((size) => {
    const drop = Math.max(0, Math.min(spare, size));
    spare -= drop;
    return size - drop;
  });
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0);
}
