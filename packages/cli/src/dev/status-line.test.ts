import assert from "node:assert/strict";
import { test } from "node:test";
import type { ReconcileRecord } from "@kubewright/runtime";
import { statusLine } from "./status-line.ts";

const record: ReconcileRecord = {
  controller: "thing",
  resource: "things.example.com",
  kind: "Thing",
  key: "default/a",
  startedMs: Date.UTC(2026, 0, 2, 3, 4, 5),
  durationMs: 1,
  attempt: 1,
  causes: [],
  writes: 0,
  result: "done",
};

test("the line counts objects and reconciles, and says when the last one was", () => {
  assert.equal(statusLine([]), "● running · nothing reconciled yet");
  const records = [record, { ...record, key: "default/b" }, record];
  assert.equal(statusLine(records), "● running · 2 objects · 3 reconciles, the last at 03:04:05 · all fine");
});

test("what fails now is named with the command that tells why; what healed or is gone does not count", () => {
  const failed: ReconcileRecord = { ...record, result: "retry", reason: "no quota" };
  assert.match(statusLine([record, failed]), /1 objects .* 1 failing: kubewright why thing\/a$/);
  assert.match(statusLine([failed, record]), /all fine$/);
  assert.match(statusLine([record, { ...failed, key: "default/b", result: "gone" }]), / 1 objects .*all fine$/);
});
