/** How a Job ends: the verdict over its pods, and the conditions that announce and confirm it. Pure. */
import type { Job, JobCondition } from "@kubewright/api/batch/v1";
import type { Pod } from "@kubewright/api/core/v1";
import { formatTime } from "@kubewright/core/meta";
import { matchFailurePolicy } from "./failure-policy.ts";
import { isPodFailure } from "./pods.ts";
import { matchSuccessPolicy } from "./success-policy.ts";

/** The end that a Job is heading for. */
export interface Verdict {
  /** Said at once, while pods are still being stopped and counted. */
  readonly interim: "SuccessCriteriaMet" | "FailureTarget";
  /** Said when nothing of the Job runs any more. */
  readonly final: "Complete" | "Failed";
  readonly reason: string;
  readonly message: string;
}

/** What a verdict is made from. */
export interface VerdictInput {
  readonly job: Job;
  readonly pods: readonly Pod[];
  /** Pods that failed and count, whether their end is noted or not. */
  readonly failed: number;
  /** Pods, or indexes, that ended well. */
  readonly succeeded: number;
  /** The indexes that ended well, and those that are given up; undefined where the Job has no such thing. */
  readonly succeededIndexes: ReadonlySet<number> | undefined;
  readonly failedIndexes: ReadonlySet<number> | undefined;
  readonly active: number;
  readonly startTime: string | undefined;
  readonly now: number;
}

/** How the Job ends, or undefined while that is open. What was announced stays. */
export function verdictOf(input: VerdictInput): Verdict | undefined {
  const { job, pods, failed, succeeded, active } = input;
  const met = conditionTrue(job, "SuccessCriteriaMet");
  if (met !== undefined) return { interim: "SuccessCriteriaMet", final: "Complete", ...wording(met) };
  const target = conditionTrue(job, "FailureTarget");
  if (target !== undefined) return { interim: "FailureTarget", final: "Failed", ...wording(target) };
  const fatal = fatalFailure(job, pods);
  if (fatal !== undefined) return failure("PodFailurePolicy", fatal);
  if (failed > backoffLimitOf(job) || restartedTooOften(job, pods)) {
    return failure("BackoffLimitExceeded", "Job has reached the specified backoff limit");
  }
  if (isPastDeadline(input)) return failure("DeadlineExceeded", "Job was active longer than specified deadline");
  return verdictOfIndexes(input) ?? verdictOfCompletions(job, succeeded, active);
}

/** Why the Job's policy lets it fail with its first such pod. */
function fatalFailure(job: Job, pods: readonly Pod[]): string | undefined {
  if (job.spec?.podFailurePolicy === undefined) return undefined;
  return pods
    .filter((pod) => isPodFailure(job, pod))
    .map((pod) => matchFailurePolicy(job, pod))
    .find((match) => match?.action === "FailJob")?.message;
}

function verdictOfIndexes({ job, succeededIndexes, failedIndexes }: VerdictInput): Verdict | undefined {
  if (succeededIndexes === undefined) return undefined;
  const { maxFailedIndexes = Number.POSITIVE_INFINITY, completions = 0 } = job.spec ?? {};
  const given = failedIndexes?.size ?? 0;
  if (given > maxFailedIndexes) {
    const message = "Job has exceeded the specified maximal number of failed indexes";
    return failure("MaxFailedIndexesExceeded", message);
  }
  if (given > 0 && given + succeededIndexes.size >= completions)
    return failure("FailedIndexes", "Job has failed indexes");
  const message = matchSuccessPolicy(job, succeededIndexes);
  return message === undefined ? undefined : { ...success, reason: "SuccessPolicy", message };
}

function verdictOfCompletions(job: Job, succeeded: number, active: number): Verdict | undefined {
  const { completions } = job.spec ?? {};
  const complete = (completions === undefined ? succeeded > 0 : succeeded >= completions) && active === 0;
  return complete ? success : undefined;
}

/** The condition of this type that is True. */
export function conditionTrue(job: Job, type: string): JobCondition | undefined {
  for (const each of job.status?.conditions ?? []) if (each.type === type && each.status === "True") return each;
  return undefined;
}

/** How the Job ended; undefined while it has not. */
export function endOfJob(job: Job): Verdict["final"] | undefined {
  for (const { type, status } of job.status?.conditions ?? []) {
    if ((type === "Complete" || type === "Failed") && status === "True") return type;
  }
  return undefined;
}

/** The conditions with one of them set; the same ones when nothing changes. */
export function withCondition(
  conditions: readonly JobCondition[],
  next: Pick<JobCondition, "type" | "status" | "reason" | "message">,
  now: number,
): readonly JobCondition[] {
  const { type, status, reason = "", message = "" } = next;
  const before = conditions.find((each) => each.type === type);
  if (before?.status === status && before.reason === reason) return conditions;
  const time = formatTime(now);
  const lastTransitionTime = before?.status === status ? (before.lastTransitionTime ?? time) : time;
  const condition = { type, status, lastProbeTime: time, lastTransitionTime, reason, message };
  return before === undefined
    ? [...conditions, condition]
    : conditions.map((each) => (each.type === type ? condition : each));
}

const success: Verdict = {
  interim: "SuccessCriteriaMet",
  final: "Complete",
  reason: "CompletionsReached",
  message: "Reached expected number of succeeded pods",
};

function failure(reason: string, message: string): Verdict {
  return { interim: "FailureTarget", final: "Failed", reason, message };
}

function wording(condition: JobCondition): { reason: string; message: string } {
  return { reason: condition.reason ?? "", message: condition.message ?? "" };
}

function backoffLimitOf(job: Job): number {
  return job.spec?.backoffLimit ?? 6;
}

/** With restartPolicy OnFailure the kubelet retries in place; those retries count, too. */
function restartedTooOften(job: Job, pods: readonly Pod[]): boolean {
  if (job.spec?.template.spec?.restartPolicy !== "OnFailure") return false;
  const restarts = pods
    .filter((pod) => pod.status?.phase === "Running" || pod.status?.phase === "Pending")
    .flatMap((pod) => [...(pod.status?.initContainerStatuses ?? []), ...(pod.status?.containerStatuses ?? [])])
    .reduce((total, status) => total + status.restartCount, 0);
  const limit = backoffLimitOf(job);
  return limit === 0 ? restarts > 0 : restarts >= limit;
}

function isPastDeadline({ job, startTime, now }: VerdictInput): boolean {
  const seconds = job.spec?.activeDeadlineSeconds;
  if (seconds === undefined || startTime === undefined || job.spec?.suspend) return false;
  return now - Date.parse(startTime) >= seconds * 1000;
}
