/**
 * The status of a Deployment, from its ReplicaSets: counters, and the conditions Available, Progressing and
 * ReplicaFailure with the words that `kubectl rollout status` and people look for. Pure.
 */
import type { Deployment, DeploymentCondition, DeploymentStatus, ReplicaSet } from "@kubewright/api/apps/v1";
import { formatTime } from "@kubewright/core/meta";
import { boundsOf } from "./bounds.ts";

/** What the status is made from. */
export interface StatusInput {
  readonly deployment: Deployment;
  /** All ReplicaSets that the Deployment controls. */
  readonly sets: readonly ReplicaSet[];
  /** The one made from the current template. */
  readonly current: ReplicaSet | undefined;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/** The status that the Deployment should have now. */
export function deploymentStatus(input: StatusInput): DeploymentStatus {
  const { deployment, sets, current } = input;
  const counters = countersOf(deployment, sets, current);
  return { ...counters, conditions: conditionsOf(input, counters) };
}

/** When the rollout has run out of time, unless it moves before; undefined when no deadline is running. */
export function progressDeadline(deployment: Deployment, status: DeploymentStatus): number | undefined {
  const seconds = deployment.spec?.progressDeadlineSeconds;
  const progressing = find(status.conditions, "Progressing");
  if (seconds === undefined || progressing?.lastUpdateTime === undefined || deployment.spec?.paused) return undefined;
  if (progressing.reason === "NewReplicaSetAvailable" || progressing.reason === "ProgressDeadlineExceeded") {
    return undefined;
  }
  return Date.parse(progressing.lastUpdateTime) + seconds * 1000;
}

/** True when all wanted replicas are of the current template and available, and nothing else runs. */
export function isComplete(deployment: Deployment, status: DeploymentStatus | undefined, desired: number): boolean {
  return (
    (status?.updatedReplicas ?? 0) === desired &&
    (status?.replicas ?? 0) === desired &&
    (status?.availableReplicas ?? 0) === desired &&
    (status?.observedGeneration ?? 0) >= (deployment.metadata?.generation ?? 0)
  );
}

/** How many replicas there are, by their sets. */
export function countersOf(
  deployment: Deployment,
  sets: readonly ReplicaSet[],
  current: ReplicaSet | undefined,
): Omit<DeploymentStatus, "conditions"> {
  const total = (count: (set: ReplicaSet) => number | undefined): number =>
    sets.reduce((sum, set) => sum + (count(set) ?? 0), 0);
  const available = total((set) => set.status?.availableReplicas);
  const wanted = total((set) => set.spec?.replicas ?? 1);
  return {
    ...(deployment.metadata?.generation === undefined ? {} : { observedGeneration: deployment.metadata.generation }),
    ...present(
      "replicas",
      total((set) => set.status?.replicas),
    ),
    ...present("updatedReplicas", current?.status?.replicas ?? 0),
    ...present(
      "readyReplicas",
      total((set) => set.status?.readyReplicas),
    ),
    ...present("availableReplicas", available),
    ...present("unavailableReplicas", Math.max(0, wanted - available)),
    terminatingReplicas: total((set) => set.status?.terminatingReplicas),
    ...present("collisionCount", deployment.status?.collisionCount ?? 0),
  };
}

/** Counters of zero are left out, as Go does. */
function present(name: string, value: number): Record<string, number> {
  return value === 0 ? {} : { [name]: value };
}

function conditionsOf(input: StatusInput, counters: DeploymentStatus): DeploymentCondition[] {
  const kept = input.deployment.status?.conditions ?? [];
  const conditions = [
    availableCondition(input, counters),
    progressingCondition(input, counters),
    failureCondition(input),
  ];
  return conditions
    .filter((condition) => condition !== undefined)
    .map((condition) => keepTimes(condition, find(kept, condition.type)));
}

function availableCondition(input: StatusInput, counters: DeploymentStatus): DeploymentCondition {
  const { desired, unavailable } = boundsOf(input.deployment);
  return (counters.availableReplicas ?? 0) >= desired - unavailable
    ? condition(input.now, "Available", "True", "MinimumReplicasAvailable", "Deployment has minimum availability.")
    : condition(
        input.now,
        "Available",
        "False",
        "MinimumReplicasUnavailable",
        "Deployment does not have minimum availability.",
      );
}

function progressingCondition(input: StatusInput, counters: DeploymentStatus): DeploymentCondition | undefined {
  const { deployment, current, now } = input;
  const before = find(deployment.status?.conditions, "Progressing");
  const progressing = (status: "True" | "False" | "Unknown", reason: string, message: string): DeploymentCondition =>
    condition(now, "Progressing", status, reason, message);
  const named = `ReplicaSet "${current?.metadata?.name ?? ""}"`;
  if (deployment.spec?.progressDeadlineSeconds === undefined) return undefined;
  if (deployment.spec.paused) {
    return before?.reason === "ProgressDeadlineExceeded"
      ? before
      : progressing("Unknown", "DeploymentPaused", "Deployment is paused");
  }
  if (before?.reason === "DeploymentPaused") {
    return progressing("Unknown", "DeploymentResumed", "Deployment is resumed");
  }
  if (isComplete(deployment, counters, boundsOf(deployment).desired)) {
    return before?.reason === "NewReplicaSetAvailable" && counters.replicas === counters.updatedReplicas
      ? before
      : progressing("True", "NewReplicaSetAvailable", `${named} has successfully progressed.`);
  }
  if (before === undefined) {
    return progressing("True", "NewReplicaSetCreated", `Created new replica set "${current?.metadata?.name ?? ""}"`);
  }
  if (hasProgressed(deployment.status, counters)) {
    return progressing("True", "ReplicaSetUpdated", `${named} is progressing.`);
  }
  const deadline = progressDeadline(deployment, deployment.status ?? {});
  return deadline !== undefined && deadline <= now
    ? progressing("False", "ProgressDeadlineExceeded", `${named} has timed out progressing.`)
    : before;
}

function hasProgressed(before: DeploymentStatus | undefined, after: DeploymentStatus): boolean {
  const old = (status: DeploymentStatus | undefined): number =>
    (status?.replicas ?? 0) - (status?.updatedReplicas ?? 0);
  return (
    (after.updatedReplicas ?? 0) > (before?.updatedReplicas ?? 0) ||
    old(after) < old(before) ||
    (after.readyReplicas ?? 0) > (before?.readyReplicas ?? 0) ||
    (after.availableReplicas ?? 0) > (before?.availableReplicas ?? 0)
  );
}

/** A ReplicaSet that cannot create its pods says so; the current one's word comes first. */
function failureCondition({ sets, current, now }: StatusInput): DeploymentCondition | undefined {
  for (const set of [...(current ? [current] : []), ...sets]) {
    const failure = set.status?.conditions?.find((each) => each.type === "ReplicaFailure");
    if (failure) return condition(now, "ReplicaFailure", failure.status, failure.reason ?? "", failure.message ?? "");
  }
  return undefined;
}

function condition(now: number, type: string, status: string, reason: string, message: string): DeploymentCondition {
  const time = formatTime(now);
  return { type, status, reason, message, lastUpdateTime: time, lastTransitionTime: time };
}

/** The transition time flips with the status only; a condition that says nothing new keeps its update time too. */
function keepTimes(next: DeploymentCondition, before: DeploymentCondition | undefined): DeploymentCondition {
  if (before === undefined || before === next) return next;
  const sameStatus = before.status === next.status;
  if (sameStatus && before.reason === next.reason && next.reason !== "ReplicaSetUpdated") return before;
  return sameStatus && before.lastTransitionTime ? { ...next, lastTransitionTime: before.lastTransitionTime } : next;
}

function find(conditions: readonly DeploymentCondition[] | undefined, type: string): DeploymentCondition | undefined {
  return conditions?.find((each) => each.type === type);
}
