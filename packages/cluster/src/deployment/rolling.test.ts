import assert from "node:assert/strict";
import { test } from "node:test";
import { fencepostsOf, newSize, oldSizes } from "./rolling.ts";

test("surge rounds up and unavailable rounds down", () => {
  assert.deepEqual(fencepostsOf("25%", "25%", 3), { surge: 1, unavailable: 0 });
  assert.deepEqual(fencepostsOf("25%", "25%", 10), { surge: 3, unavailable: 2 });
  assert.deepEqual(fencepostsOf(2, 1, 10), { surge: 2, unavailable: 1 });
});

test("when neither surge nor unavailability is allowed, one pod may be missing", () => {
  assert.deepEqual(fencepostsOf(0, "10%", 3), { surge: 0, unavailable: 1 });
});

test("the new ReplicaSet grows into the room that the surge leaves", () => {
  assert.equal(newSize({ wanted: 0, available: 0 }, 10, 10, 3), 3);
  assert.equal(newSize({ wanted: 3, available: 0 }, 13, 10, 3), 3);
  assert.equal(newSize({ wanted: 12, available: 0 }, 12, 10, 3), 10);
});

test("old pods go only as far as enough stay available", () => {
  const newSet = { wanted: 3, available: 0 };
  assert.deepEqual(oldSizes([{ wanted: 10, available: 10 }], newSet, 10, 2), [8]);
  assert.deepEqual(oldSizes([{ wanted: 8, available: 8 }], { wanted: 5, available: 3 }, 10, 2), [5]);
});

test("old pods that are not available go first, whosever they are", () => {
  const old = [
    { wanted: 4, available: 0 },
    { wanted: 6, available: 6 },
  ];
  assert.deepEqual(oldSizes(old, { wanted: 3, available: 0 }, 10, 2), [2, 6]);
});

test("nothing goes while the new pods are not available and no unavailability is allowed", () => {
  assert.deepEqual(oldSizes([{ wanted: 3, available: 3 }], { wanted: 1, available: 0 }, 3, 0), [3]);
});
