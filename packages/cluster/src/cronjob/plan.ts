/**
 * What a CronJob does next: a pure step from the CronJob and its Jobs to its status, the Job to start, and the Jobs that
 * have to go. controller.ts carries it out.
 */
import type { CronJob, CronJobStatus, Job } from "@kubewright/api/batch/v1";
import type { ObjectReference } from "@kubewright/api/core/v1";
import { formatTime, setController } from "@kubewright/core/meta";
import { endOfJob } from "../job/conditions.ts";
import { dueRun, type Schedule } from "./schedule.ts";

/** Annotation of a Job with the time it was due at. */
const SCHEDULED_AT = "batch.kubernetes.io/cronjob-scheduled-timestamp";

/** Something to tell about a CronJob. */
export interface CronJobNote {
  readonly type: "normal" | "warning";
  readonly reason: string;
  readonly note: string;
}

/** One step. */
export interface CronJobStep {
  readonly status: CronJobStatus;
  readonly notes: readonly CronJobNote[];
  /** Jobs that go: over the history limits, or in the way of the next one. */
  readonly remove: readonly Job[];
  /** The Job that is due. */
  readonly create: Job | undefined;
  /** When the next run is due. */
  readonly wakeAt: number | undefined;
}

/** The next step of a CronJob; `jobs` are those that it controls. */
export function planCronJob(
  cronJob: CronJob,
  jobs: readonly Job[],
  { schedule, now }: { readonly schedule: Schedule; readonly now: number },
): CronJobStep {
  const sorted = byEnd(jobs);
  const notes = endNotes(cronJob, jobs);
  const step: CronJobStep = {
    status: statusOf(cronJob, sorted, cronJob.status?.lastScheduleTime),
    notes,
    remove: overHistory(cronJob, sorted),
    create: undefined,
    wakeAt: cronJob.spec?.suspend ? undefined : schedule.next(now),
  };
  if (cronJob.spec?.suspend || cronJob.metadata?.deletionTimestamp !== undefined) return step;
  const run = dueRun(schedule, earliestRun(cronJob, now), now);
  if (run === undefined) return step;
  const missed: CronJobNote[] = run.tooManyMissed ? [TOO_MANY_MISSED] : [];
  const told = { ...step, notes: [...notes, ...missed] };
  const deadline = cronJob.spec?.startingDeadlineSeconds;
  if (deadline !== undefined && run.timeMs + deadline * 1000 < now) {
    const note = `Missed scheduled time to start a job: ${new Date(run.timeMs).toUTCString()}`;
    return { ...told, notes: [...told.notes, { type: "warning", reason: "MissSchedule", note }] };
  }
  return startRun(cronJob, { jobs, sorted, timeMs: run.timeMs }, told);
}

/** Jobs by how they ended. */
interface SortedJobs {
  readonly running: readonly Job[];
  readonly completed: readonly Job[];
  readonly failed: readonly Job[];
}

function byEnd(jobs: readonly Job[]): SortedJobs {
  const [running, completed, failed]: [Job[], Job[], Job[]] = [[], [], []];
  for (const job of jobs) {
    const end = endOfJob(job);
    (end === undefined ? running : end === "Complete" ? completed : failed).push(job);
  }
  return { running, completed, failed };
}

interface Run {
  readonly jobs: readonly Job[];
  readonly sorted: SortedJobs;
  readonly timeMs: number;
}

function startRun(cronJob: CronJob, { jobs, sorted, timeMs }: Run, step: CronJobStep): CronJobStep {
  const job = jobFor(cronJob, timeMs);
  const { running } = sorted;
  const existing = jobs.find(({ metadata }) => metadata?.name === job.metadata?.name);
  const lastScheduleTime = formatTime(timeMs);
  if (existing !== undefined) return { ...step, status: { ...step.status, lastScheduleTime } };
  const policy = cronJob.spec?.concurrencyPolicy ?? "Allow";
  if (policy === "Forbid" && running.length > 0) {
    const note = "Not starting job because prior execution is running and concurrency policy is Forbid";
    return { ...step, notes: [...step.notes, { type: "normal", reason: "JobAlreadyActive", note }] };
  }
  const replaced = policy === "Replace" ? running : [];
  const kept = running.filter((each) => !replaced.includes(each));
  return {
    ...step,
    remove: [...step.remove, ...replaced],
    create: job,
    status: statusOf(cronJob, { ...sorted, running: kept }, lastScheduleTime),
  };
}

