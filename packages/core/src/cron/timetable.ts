/**
 * Several jobs with cron schedules, kept by one object: which fell due, and when the next one does. A controller asks at each
 * reconcile and comes back at `nextMs`; it survives downtime, because what is due follows from what was dealt with last
 * (a time in the status) and not from timers: of all runs of a job that were missed only the latest is due. Pure.
 */
import { type CronSchedule, parseCron } from "./cron-schedule.ts";

/** A job as specs have it; CronJobs use the same names. */
export interface ScheduledJob {
  readonly name: string;
  /** Five fields of cron, or an @-name. */
  readonly schedule: string;
  /** @default UTC */
  readonly timeZone?: string | undefined;
  /** Never due. @default false */
  readonly suspend?: boolean | undefined;
}

/** A job that fell due. */
export interface Tick<Job extends ScheduledJob> {
  readonly job: Job;
  readonly atMs: number;
  /** It was missed by more than the deadline. */
  readonly isLate: boolean;
}

/** What is due, and what comes next. */
export interface Timetable<Job extends ScheduledJob> {
  /** At most one tick of each job, in the order in which they apply: by time, then as the jobs are listed. */
  readonly due: readonly Tick<Job>[];
  /** When a job is due next, by its name; suspended jobs, and those that never are, have no entry. */
  readonly next: ReadonlyMap<string, number>;
  /** When the first of them is; undefined when there is none. */
  readonly nextMs: number | undefined;
}

/** When it is, and what happened before. */
export interface TimetableOptions<Job extends ScheduledJob> {
  readonly nowMs: number;
  /** All runs of a job up to this time are dealt with. */
  readonly sinceMs: (job: Job) => number;
  /** How late a run may be. @default any time */
  readonly deadlineSeconds?: number | undefined;
}

/**
 * The timetable of jobs. Throws a RangeError for a schedule or zone that is none, with the name of the job.
 * @example const { due, nextMs } = timetable(scaler.spec.jobs, { nowMs: clock.now(), sinceMs: lastRun });
 */
export function timetable<Job extends ScheduledJob>(
  jobs: readonly Job[],
  { nowMs, sinceMs, deadlineSeconds = Number.POSITIVE_INFINITY }: TimetableOptions<Job>,
): Timetable<Job> {
  const active = jobs.filter(({ suspend }) => suspend !== true).map((job) => ({ job, schedule: scheduleOf(job) }));
  const due = active
    .map(({ job, schedule }) => ({ job, atMs: schedule.latest(nowMs) ?? Number.NEGATIVE_INFINITY }))
    .filter(({ job, atMs }) => atMs > sinceMs(job))
    .map(({ job, atMs }) => ({ job, atMs, isLate: nowMs - atMs > deadlineSeconds * 1000 }))
    .toSorted((left, right) => left.atMs - right.atMs);
  const next = new Map<string, number>();
  for (const { job, schedule } of active) {
    const atMs = schedule.next(nowMs);
    if (atMs !== undefined) next.set(job.name, atMs);
  }
  return { due, next, nextMs: next.size === 0 ? undefined : Math.min(...next.values()) };
}

function scheduleOf({ name, schedule, timeZone }: ScheduledJob): CronSchedule {
  try {
    return parseCron(schedule, timeZone);
  } catch (cause) {
    throw new RangeError(`job "${name}": ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
  }
}
