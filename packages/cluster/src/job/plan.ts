/**
 * What a Job does next: a pure step from the Job and its pods to its status and the pods to create, delete and let go.
 * controller.ts carries it out, in that order, and comes back when its effects are seen.
 */
import type { Job, JobCondition, JobStatus } from "@kubewright/api/batch/v1";
import type { Pod } from "@kubewright/api/core/v1";
import { formatTime } from "@kubewright/core/meta";
import { rankForDeletion } from "../replicaset/pod-ranking.ts";
import { isPodActive, isPodFinished, isPodReady, isPodTerminating } from "../workload/pod-state.ts";
import { conditionTrue, type Verdict, verdictOf, withCondition } from "./conditions.ts";
import { type Count, countPods } from "./counting.ts";
import { completionIndexOf, formatIndexes, parseIndexes } from "./indexes.ts";
import { isTracked, replacesOnlyFailed, retryAt } from "./pods.ts";

/** The most pods created or deleted at once. */
const BURST_MAX = 500;

/** One step. */
export interface JobStep {
  readonly status: JobStatus;
  /** Pods to create: for Indexed Jobs their indexes, otherwise as many times undefined. */
  readonly create: readonly (number | undefined)[];
  /** Active pods that have to go. */
  readonly remove: readonly Pod[];
  /** True when removed pods are not failures: the Job is suspended or wants fewer at once. */
  readonly removeUncounted: boolean;
  /** Pods whose end is noted in the status: their finalizer goes. */
  readonly release: readonly Pod[];
  /** When to look again although nothing changed. */
  readonly wakeAt: number | undefined;
}

/** True when the Job has ended, well or not. */
export function isJobFinished(job: Job): boolean {
  return conditionTrue(job, "Complete") !== undefined || conditionTrue(job, "Failed") !== undefined;
}

/** The next step of a Job that has not ended. */
export function planJob(job: Job, pods: readonly Pod[], now: number): JobStep {
  const suspended = job.spec?.suspend === true;
  const count = countPods(job, pods);
  const indexes = succeededIndexes(job, pods);
  const succeeded = indexes?.size ?? count.succeeded + count.noted.succeeded.length;
  const active = pods.filter(isPodActive);
  const started = startOf(job, suspended, now);
  const verdict = verdictOf({ job, pods, count, succeeded, active: active.length, startTime: started, now });
  const work = verdict === undefined ? workOf({ job, pods, active, succeeded, indexes, now }) : stopAll(active);
  const noted = new Set([...count.noted.succeeded, ...count.noted.failed]);
  const frame: Frame = { job, pods, active, count, indexes, started, verdict, work, now };
  return {
    status: statusOf(frame),
    create: work.create,
    remove: work.remove,
    removeUncounted: verdict === undefined,
    release: pods.filter((pod) => isTracked(pod) && noted.has(pod.metadata?.uid ?? "")),
    wakeAt: earliest([work.wakeAt, deadlineOf(job, started)]),
  };
}

interface Work {
  readonly create: readonly (number | undefined)[];
  readonly remove: readonly Pod[];
  readonly wakeAt?: number | undefined;
}

interface WorkInput {
  readonly job: Job;
  readonly pods: readonly Pod[];
  readonly active: readonly Pod[];
  readonly succeeded: number;
  readonly indexes: ReadonlySet<number> | undefined;
  readonly now: number;
}

const stopAll = (active: readonly Pod[]): Work => ({ create: [], remove: active });

/** How many pods should run: never more than completions are missing, nor more than may run at once. */
function workOf(input: WorkInput): Work {
  const { job, pods, active, succeeded, now } = input;
  if (job.metadata?.deletionTimestamp !== undefined) return { create: [], remove: [] };
  if (job.spec?.suspend) return stopAll(active);
  const { parallelism = 1, completions } = job.spec ?? {};
  const anyEnough = completions === undefined && succeeded > 0;
  const wanted = anyEnough ? active.length : Math.min(parallelism, (completions ?? Number.MAX_VALUE) - succeeded);
  if (active.length > wanted) return { create: [], remove: rankForDeletion(active).slice(0, active.length - wanted) };
  const held = replacesOnlyFailed(job) ? pods.filter((pod) => isPodTerminating(pod) && !isPodFinished(pod)).length : 0;
  const missing = Math.min(wanted - active.length - held, BURST_MAX);
  if (missing <= 0) return { create: [], remove: [] };
  const mayCreateAt = retryAt(job, pods, now);
  if (mayCreateAt > now) return { create: [], remove: [], wakeAt: mayCreateAt };
  return { create: newPods(input, missing), remove: [] };
}

function newPods({ job, active, indexes }: WorkInput, missing: number): (number | undefined)[] {
  if (indexes === undefined) return Array.from({ length: missing }, () => undefined);
  const completions = job.spec?.completions ?? 0;
  const taken = new Set(active.map((pod) => completionIndexOf(pod, completions)));
  const free: number[] = [];
  for (let index = 0; index < completions && free.length < missing; index++) {
    if (!indexes.has(index) && !taken.has(index)) free.push(index);
  }
  return free;
}

interface Frame {
  readonly job: Job;
  readonly pods: readonly Pod[];
  readonly active: readonly Pod[];
  readonly count: Count;
  readonly indexes: ReadonlySet<number> | undefined;
  readonly started: string | undefined;
  readonly verdict: Verdict | undefined;
  readonly work: Work;
  readonly now: number;
}

function statusOf(frame: Frame): JobStatus {
  const { job, pods, active, count, indexes, started, work, now } = frame;
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
    ...(job.status?.failedIndexes === undefined ? {} : { failedIndexes: job.status.failedIndexes }),
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

function earliest(times: readonly (number | undefined)[]): number | undefined {
  const known = times.filter((time) => time !== undefined);
  return known.length === 0 ? undefined : Math.min(...known);
}
