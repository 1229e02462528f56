/**
 * Times as the API writes them: RFC 3339 in UTC, to the second (Time: creationTimestamp, conditions) or with exactly six
 * decimals (MicroTime: leases, events). As values they are milliseconds since the epoch, as clocks give them.
 */
import { malformed } from "./malformed.ts";

/** Milliseconds since the epoch of an RFC 3339 text with any offset and decimals. Throws `MalformedError`. */
export function parseTime(text: string): number {
  if (CANONICAL.test(text)) return Date.parse(text);
  const match = RFC_3339.exec(text);
  const time = match === null ? undefined : toMilliseconds(match);
  if (time === undefined) {
    throw malformed(`parsing time ${JSON.stringify(text)}: not RFC 3339; write it as 2006-01-02T15:04:05Z`);
  }
  return time;
}

/** As `parseTime`, but refuses a text without exactly six decimals. */
export function parseMicroTime(text: string): number {
  if (/\.[0-9]{6}(?:Z|[+-][0-9:]{5})$/.test(text)) return parseTime(text);
  throw malformed(`parsing time ${JSON.stringify(text)}: not a MicroTime; write it as 2006-01-02T15:04:05.000000Z`);
}

/** The text itself when it is what `formatTime` writes, else `formatTime` of it. Throws as `parseTime` does. */
export function canonicalTime(text: string): string {
  if (text === latestCanonical) return text;
  const canonical = CANONICAL.test(text) ? text : formatTime(parseTime(text));
  latestCanonical = canonical;
  return canonical;
}

/** Most times that are read in a row are the same. */
let latestCanonical = "";

/** The text itself when it is what `formatMicroTime` writes, else `formatMicroTime` of it. Throws as `parseMicroTime` does. */
export function canonicalMicroTime(text: string): string {
  return CANONICAL_MICRO.test(text) ? text : formatMicroTime(parseMicroTime(text));
}

/** The time to the second: "2026-01-02T03:04:05Z". Decimals are cut, not rounded: nothing happens before its time. */
export function formatTime(timeMs: number): string {
  return latestSecond(timeMs).time;
}

/** The time with six decimals: "2026-01-02T03:04:05.678901Z". */
export function formatMicroTime(timeMs: number): string {
  const microseconds = Math.round(timeMs * 1000);
  const inSecond = ((microseconds % 1e6) + 1e6) % 1e6;
  return `${latestSecond((microseconds - inSecond) / 1000).text}.${String(inSecond).padStart(6, "0")}Z`;
}

/** Times to the second in UTC on days that the month has in every year. */
const CANONICAL_SECOND =
  /^\d{4}-(?:(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])|(?:0[13-9]|1[0-2])-(?:29|30)|(?:0[13578]|1[02])-31)T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d/;
const CANONICAL = new RegExp(`${CANONICAL_SECOND.source}Z$`);
const CANONICAL_MICRO = new RegExp(`${CANONICAL_SECOND.source}\\.\\d{6}Z$`);

const RFC_3339 = /^(\d{4})-(\d{2})-(\d{2})T(\d{2}):(\d{2}):(\d{2})(?:[.,](\d+))?(?:Z|([+-])(\d{2}):(\d{2}))$/;

function toMilliseconds(match: RegExpExecArray): number | undefined {
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = match.slice(1, 7).map(Number);
  const offset = Number(match[9] ?? 0) * 60 + Number(match[10] ?? 0);
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day); // Date.UTC would take the years 0 to 99 for 1900 to 1999.
  const isDay = date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
  if (!isDay || hour > 23 || minute > 59 || second > 59 || Number(match[9] ?? 0) > 24 || Number(match[10] ?? 0) > 59) {
    return undefined;
  }
  const sinceMidnightMs = ((hour * 60 + minute) * 60 + second) * 1000 + Number(`0.${match[7] ?? 0}`) * 1000;
  return date.getTime() + sinceMidnightMs - (match[8] === "-" ? -offset : offset) * 60_000;
}

/** Most times that are told in a row are of the same second. */
let latest = { second: Number.NaN, text: "", time: "" };

/** The second of a time as text, without a zone and in UTC. */
function latestSecond(timeMs: number): typeof latest {
  const second = Math.floor(timeMs / 1000);
  if (second !== latest.second) {
    const text = `${dayText(second)}${timeOfDay(second)}`;
    latest = { second, text, time: `${text}Z` };
  }
  return latest;
}

const DAY_SECONDS = 86_400;

/** Asking the host about a date is dear, and days are long. */
let latestDay = { day: Number.NaN, text: "" };

/** "2026-01-02T" of a second since the epoch. */
function dayText(second: number): string {
  const day = Math.floor(second / DAY_SECONDS);
  if (day !== latestDay.day) latestDay = { day, text: isoText(second * 1000).slice(0, 11) };
  return latestDay.text;
}

/** "03:04:05" of a second since the epoch. */
function timeOfDay(second: number): string {
  const inDay = second - Math.floor(second / DAY_SECONDS) * DAY_SECONDS;
  return `${twoDigits(Math.floor(inDay / 3600))}:${twoDigits(Math.floor(inDay / 60) % 60)}:${twoDigits(inDay % 60)}`;
}

function twoDigits(value: number): string {
  return value < 10 ? `0${value}` : String(value);
}

function isoText(timeMs: number): string {
  const text = Number.isFinite(timeMs) && Math.abs(timeMs) < 8.64e15 ? new Date(Math.floor(timeMs)).toISOString() : "";
  if (text.length !== 24) throw new RangeError(`time ${timeMs} is outside the years 0 to 9999 that RFC 3339 can say`);
  return text;
}
