/** How a Job ends: the verdict over its pods, and the conditions that announce and confirm it. Pure. */
import type { Job, JobCondition } from "@kubewright/api/batch/v1";
import type { Pod } from "@kubewright/api/core/v1";
import { formatTime } from "@kubewright/core/meta";
import type { Count } from "./counting.ts";

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
  readonly count: Count;
  /** Pods, or indexes, that ended well. */
  readonly succeeded: number;
  readonly active: number;
  readonly startTime: string | undefined;
  readonly now: number;
}

/** How the Job ends, or undefined while that is open. What was announced stays. */
export function verdictOf(input: VerdictInput): Verdict | undefined {
  const { job, count, succeeded, active } = input;
  const met = conditionTrue(job, "SuccessCriteriaMet");
  if (met !== undefined) return { interim: "SuccessCriteriaMet", final: "Complete", ...wording(met) };
  const target = conditionTrue(job, "FailureTarget");
  if (target !== undefined) return { interim: "FailureTarget", final: "Failed", ...wording(target) };
  const failed = count.failed + count.noted.failed.length;
  if (failed > backoffLimitOf(job) || restartedTooOften(job, input.pods)) {
    return failure("BackoffLimitExceeded", "Job has reached the specified backoff limit");
  }
  if (isPastDeadline(input)) return failure("DeadlineExceeded", "Job was active longer than specified deadline");
  const { completions } = job.spec ?? {};
  const complete = (completions === undefined ? succeeded > 0 : succeeded >= completions) && active === 0;
  return complete ? success : undefined;
}

/** The condition of this type that is True. */
export function conditionTrue(job: Job, type: string): JobCondition | undefined {
  return job.status?.conditions?.find((each) => each.type === type && each.status === "True");
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
  const condition = { type, status, reason, message, lastProbeTime: time, lastTransitionTime };
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
