import assert from "node:assert/strict";
import { test } from "node:test";
import { sleep } from "@kubewright/core/ports";
import { VirtualClock } from "./virtual-clock.ts";

test("timers fire in the order of their times, and not before them", async () => {
  const clock = new VirtualClock();
  const fired: string[] = [];
  clock.schedule(20, () => fired.push("later"));
  clock.schedule(10, () => fired.push("sooner"));
  await clock.advance(10);
  assert.deepEqual(fired, ["sooner"]);
  await clock.advance(10);
  assert.deepEqual(fired, ["sooner", "later"]);
  assert.equal(clock.pending, 0);
});

test("a chain of waits takes as long as its sum", async () => {
  const clock = new VirtualClock();
  const startMs = clock.monotonic();
  let tookMs = 0;
  const chain = (async () => {
    for (let step = 0; step < 5; step++) await sleep(clock, 1000);
    tookMs = clock.monotonic() - startMs;
  })();
  await clock.advanceUntil(() => tookMs > 0);
  await chain;
  assert.equal(tookMs, 5000);
});

test("timers that go on at the same time leave turns to others in the process", async () => {
  const [clock, other] = [new VirtualClock(), new VirtualClock()];
  let isOthersTurn = false;
  const others = other
    .settle()
    .then(() => other.settle())
    .then(() => {
      isOthersTurn = true;
    });
  let fired = 0;
  const again = (): void => {
    fired += 1;
    if (!isOthersTurn && fired < 10_000) clock.schedule(0, again);
  };
  clock.schedule(0, again);
  await clock.advance(0);
  assert.equal(isOthersTurn, true);
  await others;
});

test("a cancelled timer does not fire", async () => {
  const clock = new VirtualClock();
  let fired = false;
  const cancel = clock.schedule(5, () => {
    fired = true;
  });
  cancel();
  await clock.advance(10);
  assert.equal(fired, false);
});

test("setting the wall clock leaves timers and the monotonic scale alone", async () => {
  const clock = new VirtualClock();
  const before = { now: clock.now(), monotonic: clock.monotonic() };
  clock.jump(-3_600_000);
  assert.equal(clock.now(), before.now - 3_600_000);
  assert.equal(clock.monotonic(), before.monotonic);
});

test("waiting for what never happens fails", async () => {
  const clock = new VirtualClock();
  await assert.rejects(
    clock.advanceUntil(() => false, 1000),
    /within 1 virtual seconds/,
  );
});
