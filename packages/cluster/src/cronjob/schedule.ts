/**
 * The schedule of a CronJob: when it runs next, and which run is due. Kubernetes' dialect of cron: five fields, "?" for
 * "*", the @-names, and "@every 1h30m". Times are milliseconds since the epoch; without a zone they are read in UTC.
 */
import { parseCron } from "@kubewright/core/cron";
import { durationMs } from "@kubewright/core/meta";

/** How many missed runs are still normal. */
const MISSED_MAX = 100;
/** So many runs are found at once: finding them one after the other is much faster than finding one now and then. */
const RUNS_AT_ONCE = 8;
/** How many times in which the runs are known are remembered: those around now, and around the last run. */
const REMEMBERED_MAX = 3;

/** Tells the runs of a schedule. */
export interface Schedule {
  /** The first run after `timeMs`; undefined when there is none. */
  next(timeMs: number): number | undefined;
}

/** The newest run that is due. */
export interface DueRun {
  readonly timeMs: number;
  /** More runs were missed than anybody could mean; the clock or the controller stood still. */
  readonly tooManyMissed: boolean;
}

/** Reads a schedule; throws when it makes no sense. */
export function parseSchedule(text: string, timeZone = "Etc/UTC"): Schedule {
  const every = /^@every\s+(.+)$/.exec(text.trim())?.[1];
  if (every !== undefined) {
    const periodMs = Math.max(1000, Math.floor(durationMs(every) / 1000) * 1000);
    return { next: (timeMs) => Math.floor(timeMs / 1000) * 1000 + periodMs };
  }
  return remembering(parseCron(text, timeZone));
}

/** Some runs in a row: all after `fromMs`, up to the last of them. */
interface KnownRuns {
  readonly fromMs: number;
  readonly runsMs: readonly number[];
}

/** Finding runs is costly, and they are asked for again and again. */
function remembering(schedule: Schedule): Schedule {
  let known: readonly KnownRuns[] = [];
  return {
    next(timeMs) {
      for (const { fromMs, runsMs } of known) {
        const runMs = fromMs <= timeMs ? runsMs.find((each) => each > timeMs) : undefined;
        if (runMs !== undefined) return runMs;
      }
      const runsMs = runsAfter(schedule, timeMs);
      known = [{ fromMs: timeMs, runsMs }, ...known.slice(0, REMEMBERED_MAX - 1)];
      return runsMs[0];
    },
  };
}

function runsAfter(schedule: Schedule, timeMs: number): readonly number[] {
  const runsMs: number[] = [];
  for (let run = schedule.next(timeMs); run !== undefined && runsMs.length < RUNS_AT_ONCE; run = schedule.next(run)) {
    runsMs.push(run);
  }
  return runsMs;
}

/** The newest run after `sinceMs` and not after `nowMs`. Long gaps are jumped over rather than counted through. */
export function dueRun(schedule: Schedule, sinceMs: number, nowMs: number): DueRun | undefined {
  const first = schedule.next(sinceMs);
  if (first === undefined || first > nowMs) return undefined;
  const second = schedule.next(first);
  if (second === undefined || second > nowMs) return { timeMs: first, tooManyMissed: false };
  const missed = Math.floor((nowMs - first) / (second - first)) + 1;
  const tooManyMissed = missed > MISSED_MAX;
  let timeMs = first;
  const from = tooManyMissed ? shortlyBefore(schedule, nowMs, second - first) : first;
  for (let run = schedule.next(from); run !== undefined && run <= nowMs; run = schedule.next(run)) timeMs = run;
  return { timeMs, tooManyMissed };
}

/** A time from which a run follows before `nowMs`. Gaps between runs differ (weekdays, months), so it is searched for. */
function shortlyBefore(schedule: Schedule, nowMs: number, gapMs: number): number {
  let backMs = 2 * gapMs;
  while ((schedule.next(nowMs - backMs) ?? Number.POSITIVE_INFINITY) > nowMs) backMs *= 2;
  return nowMs - backMs;
}
