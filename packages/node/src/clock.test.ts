import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { systemClock } from "./clock.ts";
import { systemRandom } from "./random.ts";

const DAY_MS = 86_400_000;

/** Schedules and returns how often it ran, on timers that the test moves. */
function scheduled(context: TestContext, delayMs: number): { ran: () => number; cancel: () => void } {
  context.mock.timers.enable({ apis: ["setTimeout"] });
  let runs = 0;
  const cancel = systemClock.schedule(delayMs, () => {
    runs++;
  });
  return { ran: () => runs, cancel };
}

test("a scheduled call comes once, at its time", (context) => {
  const { ran } = scheduled(context, 1000);
  context.mock.timers.tick(999);
  assert.equal(ran(), 0);
  context.mock.timers.tick(1);
  context.mock.timers.tick(5000);
  assert.equal(ran(), 1);
});

test("a cancelled call does not come, and cancelling twice does no harm", (context) => {
  const { ran, cancel } = scheduled(context, 1000);
  cancel();
  cancel();
  context.mock.timers.tick(5000);
  assert.equal(ran(), 0);
});

test("a delay longer than a timer can take is waited for in full", (context) => {
  const longestTimerMs = 2 ** 31 - 1;
  const { ran } = scheduled(context, 2 * longestTimerMs + DAY_MS);
  context.mock.timers.tick(longestTimerMs);
  context.mock.timers.tick(longestTimerMs);
  context.mock.timers.tick(DAY_MS - 1);
  assert.equal(ran(), 0);
  context.mock.timers.tick(1);
  assert.equal(ran(), 1);
});

test("a long delay can be cancelled after its first part", (context) => {
  const { ran, cancel } = scheduled(context, 60 * DAY_MS);
  context.mock.timers.tick(30 * DAY_MS);
  cancel();
  context.mock.timers.tick(60 * DAY_MS);
  assert.equal(ran(), 0);
});

test("the monotonic clock does not go back", () => {
  const first = systemClock.monotonic();
  assert.ok(systemClock.monotonic() >= first);
});

test("random numbers are in their range and bytes as many as asked", () => {
  const numbers = Array.from({ length: 100 }, () => systemRandom.next());
  assert.ok(numbers.every((number) => number >= 0 && number < 1));
  assert.equal(systemRandom.bytes(16).byteLength, 16);
  assert.notDeepEqual(systemRandom.bytes(16), systemRandom.bytes(16));
});
