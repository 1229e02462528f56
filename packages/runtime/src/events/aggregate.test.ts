import assert from "node:assert/strict";
import { test } from "node:test";
import { EventAggregate } from "./aggregate.ts";

const SAME = { subject: "o", source: "operator Normal", topic: "Made" };

test("R22: 100 000 similar events become one event and a few counts", () => {
  const aggregate = new EventAggregate();
  const steps = { create: 0, count: 0, drop: 0 };
  for (let count = 0; count < 100_000; count++) {
    steps[aggregate.step({ ...SAME, note: "s" }, count, () => "e1").kind] += 1;
  }
  assert.equal(steps.create, 1);
  assert.equal(steps.count, 16);
});

test("R22: a source that records different events is cut off after 25, then gets one in 5 minutes", () => {
  const aggregate = new EventAggregate();
  const created = (fromMs: number, events: number): number => {
    let count = 0;
    for (let index = 0; index < events; index++) {
      const identity = { ...SAME, note: `${fromMs}-${index}` };
      if (aggregate.step(identity, fromMs, () => "e").kind === "create") count += 1;
    }
    return count;
  };
  assert.equal(created(0, 1000), 25);
  assert.equal(created(300_000, 1000), 1);
});

test("a similar event after a quiet while is a new one", () => {
  const aggregate = new EventAggregate();
  aggregate.step({ ...SAME, note: "s" }, 0, () => "e1");
  assert.deepEqual(
    aggregate.step({ ...SAME, note: "s" }, 360_000, () => "e2"),
    { kind: "create", name: "e2" },
  );
});
