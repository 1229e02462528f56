/**
 * The conditions of an object whose work is done by a Deployment: Ready, Progressing and Degraded, in words that say
 * what is going on. Controllers put them into their `status`; the runtime keeps the times of transition.
 */
import type { Deployment, DeploymentCondition } from "@kubewright/api/apps/v1";
import type { ConditionInput } from "../controller/define-controller.ts";

/**
 * Ready, Progressing and Degraded, as the Deployment tells; `problems` with other children degrade the object, too.
 * @example status: (memcached, observed) => ({ conditions: rolloutConditions(observed.get(Deployment, "a"), observed.problems) })
 */
export function rolloutConditions(
  deployment: Deployment | undefined,
  problems: readonly Error[] = [],
): ConditionInput[] {
  const counts = countsOf(deployment);
  const failure = problemOf(problems) ?? failureOf(deployment);
  const rolledOut = counts.isObserved && counts.updated === counts.desired && counts.total === counts.desired;
  const done = rolledOut && counts.available === counts.desired && problems.length === 0;
  const progress = `${counts.available} of ${counts.desired} replicas are available`;
  return [
    {
      type: "Ready",
      status: done ? "True" : "False",
      reason: done ? "AllReplicasAvailable" : "ReplicasUnavailable",
      message: progress,
    },
    {
      type: "Progressing",
      status: done || failure !== undefined ? "False" : "True",
      reason: done ? "RolledOut" : failure !== undefined ? "Stopped" : "RollingOut",
      message: `${counts.updated} of ${counts.desired} replicas are up to date`,
    },
    {
      type: "Degraded",
      status: failure === undefined ? "False" : "True",
      reason: failure?.reason ?? "AsExpected",
      message: failure?.message ?? "nothing is wrong",
    },
  ];
}

interface Failure {
  readonly reason: string;
  readonly message: string;
}

interface Counts {
  /** The Deployment controller has seen the current spec, so the other counts speak of it. */
  readonly isObserved: boolean;
  readonly desired: number;
  readonly updated: number;
  readonly total: number;
  readonly available: number;
}

function countsOf(deployment: Deployment | undefined): Counts {
  const { status, spec, metadata } = deployment ?? {};
  return {
    isObserved: deployment !== undefined && (status?.observedGeneration ?? 0) >= (metadata?.generation ?? 0),
    desired: spec?.replicas ?? 1,
    updated: status?.updatedReplicas ?? 0,
    total: status?.replicas ?? 0,
    available: status?.availableReplicas ?? 0,
  };
}

function problemOf([problem]: readonly Error[]): Failure | undefined {
  return problem && { reason: "ChildNotApplied", message: problem.message };
}

/** What stops the rollout: pods that cannot be made, or none that got ready in time. */
function failureOf(deployment: Deployment | undefined): Failure | undefined {
  const conditions = deployment?.status?.conditions ?? [];
  const stops = ({ type, status }: DeploymentCondition): boolean =>
    (type === "ReplicaFailure" && status === "True") || (type === "Progressing" && status === "False");
  const found = conditions.find(stops);
  return found && { reason: found.reason ?? "Failed", message: found.message ?? "the rollout does not progress" };
}
