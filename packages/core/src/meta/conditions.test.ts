import assert from "node:assert/strict";
import { test } from "node:test";
import {
  findCondition,
  isConditionFalse,
  isConditionTrue,
  mergeConditions,
  removeCondition,
  setCondition,
} from "./conditions.ts";

const ready = { type: "Ready", status: "True", reason: "AllUp", message: "", observedGeneration: 1 } as const;
const MINUTE_MS = 60_000;

test("a first condition gets the time", () => {
  assert.deepEqual(setCondition(undefined, ready, 0), [{ ...ready, lastTransitionTime: "1970-01-01T00:00:00Z" }]);
});

test("the time changes when the status flips, and only then", () => {
  const first = setCondition([], ready, 0);
  const reworded = setCondition(first, { ...ready, reason: "Still", observedGeneration: 2 }, MINUTE_MS);
  assert.deepEqual(reworded, [
    { ...ready, reason: "Still", observedGeneration: 2, lastTransitionTime: "1970-01-01T00:00:00Z" },
  ]);
  const flipped = setCondition(reworded, { ...ready, status: "False" }, MINUTE_MS);
  assert.equal(flipped[0]?.lastTransitionTime, "1970-01-01T00:01:00Z");
});

test("setting what is there already gives the same list back", () => {
  const first = setCondition([], ready, 0);
  assert.equal(setCondition(first, ready, MINUTE_MS), first);
  assert.equal(setCondition(first, { ...ready, lastTransitionTime: "2000-01-01T00:00:00Z" }, MINUTE_MS), first);
  assert.equal(mergeConditions(first, [ready], MINUTE_MS), first);
  assert.equal(mergeConditions(first, [], MINUTE_MS), first);
});

test("a flip may bring its own time", () => {
  const first = setCondition([], ready, 0);
  const time = "2000-01-01T00:00:00Z";
  assert.equal(
    setCondition(first, { ...ready, status: "Unknown", lastTransitionTime: time }, 1)[0]?.lastTransitionTime,
    time,
  );
});

test("the list given is never changed, and others keep their places", () => {
  const stored = Object.freeze([...mergeConditions([], [{ ...ready, type: "A" }, ready, { ...ready, type: "Z" }], 0)]);
  const merged = mergeConditions(
    stored,
    [
      { ...ready, status: "False" },
      { ...ready, type: "New" },
    ],
    MINUTE_MS,
  );
  assert.deepEqual(
    merged.map(({ type, status }) => `${type}=${status}`),
    ["A=True", "Ready=False", "Z=True", "New=True"],
  );
  assert.equal(merged[0], stored[0]);
});

test("conditions are found, tested and removed by type", () => {
  const conditions = setCondition([], ready, 0);
  assert.equal(findCondition(conditions, "Ready")?.reason, "AllUp");
  assert.equal(findCondition(undefined, "Ready"), undefined);
  assert.equal(isConditionTrue(conditions, "Ready"), true);
  assert.equal(isConditionFalse(conditions, "Ready"), false);
  assert.equal(isConditionTrue(conditions, "Other"), false);
  assert.deepEqual(removeCondition(conditions, "Ready"), []);
  assert.equal(removeCondition(conditions, "Other"), conditions);
});
