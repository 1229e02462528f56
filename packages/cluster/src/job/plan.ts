/**
 * What a Job does next: a pure step from the Job and its pods to its status and the pods to create, delete and let go.
 * controller.ts carries it out, in that order, and comes back when its effects are seen.
 */
import type { Job, JobCondition, JobStatus } from "@kubewright/api/batch/v1";
import type { Pod } from "@kubewright/api/core/v1";
import { formatTime } from "@kubewright/core/meta";
import { isPodActive, isPodFinished, isPodReady, isPodTerminating } from "../workload/pod-state.ts";
import { endOfJob, type Verdict, verdictOf, withCondition } from "./conditions.ts";
import { type Count, countPods } from "./counting.ts";
import { type IndexFailures, indexFailures } from "./index-failures.ts";
import { completionIndexOf, formatIndexes, parseIndexes } from "./indexes.ts";
import type { NextPod } from "./next-pod.ts";
import { isTracked } from "./pods.ts";
import { earliest, stopAll, type Work, workOf } from "./work.ts";

/** One step. */
export interface JobStep {
  /** Makes the status: a step that does no more than create pods writes none. */
  readonly status: () => JobStatus;
  /** Pods to create. */
  readonly create: readonly NextPod[];
  /** Active pods that have to go. */
  readonly remove: readonly Pod[];
  /** True when removed pods are not failures: the Job is suspended, wants fewer at once or has succeeded without them. */
  readonly removeUncounted: boolean;
  /** Pods whose end is noted in the status: their finalizer goes. */
  readonly release: readonly Pod[];
  /** When to look again although nothing changed. */
  readonly wakeAt: number | undefined;
}

/** True when the Job has ended, well or not. */
export function isJobFinished(job: Job): boolean {
  return endOfJob(job) !== undefined;
}

const NONE: ReadonlySet<Pod> = new Set();

/** The next step of a Job that has not ended. */
export function planJob(job: Job, pods: readonly Pod[], now: number): JobStep {
  const suspended = job.spec?.suspend === true;
  const indexes = succeededIndexes(job, pods);
  const failures = indexFailures(job, pods, indexes);
  const all = countPods(job, pods, NONE);
  const succeeded = indexes?.size ?? all.succeeded + all.noted.succeeded.length;
  const active = pods.filter(isPodActive);
  const started = startOf(job, suspended, now);
  const verdict = verdictOf({
    job,
    pods,
    succeeded,
    failed: all.failed + all.noted.failed.length,
    succeededIndexes: indexes,
    failedIndexes: failures?.failed,
    active: active.length,
    startTime: started,
    now,
  });
  const work =
    verdict === undefined ? workOf({ job, pods, active, succeeded, indexes, failures, now }) : stopAll(active);
  // A pod to be replaced is kept until its replacement is there; once the Job ends there will be none.
  const isKeeping = verdict === undefined && failures !== undefined;
  const count = isKeeping ? countPods(job, pods, new Set(failures.replaceable.values())) : all;
  const settled = new Set([...count.noted.succeeded, ...count.noted.failed, ...count.ignored]);
  const frame: Frame = { job, pods, active, count, indexes, failures, started, verdict, work, now };
  return {
    status: () => statusOf(frame),
    create: work.create,
    remove: work.remove,
    removeUncounted: verdict?.final !== "Failed",
    release: pods.filter((pod) => isTracked(pod) && settled.has(pod.metadata?.uid ?? "")),
    wakeAt: earliest([work.wakeAt, deadlineOf(job, started)]),
  };
}

interface Frame {
  readonly job: Job;
  readonly pods: readonly Pod[];
  readonly active: readonly Pod[];
  readonly count: Count;
  readonly indexes: ReadonlySet<number> | undefined;
  readonly failures: IndexFailures | undefined;
  readonly started: string | undefined;
  readonly verdict: Verdict | undefined;
  readonly work: Work;
  readonly now: number;
}

function statusOf(frame: Frame): JobStatus {
  const { pods, active, count, indexes, started, work, now } = frame;
  const terminating = pods.filter((pod) => isPodTerminating(pod) && !isPodFinished(pod)).length + work.remove.length;
  const activeNow = active.length - work.remove.length;
  const noted = count.noted.succeeded.length + count.noted.failed.length;
  const over = frame.verdict !== undefined && active.length === 0 && terminating === 0 && noted === 0;
  const conditions = conditionsOf(frame, over);
  const succeeded = indexes?.size ?? count.succeeded;
  const completed = over && conditions.some(({ type }) => type === "Complete");
  return {
    ...(conditions.length === 0 ? {} : { conditions }),
    ...(started === undefined ? {} : { startTime: started }),
    ...(completed ? { completionTime: formatTime(now) } : {}),
    ...(activeNow === 0 ? {} : { active: activeNow }),
    ...(succeeded === 0 ? {} : { succeeded }),
    ...(count.failed === 0 ? {} : { failed: count.failed }),
    ...(indexes === undefined || indexes.size === 0 ? {} : { completedIndexes: formatIndexes(indexes) }),
    terminating,
    ready: active.filter((pod) => isPodReady(pod) && !work.remove.includes(pod)).length,
    uncountedTerminatedPods: {
      ...(count.noted.succeeded.length === 0 ? {} : { succeeded: [...count.noted.succeeded] }),
      ...(count.noted.failed.length === 0 ? {} : { failed: [...count.noted.failed] }),
    },
    ...(frame.failures === undefined ? {} : { failedIndexes: formatIndexes(frame.failures.failed) }),
  };
}

function conditionsOf({ job, verdict, now }: Frame, over: boolean): readonly JobCondition[] {
  const before = job.status?.conditions ?? [];
  if (verdict === undefined) return withSuspension(job, before, now);
  const interim = withCondition(before, { ...verdict, type: verdict.interim, status: "True" }, now);
  return over ? withCondition(interim, { ...verdict, type: verdict.final, status: "True" }, now) : interim;
}

function withSuspension(job: Job, before: readonly JobCondition[], now: number): readonly JobCondition[] {
  if (job.spec?.suspend) {
    return withCondition(
      before,
      { type: "Suspended", status: "True", reason: "JobSuspended", message: "Job suspended" },
      now,
    );
  }
  if (!before.some(({ type }) => type === "Suspended")) return before;
  return withCondition(
    before,
    { type: "Suspended", status: "False", reason: "JobResumed", message: "Job resumed" },
    now,
  );
}

/** A suspended Job has not started; one that is resumed starts anew, so that its deadline counts from then. */
function startOf(job: Job, suspended: boolean, now: number): string | undefined {
  if (suspended) return undefined;
  return job.status?.startTime ?? formatTime(now);
}

function succeededIndexes(job: Job, pods: readonly Pod[]): ReadonlySet<number> | undefined {
  if (job.spec?.completionMode !== "Indexed") return undefined;
  const completions = job.spec.completions ?? 0;
  const indexes = parseIndexes(job.status?.completedIndexes, completions);
  for (const pod of pods) {
    const index = pod.status?.phase === "Succeeded" ? completionIndexOf(pod, completions) : undefined;
    if (index !== undefined) indexes.add(index);
  }
  return indexes;
}

function deadlineOf(job: Job, started: string | undefined): number | undefined {
  const seconds = job.spec?.activeDeadlineSeconds;
  return seconds === undefined || started === undefined ? undefined : Date.parse(started) + seconds * 1000;
}
