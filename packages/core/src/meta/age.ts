/** Spans of time as kubectl prints ages: short, with two figures at most, and never in the future by clock skew. */

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const YEAR = 365 * DAY;

/** An age: "5s", "2m30s", "3h", "4d2h", "2y30d"; "<invalid>" two seconds or more before its time. */
export function formatAge(spanMs: number): string {
  const seconds = Math.trunc(spanMs / 1000);
  if (seconds < -1) return "<invalid>";
  if (seconds < 0) return "0s";
  if (seconds < 2 * MINUTE) return `${seconds}s`;
  if (seconds < 10 * MINUTE) return inUnits(seconds, [MINUTE, "m"], [1, "s"]);
  if (seconds < 3 * HOUR) return inUnits(seconds, [MINUTE, "m"]);
  if (seconds < 8 * HOUR) return inUnits(seconds, [HOUR, "h"], [MINUTE, "m"]);
  if (seconds < 48 * HOUR) return inUnits(seconds, [HOUR, "h"]);
  if (seconds < 8 * DAY) return inUnits(seconds, [DAY, "d"], [HOUR, "h"]);
  if (seconds < 2 * YEAR) return inUnits(seconds, [DAY, "d"]);
  if (seconds < 8 * YEAR) return inUnits(seconds, [YEAR, "y"], [DAY, "d"]);
  return inUnits(seconds, [YEAR, "y"]);
}

/** An age in one unit: "5s", "2m", "3h", "4d", "2y"; for narrow columns. */
export function formatShortAge(spanMs: number): string {
  const seconds = Math.trunc(spanMs / 1000);
  if (seconds < -1) return "<invalid>";
  if (seconds < 0) return "0s";
  if (seconds < MINUTE) return `${seconds}s`;
  if (seconds < HOUR) return inUnits(seconds, [MINUTE, "m"]);
  if (seconds < DAY) return inUnits(seconds, [HOUR, "h"]);
  return seconds < YEAR ? inUnits(seconds, [DAY, "d"]) : inUnits(seconds, [YEAR, "y"]);
}

type Unit = readonly [seconds: number, name: string];

/** The span in whole `first` units, and what remains in whole `second` units unless that is none. */
function inUnits(seconds: number, first: Unit, second?: Unit): string {
  const large = `${Math.floor(seconds / first[0])}${first[1]}`;
  const rest = second === undefined ? 0 : Math.floor((seconds % first[0]) / second[0]);
  return rest === 0 ? large : `${large}${rest}${second?.[1]}`;
}
