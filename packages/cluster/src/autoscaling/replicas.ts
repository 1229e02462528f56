/**
 * How many replicas a measurement calls for: the current number times measured over wanted, unless that is within the
 * tolerance. Pods without a measurement, and pods that are not ready, dampen the change. Pure.
 */
import type { Pod } from "@kubewright/api/core/v1";

/** How far from 1 a ratio may be without any change. */
export interface Tolerance {
  readonly up: number;
  readonly down: number;
}

/** How long after its start a pod that is not ready is taken for one that still starts. */
const CPU_START_MS = 5 * 60_000;
const FIRST_READINESS_MS = 30_000;

/** What the measurement of pods is judged by. */
export interface PodMeasurement {
  readonly pods: readonly Pod[];
  readonly currentReplicas: number;
  /** What a pod uses; undefined when nobody knows. */
  readonly usageOf: (pod: Pod) => number | undefined;
  /** What one pod with that share of the target would use: for pods without a measurement. */
  readonly assumedUsage: (pod: Pod) => number;
  /** Measured over wanted, for these amounts by pod. */
  readonly ratioOf: (usage: ReadonlyMap<Pod, number>) => number;
  /** True for measurements of CPU, which say nothing while a pod starts. */
  readonly isCpu: boolean;
  readonly tolerance: Tolerance;
  readonly now: number;
}

/** The wanted replicas, and the measured amounts; throws when nothing was measured. */
export function replicasForPods(input: PodMeasurement): {
  readonly replicas: number;
  readonly usage: ReadonlyMap<Pod, number>;
} {
  const { ready, unready, missing } = groupPods(input);
  if (ready.size === 0) throw new Error("did not receive metrics for targeted pods (pods might be unready)");
  const ratio = input.ratioOf(ready);
  const startsMore = unready.length > 0 && ratio > 1;
  if (!startsMore && missing.length === 0) {
    const replicas = isWithin(ratio, input.tolerance) ? input.currentReplicas : ceil(ratio * ready.size);
    return { replicas, usage: ready };
  }
  const assumed = new Map(ready);
  if (ratio !== 1) for (const pod of missing) assumed.set(pod, ratio < 1 ? input.assumedUsage(pod) : 0);
  if (startsMore) for (const pod of unready) assumed.set(pod, 0);
  return { replicas: dampened(input, ratio, assumed), usage: ready };
}

/** The wanted replicas for one number about all of them together. */
export function replicasForRatio(
  ratio: number,
  {
    currentReplicas,
    readyPods,
    tolerance,
  }: {
    readonly currentReplicas: number;
    readonly readyPods: number;
    readonly tolerance: Tolerance;
  },
): number {
  if (currentReplicas === 0) return ceil(ratio);
  return isWithin(ratio, tolerance) ? currentReplicas : ceil(ratio * readyPods);
}

/** The wanted replicas for a number that is shared among them. */
export function replicasForAverage(
  usage: number,
  {
    target,
    statusReplicas,
    tolerance,
  }: {
    readonly target: number;
    readonly statusReplicas: number;
    readonly tolerance: Tolerance;
  },
): number {
  return isWithin(usage / (target * statusReplicas), tolerance) ? statusReplicas : ceil(usage / target);
}

/** No change when the assumptions turn it round, or make it too small. */
function dampened(
  { ratioOf, tolerance, currentReplicas }: PodMeasurement,
  ratio: number,
  usage: ReadonlyMap<Pod, number>,
): number {
  const next = ratioOf(usage);
  if (isWithin(next, tolerance) || (ratio < 1 && next > 1) || (ratio > 1 && next < 1)) return currentReplicas;
  const replicas = ceil(next * usage.size);
  const isTurned = (next < 1 && replicas > currentReplicas) || (next > 1 && replicas < currentReplicas);
  return isTurned ? currentReplicas : replicas;
}

function groupPods(input: PodMeasurement): {
  readonly ready: ReadonlyMap<Pod, number>;
  readonly unready: readonly Pod[];
  readonly missing: readonly Pod[];
} {
  const ready = new Map<Pod, number>();
  const [unready, missing]: [Pod[], Pod[]] = [[], []];
  for (const pod of input.pods) {
    if (pod.metadata?.deletionTimestamp !== undefined || pod.status?.phase === "Failed") continue;
    const usage = input.usageOf(pod);
    if (pod.status?.phase === "Pending") unready.push(pod);
    else if (usage === undefined) missing.push(pod);
    else if (input.isCpu && isStarting(pod, input.now)) unready.push(pod);
    else ready.set(pod, usage);
  }
  return { ready, unready, missing };
}

function isStarting({ status }: Pod, now: number): boolean {
  const condition = status?.conditions?.find(({ type }) => type === "Ready");
  if (condition === undefined || status?.startTime === undefined) return true;
  const startedAt = Date.parse(status.startTime);
  if (startedAt + CPU_START_MS > now) return condition.status === "False";
  return (
    condition.status === "False" && startedAt + FIRST_READINESS_MS > Date.parse(condition.lastTransitionTime ?? "")
  );
}

function isWithin(ratio: number, { up, down }: Tolerance): boolean {
  return 1 - down <= ratio && ratio <= 1 + up;
}

/** Upwards, except for what is an error of floating point. */
function ceil(value: number): number {
  return Math.ceil(value - 1e-9);
}
