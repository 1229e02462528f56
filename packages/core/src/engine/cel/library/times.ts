/** Parts of timestamps and durations. Without a time zone it is UTC, as Kubernetes has it. */
import { CelError } from "../cel-error.ts";
import { type Declaration, declare } from "../overloads.ts";
import { floorDivide } from "../time.ts";
import type { DurationValue, TimestampValue, Value } from "../values.ts";

const second = 1_000_000_000n;
const dayMs = 86_400_000;

/** The timestamp moved by the zone's offset, so that its UTC parts are the local ones. */
function local([value, zone]: readonly Value[]): Date {
  const ms = Number(floorDivide((value as TimestampValue).nanoseconds, 1_000_000n));
  return new Date(ms + (zone === undefined ? 0 : offsetMs(zone as string, ms)));
}

function offsetMs(zone: string, ms: number): number {
  const fixed = /^([+-]?)(\d{1,2}):(\d{2})$/.exec(zone);
  if (fixed !== null) return (fixed[1] === "-" ? -1 : 1) * (Number(fixed[2]) * 60 + Number(fixed[3])) * 60_000;
  try {
    const parts = new Intl.DateTimeFormat("en-US", { timeZone: zone, timeZoneName: "longOffset" }).formatToParts(
      new Date(ms),
    );
    const name = parts.find((part) => part.type === "timeZoneName")?.value ?? "GMT";
    const match = /GMT([+-])(\d{2}):(\d{2})/.exec(name);
    return match === null ? 0 : (match[1] === "-" ? -1 : 1) * (Number(match[2]) * 60 + Number(match[3])) * 60_000;
  } catch {
    throw new CelError(`unknown time zone ${zone}`);
  }
}

const timestampParts: Readonly<Record<string, (date: Date) => number>> = {
  getFullYear: (date) => date.getUTCFullYear(),
  getMonth: (date) => date.getUTCMonth(),
  getDate: (date) => date.getUTCDate(),
  getDayOfMonth: (date) => date.getUTCDate() - 1,
  getDayOfWeek: (date) => date.getUTCDay(),
  getDayOfYear: (date) => Math.floor((date.getTime() - Date.UTC(date.getUTCFullYear(), 0, 1)) / dayMs),
  getHours: (date) => date.getUTCHours(),
  getMinutes: (date) => date.getUTCMinutes(),
  getSeconds: (date) => date.getUTCSeconds(),
  getMilliseconds: (date) => date.getUTCMilliseconds(),
};

const durationParts: Readonly<Record<string, bigint>> = {
  getHours: 3600n * second,
  getMinutes: 60n * second,
  getSeconds: second,
};

/** All functions on times. */
export const times: readonly Declaration[] = [
  ...Object.entries(timestampParts).flatMap(([name, part]) => [
    declare(`timestamp->${name}() int`, (args) => BigInt(part(local(args)))),
    declare(`timestamp->${name}(string) int`, (args) => BigInt(part(local(args)))),
  ]),
  ...Object.entries(durationParts).map(([name, unit]) =>
    declare(`duration->${name}() int`, ([value]) => (value as DurationValue).nanoseconds / unit),
  ),
  declare("duration->getMilliseconds() int", ([value]) => (value as DurationValue).nanoseconds / 1_000_000n),
];
