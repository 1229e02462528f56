import assert from "node:assert/strict";
import { test } from "node:test";
import { VirtualClock } from "@kubewright/testing";
import { type Scope, Scopes } from "../src/controller/scope.ts";

const forever = (): Promise<never> => new Promise(() => {});

/** Notes when a scope ends, and of what. */
function watchEnd(scope: Scope, clock: VirtualClock): { atMs?: number; reason?: unknown } {
  const end: { atMs?: number; reason?: unknown } = {};
  scope.race(forever()).catch((reason: unknown) => Object.assign(end, { atMs: clock.monotonic(), reason }));
  return end;
}

test("each scope has its own deadline, whatever ended before it", async () => {
  const clock = new VirtualClock();
  const scopes = new Scopes(clock, 60_000);
  const startMs = clock.monotonic();
  const first = scopes.open();
  await clock.advance(10_000);
  const second = scopes.open();
  const third = scopes.open();
  const ends = [watchEnd(first, clock), watchEnd(second, clock), watchEnd(third, clock)];
  third[Symbol.dispose]();
  await clock.advance(200_000);
  assert.deepEqual(
    ends.map(({ atMs }) => (atMs === undefined ? undefined : atMs - startMs)),
    [60_000, 70_000, undefined],
  );
  assert.ok(first.timedOut && second.timedOut && !third.timedOut);
  assert.match(String(ends[0]?.reason), /took longer than 60 s/);
});

test("when the controller stops all scopes end, later ones at once, and no timer is left", async () => {
  const clock = new VirtualClock();
  const scopes = new Scopes(clock, 60_000);
  const open = watchEnd(scopes.open(), clock);
  scopes.open()[Symbol.dispose]();
  scopes.end("stopped");
  const late = watchEnd(scopes.open(), clock);
  await clock.settle();
  assert.deepEqual([open.reason, late.reason, clock.pending], ["stopped", "stopped", 0]);
});

test("while no scope is open no timer runs, and the next one has its whole time", async () => {
  const clock = new VirtualClock();
  const scopes = new Scopes(clock, 60_000);
  const [first, second] = [scopes.open(), scopes.open()];
  for (const scope of [first, second]) watchEnd(scope, clock);
  first[Symbol.dispose]();
  assert.equal(clock.pending, 1);
  second[Symbol.dispose]();
  assert.equal(clock.pending, 0);
  await clock.advance(50_000);
  const end = watchEnd(scopes.open(), clock);
  await clock.advance(200_000);
  assert.equal(end.atMs, 110_000);
});
