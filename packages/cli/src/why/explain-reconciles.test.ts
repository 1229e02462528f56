import assert from "node:assert/strict";
import { test } from "node:test";
import type { ReconcileRecord } from "@kubewright/runtime";
import { explainReconciles, parseQuestion, reconcilesOf } from "./explain-reconciles.ts";

const record: ReconcileRecord = {
  controller: "memcached",
  resource: "memcacheds.cache.example.com",
  kind: "Memcached",
  key: "default/a",
  startedMs: Date.UTC(2026, 0, 2, 3, 4, 5),
  durationMs: 12.4,
  attempt: 1,
  causes: [],
  writes: 2,
  result: "done",
};

test("an object is found by kind, plural or plural with group, in one namespace or any", () => {
  const others = [
    { ...record, key: "shop/a" },
    { ...record, key: "default/b" },
    { ...record, kind: "Other", resource: "others" },
  ];
  const found = (text: string, namespace?: string): number =>
    reconcilesOf(parseQuestion(text, namespace), [record, ...others]).length;
  assert.deepEqual(
    ["memcached/a", "Memcacheds/a", "memcacheds.cache.example.com/a"].map((text) => found(text)),
    [2, 2, 2],
  );
  assert.deepEqual([found("memcached/a", "shop"), found("memcached/c"), found("other/a")], [1, 0, 1]);
  assert.throws(() => parseQuestion("memcached"), /"memcached" names no object/);
});

test("each reconcile says how it ended and why it ran", () => {
  const resource = "deployments.apps";
  const text = explainReconciles([
    { ...record, causes: [{ kind: "added", resource: record.resource, key: "default/a" }] },
    {
      ...record,
      attempt: 2,
      writes: 0,
      result: "retry",
      reason: "quota exceeded",
      causes: [
        { kind: "retry", reason: "timeout" },
        { kind: "updated", resource, key: "default/a", fields: ["status.replicas"] },
      ],
    },
    {
      ...record,
      writes: 1,
      result: "after",
      delayMs: 30_000,
      causes: [{ kind: "resync", resource, key: "default/a" }],
    },
    { ...record, writes: 0, result: "gone", causes: [{ kind: "source", source: "queue" }, { kind: "requeue" }] },
  ]);
  assert.equal(
    text,
    `2026-01-02T03:04:05.000Z  Memcached default/a: done (12 ms, 2 writes)
  because memcacheds.cache.example.com default/a was added
2026-01-02T03:04:05.000Z  Memcached default/a, attempt 2: tries again: quota exceeded (12 ms, no writes)
  because it failed before: timeout
  because deployments.apps default/a changed: status.replicas
2026-01-02T03:04:05.000Z  Memcached default/a: done, looks again after 30s (12 ms, 1 write)
  because deployments.apps default/a was there when the operator started
2026-01-02T03:04:05.000Z  Memcached default/a: nothing to do, the object is gone (12 ms, no writes)
  because the source queue said so
  because it asked to look again`,
  );
});
