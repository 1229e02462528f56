/**
 * A cron schedule: when it runs next, and when it ran last. Kubernetes' dialect: five fields, "?" for "*", the @-names.
 * Input: texts of specs. The built-in CronJob controller and operators that keep schedules use it; croner knows cron,
 * time zones and daylight saving. Times are milliseconds since the epoch. Pure.
 */
import { Cron } from "croner";

const SECOND_MS = 1000;

/** Tells the runs of a schedule. */
export interface CronSchedule {
  /** The first run after `timeMs`; undefined when there is none. */
  next(timeMs: number): number | undefined;
  /** The last run at or before `timeMs`: of all that were missed, the one that counts. Undefined when there is none. */
  latest(timeMs: number): number | undefined;
}

/**
 * Reads a schedule; throws a RangeError that says what is wrong with it. Where daylight saving skips an hour its runs are
 * made up for at the end of the gap; where it repeats one they count once.
 * @example parseCron("0 8 * * 1-5", "Europe/Berlin").next(clock.now())
 */
export function parseCron(text: string, timeZone = "Etc/UTC"): CronSchedule {
  const cron = createCron(text, timeZone);
  return {
    next: remembering((timeMs) => cron.nextRun(new Date(timeMs))?.getTime()),
    // Runs begin with a second, and croner looks strictly before.
    latest: (timeMs) => cron.previousRuns(1, new Date(timeMs + SECOND_MS))[0]?.getTime(),
  };
}

/**
 * The same function, which remembers two answers: until a run comes it is the next one, and whoever asks for it at its time mostly asks for the
 * one after it, too.
 */
function remembering(next: CronSchedule["next"]): CronSchedule["next"] {
  let [last, before] = [NO_RUN, NO_RUN];
  return (timeMs) => {
    if (isNext(before, timeMs)) [last, before] = [before, last];
    if (isNext(last, timeMs)) return last.runMs;
    const runMs = next(timeMs);
    if (runMs !== undefined) [last, before] = [{ sinceMs: timeMs, runMs }, last];
    return runMs;
  };
}

/** Between the two there is no run. */
interface Gap {
  readonly sinceMs: number;
  readonly runMs: number;
}

const NO_RUN: Gap = { sinceMs: 0, runMs: 0 };

function isNext({ sinceMs, runMs }: Gap, timeMs: number): boolean {
  return timeMs >= sinceMs && timeMs < runMs;
}

/** UTC by its offset: croner asks the host about zones that have a name, several times for each run. */
function zoneOf(timeZone: string): { readonly utcOffset: number } | { readonly timezone: string } {
  return timeZone === "Etc/UTC" || timeZone === "UTC" ? { utcOffset: 0 } : { timezone: timeZone };
}

function createCron(text: string, timeZone: string): Cron {
  try {
    const cron = new Cron(text.trim().replaceAll("?", "*"), { ...zoneOf(timeZone), paused: true, mode: "5-part" });
    cron.nextRun(new Date(0)); // A wrong zone shows here only.
    return cron;
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new RangeError(`${JSON.stringify(text)} in ${timeZone} is no cron schedule: ${reason}`, { cause });
  }
}
