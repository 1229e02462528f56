import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as wait } from "node:timers/promises";
import { systemClock } from "./clock.ts";
import { measureEventLoop } from "./event-loop.ts";

test("a loop that was held up is told so", async () => {
  using meter = measureEventLoop();
  await wait(600); // Real time: the machine's own event loop is what is measured.
  const untilMs = systemClock.monotonic() + 1000;
  while (systemClock.monotonic() < untilMs);
  await wait(600);
  const { maxMs, p99Ms } = meter.read();
  assert.ok(maxMs >= 400, `${maxMs} ms`);
  assert.ok(p99Ms <= maxMs);
});