const TOO_MANY_MISSED: CronJobNote = {
  type: "warning",
  reason: "TooManyMissedTimes",
  note: "too many missed start times. Set or decrease .spec.startingDeadlineSeconds or check clock skew",
};

/** Runs before this time are not looked for. */
function earliestRun(cronJob: CronJob, now: number): number {
  const known = cronJob.status?.lastScheduleTime ?? cronJob.metadata?.creationTimestamp ?? formatTime(now);
  const deadline = cronJob.spec?.startingDeadlineSeconds;
  return deadline === undefined ? Date.parse(known) : Math.max(Date.parse(known), now - deadline * 1000);
}

/** The Job of one run; its name tells the run, so the same run cannot start twice. */
function jobFor(cronJob: CronJob, timeMs: number): Job {
  const template = cronJob.spec?.jobTemplate;
  const job: Job = {
    apiVersion: "batch/v1",
    kind: "Job",
    metadata: {
      name: `${cronJob.metadata?.name}-${Math.floor(timeMs / 60_000)}`,
      namespace: cronJob.metadata?.namespace ?? "",
      ...(template?.metadata?.labels === undefined ? {} : { labels: template.metadata.labels }),
      annotations: { ...template?.metadata?.annotations, [SCHEDULED_AT]: formatTime(timeMs) },
    },
    ...(template?.spec === undefined ? {} : { spec: template.spec }),
  };
  return setController(job, cronJob);
}

function statusOf(
  cronJob: CronJob,
  { running, completed }: SortedJobs,
  lastScheduleTime: string | undefined,
): CronJobStatus {
  const ends = completed.map(({ status }) => status?.completionTime);
  const lastSuccessfulTime = latest([cronJob.status?.lastSuccessfulTime, ...ends]);
  // A reference stays as it was made: it names a Job, not its state.
  const known = cronJob.status?.active ?? [];
  const active = running.map((job) => known.find(({ uid }) => uid === job.metadata?.uid) ?? referenceTo(job));
  return {
    ...(active.length === 0 ? {} : { active }),
    ...(lastScheduleTime === undefined ? {} : { lastScheduleTime }),
    ...(lastSuccessfulTime === undefined ? {} : { lastSuccessfulTime }),
  };
}

/** The last of the times that are known. */
function latest(times: readonly (string | undefined)[]): string | undefined {
  return times.reduce(
    (last, time) => (last === undefined || (time !== undefined && time > last) ? time : last),
    undefined,
  );
}

/** What `status.active` says of a Job. */
export function referenceTo(job: Job): ObjectReference {
  const { name = "", namespace = "", uid = "", resourceVersion = "" } = job.metadata ?? {};
  return { apiVersion: "batch/v1", kind: "Job", name, namespace, uid, resourceVersion };
}

/** Jobs that were active and are so no more. */
function endNotes(cronJob: CronJob, jobs: readonly Job[]): CronJobNote[] {
  return (cronJob.status?.active ?? []).flatMap(({ uid, name }): CronJobNote[] => {
    const job = jobs.find(({ metadata }) => metadata?.uid === uid);
    if (job === undefined) return [{ type: "normal", reason: "MissingJob", note: `Active job went missing: ${name}` }];
    const state = endOfJob(job);
    if (state === undefined) return [];
    return [{ type: "normal", reason: "SawCompletedJob", note: `Saw completed job: ${name}, condition: ${state}` }];
  });
}

/** Ended Jobs beyond the history limits, oldest first. */
function overHistory(cronJob: CronJob, { completed, failed }: SortedJobs): Job[] {
  const { successfulJobsHistoryLimit = 3, failedJobsHistoryLimit = 1 } = cronJob.spec ?? {};
  return [...surplus(completed, successfulJobsHistoryLimit), ...surplus(failed, failedJobsHistoryLimit)];
}

function surplus(ended: readonly Job[], limit: number): readonly Job[] {
  if (ended.length <= limit) return [];
  const kept = ended.filter(({ metadata }) => metadata?.deletionTimestamp === undefined);
  kept.sort((left, right) => (startKey(left) < startKey(right) ? -1 : 1));
  return kept.slice(0, Math.max(0, kept.length - limit));
}

function startKey(job: Job): string {
  return `${job.status?.startTime ?? ""} ${job.metadata?.name ?? ""}`;
}
