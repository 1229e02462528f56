/** The arithmetic of schedules: which job is due, and when the next one is. Pure; croner knows cron and time zones. */
import { Cron } from "croner";
import type { Hpa } from "./api/v1/hpa.ts";

/** One job of an Hpa. */
export type Job = Hpa["spec"]["jobs"][number];

/** A job and the time at which it fell due. */
export interface Tick {
  readonly job: Job;
  readonly at: number;
}

/** What happened last: the time up to which all ticks of a job are dealt with. */
export type Since = (job: Job) => number;

/**
 * The ticks that fell due since they were last dealt with, at most the latest one of each job, in the order in which
 * they apply: later ticks after earlier ones, and of ticks at the same time the one later in the list last.
 */
export function dueTicks(jobs: readonly Job[], since: Since, now: number): Tick[] {
  return jobs
    .filter((job) => job.suspend !== true)
    .flatMap((job) => {
      const at = latestTick(job, now);
      return at !== undefined && at > since(job) ? [{ job, at }] : [];
    })
    .toSorted((left, right) => left.at - right.at);
}

/** When the job falls due next; undefined when never again. */
export function nextTick(job: Job, now: number): number | undefined {
  return job.suspend === true ? undefined : cronOf(job).nextRun(new Date(now))?.getTime();
}

/** What is wrong with the schedules, with the job and what to write instead; undefined when nothing is. */
export function scheduleProblem(jobs: readonly Job[]): string | undefined {
  for (const job of jobs) {
    try {
      cronOf(job).nextRun(new Date(0));
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      return `job "${job.name}": schedule "${job.schedule}"${job.timeZone ? ` in ${job.timeZone}` : ""}: ${reason}`;
    }
  }
  return undefined;
}

/** The last time at or before `now` at which the job fell due. */
function latestTick(job: Job, now: number): number | undefined {
  const [latest] = cronOf(job).previousRuns(1, new Date(now + 1000));
  return latest?.getTime();
}

function cronOf(job: Job): Cron {
  return new Cron(job.schedule, { timezone: job.timeZone ?? "UTC", mode: "5-part", paused: true });
}
