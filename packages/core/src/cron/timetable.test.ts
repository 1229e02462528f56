import assert from "node:assert/strict";
import { test } from "node:test";
import { type ScheduledJob, timetable } from "./timetable.ts";

const at = (text: string): number => Date.parse(text);
const hourly: ScheduledJob = { name: "hourly", schedule: "0 * * * *" };

/** The timetable with everything up to `since` dealt with. */
function tableAt(now: string, jobs: readonly ScheduledJob[], since = "2026-01-01T00:00:00Z", deadlineSeconds?: number) {
  return timetable(jobs, { nowMs: at(now), sinceMs: () => at(since), deadlineSeconds });
}

test("of all missed runs of a job only the latest is due", () => {
  const { due } = tableAt("2026-03-01T05:30:00Z", [hourly]);
  assert.deepEqual(due, [{ job: hourly, atMs: at("2026-03-01T05:00:00Z"), isLate: false }]);
});

test("a run is due at its very moment, and not again once it was dealt with", () => {
  const now = "2026-03-01T05:00:00Z";
  assert.equal(tableAt(now, [hourly], "2026-03-01T04:30:00Z").due.length, 1);
  assert.deepEqual(tableAt(now, [hourly], now).due, []);
});

test("runs apply in the order of their times, and at the same time in the order of the list", () => {
  const jobs = [
    { name: "five", schedule: "*/5 * * * *" },
    { name: "hour", schedule: "0 * * * *" },
    { name: "half", schedule: "*/30 * * * *" },
  ];
  const names = (now: string): string[] => tableAt(now, jobs).due.map(({ job }) => job.name);
  assert.deepEqual(names("2026-03-01T05:00:00Z"), ["five", "hour", "half"]);
  assert.deepEqual(names("2026-03-01T05:05:00Z"), ["hour", "half", "five"]);
});

test("a run that was missed by more than the deadline is late", () => {
  const isLate = (deadline: number) => tableAt("2026-03-01T05:30:00Z", [hourly], undefined, deadline).due[0]?.isLate;
  assert.deepEqual([isLate(1799), isLate(1800)], [true, false]);
});

test("a suspended job is never due", () => {
  const { due, next, nextMs } = tableAt("2026-03-01T05:30:00Z", [{ ...hourly, suspend: true }]);
  assert.deepEqual([due, next.size, nextMs], [[], 0, undefined]);
});

test("the next run of all is the earliest one, each at its local time", () => {
  const jobs = [
    { name: "berlin", schedule: "0 8 * * *", timeZone: "Europe/Berlin" },
    { name: "tokyo", schedule: "0 8 * * *", timeZone: "Asia/Tokyo" },
  ];
  const { next, nextMs } = tableAt("2026-03-28T12:00:00Z", jobs);
  assert.equal(next.get("berlin"), at("2026-03-29T06:00:00Z"));
  assert.equal(nextMs, at("2026-03-28T23:00:00Z"));
});

test("a wrong schedule or zone is named with its job", () => {
  const far = { name: "far", schedule: "* * * * *", timeZone: "Moon/Base" };
  assert.throws(() => tableAt("2026-03-01T00:00:00Z", [far]), /^RangeError: job "far": "\* \* \* \* \*" in Moon\/Base/);
});
