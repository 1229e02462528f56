import assert from "node:assert/strict";
import { test } from "node:test";
import { readyConditions } from "./ready-conditions.ts";

const fine = { reason: "Scheduled", message: "the schedules are followed" };

test("without a problem an object is ready, and neither progressing nor degraded", () => {
  const states = readyConditions(fine).map(({ type, status, reason }) => [type, status, reason]);
  assert.deepEqual(states, [
    ["Ready", "True", "Scheduled"],
    ["Progressing", "False", "Scheduled"],
    ["Degraded", "False", "AsExpected"],
  ]);
});

test("a problem makes it degraded and not ready, in the problem's words", () => {
  const conditions = readyConditions(fine, { reason: "ScaleFailed", message: "no such target" });
  const states = conditions.map(({ type, status, message }) => [type, status, message]);
  assert.deepEqual(states, [
    ["Ready", "False", "no such target"],
    ["Progressing", "False", "no such target"],
    ["Degraded", "True", "no such target"],
  ]);
});
