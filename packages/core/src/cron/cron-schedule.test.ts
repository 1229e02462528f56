import assert from "node:assert/strict";
import { test } from "node:test";
import { seededRandom } from "../ports/random.ts";
import { parseCron } from "./cron-schedule.ts";

const at = (text: string): number => Date.parse(text);

test("the next run is after the given time, the latest at or before it", () => {
  const hourly = parseCron("0 * * * *");
  assert.equal(hourly.next(at("2026-03-01T05:00:00Z")), at("2026-03-01T06:00:00Z"));
  assert.equal(hourly.latest(at("2026-03-01T05:00:00Z")), at("2026-03-01T05:00:00Z"));
  assert.equal(hourly.latest(at("2026-03-01T05:59:59.999Z")), at("2026-03-01T05:00:00Z"));
});

test("the dialect is that of Kubernetes: names, question marks, no seconds", () => {
  const start = at("2026-03-01T05:30:00Z");
  assert.equal(parseCron("@daily").next(start), at("2026-03-02T00:00:00Z"));
  assert.equal(parseCron("0 0 ? * MON").next(start), at("2026-03-02T00:00:00Z"));
  assert.throws(() => parseCron("0 0 0 * * *"), /"0 0 0 \* \* \*" in Etc\/UTC is no cron schedule: /);
});

test("an hour that daylight saving skips is made up for, and one that it repeats counts once", () => {
  const daily = parseCron("30 2 * * *", "America/New_York");
  const runs: string[] = [];
  for (let now = at("2026-03-07T12:00:00Z"); runs.length < 3; ) {
    now = daily.next(now) ?? Number.NaN;
    runs.push(new Date(now).toISOString());
  }
  assert.deepEqual(runs, ["2026-03-08T07:00:00.000Z", "2026-03-09T06:30:00.000Z", "2026-03-10T06:30:00.000Z"]);
  const autumn = daily.next(at("2026-11-01T04:00:00Z")) ?? 0;
  assert.equal(new Date(daily.next(autumn) ?? 0).toISOString(), "2026-11-02T07:30:00.000Z");
});

test("a run within the hour that daylight saving moves comes once a day, all year, forwards and backwards", () => {
  const daily = parseCron("30 2 * * *", "Europe/Berlin");
  const day = new Intl.DateTimeFormat("en-CA", { timeZone: "Europe/Berlin" });
  const end = at("2027-01-01T00:00:00Z");
  const runs: number[] = [];
  for (let now = daily.next(at("2026-01-01T00:00:00Z")) ?? end; now < end; now = daily.next(now) ?? end) runs.push(now);
  assert.deepEqual([runs.length, new Set(runs.map((run) => day.format(run))).size], [365, 365]);
  for (const run of runs) assert.equal(daily.latest(run + 3_600_000), run, new Date(run).toISOString());
});

test("whatever was asked before, the answer is the same", () => {
  const random = seededRandom(7);
  const asked = parseCron("*/7 3,4 * * *", "Europe/Berlin");
  for (let count = 0; count < 300; count++) {
    const time = at("2026-03-29T00:00:00Z") + Math.floor(random.next() * 4 * 3_600_000);
    assert.equal(asked.next(time), parseCron("*/7 3,4 * * *", "Europe/Berlin").next(time));
  }
});

test("what is wrong with a schedule or a zone is said with it", () => {
  assert.throws(() => parseCron("61 * * * *"), /"61 \* \* \* \*" in Etc\/UTC is no cron schedule: .*61/);
  assert.throws(() => parseCron("* * * * *", "Moon/Base"), /"\* \* \* \* \*" in Moon\/Base is no cron schedule: /);
});
