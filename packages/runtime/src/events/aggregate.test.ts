import assert from "node:assert/strict";
import { test } from "node:test";
import { EventAggregate } from "./aggregate.ts";

test("R22: 100 000 similar events become one event and a few counts", () => {
  const aggregate = new EventAggregate();
  const steps = { create: 0, count: 0, drop: 0 };
  for (let count = 0; count < 100_000; count++) {
    steps[aggregate.step({ series: "s", similar: "s", source: "o" }, count, () => "e1").kind] += 1;
  }
  assert.equal(steps.create, 1);
  assert.equal(steps.count, 16);
});

test("R22: a source that records different events is cut off after 25, then gets one in 5 minutes", () => {
  const aggregate = new EventAggregate();
  const created = (fromMs: number, events: number): number => {
    let count = 0;
    for (let index = 0; index < events; index++) {
      const identity = { series: `${fromMs}-${index}`, similar: "s", source: "o" };
      if (aggregate.step(identity, fromMs, () => "e").kind === "create") count += 1;
    }
    return count;
  };
  assert.equal(created(0, 1000), 25);
  assert.equal(created(300_000, 1000), 1);
});

test("a similar event after a quiet while is a new one", () => {
  const aggregate = new EventAggregate();
  aggregate.step({ series: "s", similar: "s", source: "o" }, 0, () => "e1");
  assert.deepEqual(
    aggregate.step({ series: "s", similar: "s", source: "o" }, 360_000, () => "e2"),
    { kind: "create", name: "e2" },
  );
});
