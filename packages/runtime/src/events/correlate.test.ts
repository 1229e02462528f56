import assert from "node:assert/strict";
import { test } from "node:test";
import { EventCorrelator } from "./correlate.ts";
import type { EventIdentity } from "./event-memory.ts";

const MINUTE_MS = 60_000;

function identity(note: string, type = "Normal"): EventIdentity {
  return { subject: "a", source: `kubelet ${type}`, topic: "Pulled", note };
}

/** Names events after each other. */
function naming(): () => string {
  let number = 0;
  return () => `e${++number}`;
}

test("an event that is recorded again counts one more, however long it takes", () => {
  const correlator = new EventCorrelator();
  const name = naming();
  assert.deepEqual(correlator.step(identity("x"), 0, name), { kind: "create", name: "e1", isCombined: false });
  const counted = correlator.step(identity("x"), 60 * MINUTE_MS, name);
  assert.deepEqual(counted, { kind: "count", name: "e1", count: 2, firstMs: 0, isCombined: false });
});

test("of events that differ in their message the tenth stands for those that follow", () => {
  const correlator = new EventCorrelator();
  const name = naming();
  const steps = Array.from({ length: 12 }, (_, index) =>
    correlator.step(identity(`note ${index}`), index * 5 * MINUTE_MS, name),
  );
  assert.deepEqual(
    steps.slice(0, 9).map(({ kind }) => kind),
    Array.from({ length: 9 }, () => "create"),
  );
  assert.deepEqual(steps[9], { kind: "create", name: "e10", isCombined: true });
  assert.deepEqual(steps[11], { kind: "count", name: "e10", count: 3, firstMs: 45 * MINUTE_MS, isCombined: true });
});

test("after ten quiet minutes different messages are told one by one again", () => {
  const correlator = new EventCorrelator();
  const name = naming();
  for (let index = 0; index < 10; index++) correlator.step(identity(`note ${index}`), 0, name);
  const step = correlator.step(identity("note 10"), 10 * MINUTE_MS + 1, name);
  assert.deepEqual(step, { kind: "create", name: "e11", isCombined: false });
});

test("a source gets 25 events through at once, then one in 5 minutes; its warnings count by themselves", () => {
  const correlator = new EventCorrelator();
  const name = naming();
  const passed = (nowMs: number, type: string): number =>
    Array.from({ length: 100 }, () => correlator.step(identity("x", type), nowMs, name)).filter(
      ({ kind }) => kind !== "drop",
    ).length;
  assert.equal(passed(0, "Normal"), 25);
  assert.equal(passed(0, "Warning"), 25);
  assert.equal(passed(5 * MINUTE_MS, "Normal"), 1);
});

test("what is forgotten is created anew", () => {
  const correlator = new EventCorrelator();
  const name = naming();
  correlator.step(identity("x"), 0, name);
  correlator.forget(identity("x"));
  assert.deepEqual(correlator.step(identity("x"), 1, name), { kind: "create", name: "e2", isCombined: false });
});

test("a source that tells something else every eleven minutes for weeks is remembered for what it told last", () => {
  const correlator = new EventCorrelator();
  const name = naming();
  const steps = Array.from({ length: 1000 }, (_, index) =>
    correlator.step(identity(`note ${index}`), index * 11 * MINUTE_MS, name),
  );
  assert.deepEqual(new Set(steps.map(({ kind }) => kind)), new Set(["create"]));
  assert.equal(correlator.step(identity("note 999"), 1000 * 11 * MINUTE_MS, name).kind, "count");
  assert.equal(correlator.step(identity("note 0"), 1001 * 11 * MINUTE_MS, name).kind, "create");
});

test("objects that are told of do not count against each other", () => {
  const correlator = new EventCorrelator();
  const name = naming();
  const about = (subject: string) => correlator.step({ ...identity("x"), subject }, 0, name).kind;
  assert.deepEqual(["a", "b", "a", "b"].map(about), ["create", "create", "count", "count"]);
});
