import assert from "node:assert/strict";
import { test } from "node:test";
import { dueTicks, nextTick, scheduleProblem } from "./schedule.ts";

const at = (text: string): number => Date.parse(text);
const job = (name: string, schedule: string, more: { timeZone?: string; suspend?: boolean } = {}) => ({
  name,
  schedule,
  size: 1,
  ...more,
});

test("of all missed ticks of a job only the latest is due", () => {
  const hourly = job("hourly", "0 * * * *");
  const ticks = dueTicks([hourly], () => at("2026-03-01T00:00:00Z"), at("2026-03-01T05:30:00Z"));
  assert.deepEqual(ticks, [{ job: hourly, at: at("2026-03-01T05:00:00Z") }]);
});

test("a tick that was dealt with is not due again", () => {
  const since = at("2026-03-01T05:00:00Z");
  assert.deepEqual(
    dueTicks([job("hourly", "0 * * * *")], () => since, at("2026-03-01T05:30:00Z")),
    [],
  );
});

test("a tick is due at its very moment", () => {
  const now = at("2026-03-01T05:00:00Z");
  assert.equal(dueTicks([job("hourly", "0 * * * *")], () => now - 1, now).length, 1);
});

test("ticks apply in the order of their times, and at the same time in the order of the list", () => {
  const jobs = [job("five", "*/5 * * * *"), job("hour", "0 * * * *"), job("half", "*/30 * * * *")];
  const names = (now: string): string[] => dueTicks(jobs, () => 0, at(now)).map(({ job: { name } }) => name);
  assert.deepEqual(names("2026-03-01T05:00:00Z"), ["five", "hour", "half"]);
  assert.deepEqual(names("2026-03-01T05:05:00Z"), ["hour", "half", "five"]);
});

test("a suspended job is never due", () => {
  const suspended = job("hourly", "0 * * * *", { suspend: true });
  assert.deepEqual(
    dueTicks([suspended], () => 0, at("2026-03-01T05:00:00Z")),
    [],
  );
  assert.equal(nextTick(suspended, 0), undefined);
});

test("an hour that daylight saving skips is made up for, and one that it repeats counts once", () => {
  const daily = job("daily", "30 2 * * *", { timeZone: "America/New_York" });
  const ticks: string[] = [];
  for (let now = at("2026-03-07T12:00:00Z"); ticks.length < 3; ) {
    now = nextTick(daily, now) ?? Number.NaN;
    ticks.push(new Date(now).toISOString());
  }
  assert.deepEqual(ticks, ["2026-03-08T07:00:00.000Z", "2026-03-09T06:30:00.000Z", "2026-03-10T06:30:00.000Z"]);
  const autumn = nextTick(daily, at("2026-11-01T04:00:00Z")) ?? 0;
  assert.equal(new Date(nextTick(daily, autumn) ?? 0).toISOString(), "2026-11-02T07:30:00.000Z");
});

test("a job within the hour that daylight saving moves ticks once a day, all year", () => {
  const daily = job("daily", "30 2 * * *", { timeZone: "Europe/Berlin" });
  const day = new Intl.DateTimeFormat("en-CA", { timeZone: "Europe/Berlin" });
  const days = new Set<string>();
  const endMs = at("2027-01-01T00:00:00Z");
  let count = 0;
  for (
    let now = nextTick(daily, at("2026-01-01T00:00:00Z")) ?? endMs;
    now < endMs;
    now = nextTick(daily, now) ?? endMs
  ) {
    count += 1;
    days.add(day.format(new Date(now)));
  }
  assert.deepEqual([count, days.size], [365, 365]);
});

test("a wrong schedule or zone is named with its job", () => {
  assert.match(scheduleProblem([job("bad", "61 * * * *")]) ?? "", /job "bad": schedule "61 \* \* \* \*"/);
  assert.match(scheduleProblem([job("far", "* * * * *", { timeZone: "Moon/Base" })]) ?? "", /job "far".*Moon\/Base/);
  assert.equal(scheduleProblem([job("good", "*/5 * * * *")]), undefined);
});
