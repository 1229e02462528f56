import assert from "node:assert/strict";
import { test } from "node:test";
import { RECORDS_MAX, ReconcileHistory, type ReconcileRecord } from "./reconcile-history.ts";

function record(startedMs: number): ReconcileRecord {
  const facts = { controller: "c", resource: "widgets.example.com", kind: "Widget", key: "default/a" };
  return { ...facts, startedMs, durationMs: 1, attempt: 1, causes: [], writes: 0, result: "done" };
}

test("reconciles are told in their order", () => {
  const history = new ReconcileHistory();
  for (const startedMs of [1, 2, 3]) history.add(() => record(startedMs));
  assert.deepEqual(
    history.list().map(({ startedMs }) => startedMs),
    [1, 2, 3],
  );
});

test("the oldest make room for the newest", () => {
  const history = new ReconcileHistory();
  for (let startedMs = 0; startedMs < RECORDS_MAX + 5; startedMs++) history.add(() => record(startedMs));
  const list = history.list();
  assert.deepEqual([list.length, list[0]?.startedMs, list.at(-1)?.startedMs], [RECORDS_MAX, 5, RECORDS_MAX + 4]);
});
