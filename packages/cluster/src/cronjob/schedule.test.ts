import assert from "node:assert/strict";
import { test } from "node:test";
import { dueRun, parseSchedule } from "./schedule.ts";

const MINUTE_MS = 60_000;
const at = (text: string): number => Date.parse(text);

test("the next run is the first one strictly after a time", () => {
  const { next } = parseSchedule("*/5 * * * *");
  assert.equal(next(at("2026-03-01T10:05:00Z")), at("2026-03-01T10:10:00Z"));
  assert.equal(next(at("2026-03-01T10:09:59Z")), at("2026-03-01T10:10:00Z"));
});

test("the dialect of Kubernetes is understood: names, question marks, @-names and @every", () => {
  const from = at("2026-03-01T10:00:30Z"); // a Sunday
  assert.equal(parseSchedule("0 9 ? * MON").next(from), at("2026-03-02T09:00:00Z"));
  assert.equal(parseSchedule("@hourly").next(from), at("2026-03-01T11:00:00Z"));
  assert.equal(parseSchedule("@every 1h30m").next(from), at("2026-03-01T11:30:30Z"));
  assert.throws(() => parseSchedule("61 * * * *"));
});

test("a run is at its time in its zone, whatever the season", () => {
  const { next } = parseSchedule("0 9 * * *", "Europe/Berlin");
  assert.equal(next(at("2026-01-15T00:00:00Z")), at("2026-01-15T08:00:00Z"));
  assert.equal(next(at("2026-07-15T00:00:00Z")), at("2026-07-15T07:00:00Z"));
});

test("the newest of several missed runs is due, and too many are told", () => {
  const schedule = parseSchedule("* * * * *");
  const start = at("2026-03-01T10:00:00Z");
  assert.equal(dueRun(schedule, start, start + 30_000), undefined);
  assert.deepEqual(dueRun(schedule, start, start + MINUTE_MS), { timeMs: start + MINUTE_MS, tooManyMissed: false });
  assert.deepEqual(dueRun(schedule, start, start + 7.5 * MINUTE_MS), {
    timeMs: start + 7 * MINUTE_MS,
    tooManyMissed: false,
  });
  const years = 3 * 365 * 24 * 60;
  assert.deepEqual(dueRun(schedule, start, start + years * MINUTE_MS), {
    timeMs: start + years * MINUTE_MS,
    tooManyMissed: true,
  });
});

test("runs at uneven distances are found after a long gap", () => {
  const schedule = parseSchedule("0 9 * * MON-FRI");
  const due = dueRun(schedule, at("2025-01-01T00:00:00Z"), at("2026-03-01T10:00:00Z"));
  assert.equal(due?.timeMs, at("2026-02-27T09:00:00Z"));
});
