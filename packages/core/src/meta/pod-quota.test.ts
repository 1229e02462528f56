import assert from "node:assert/strict";
import { test } from "node:test";
import { podQuota } from "./pod-quota.ts";

test("a quota has room for all pods, and sums what each requests and may use", () => {
  const hard = podQuota([
    { count: 3, resources: { requests: { cpu: "100m", memory: "64Mi" }, limits: { cpu: 1 } } },
    { count: 1, resources: { requests: { cpu: "0.7" } } },
  ]);
  assert.deepEqual(hard, { pods: "4", "requests.cpu": "1", "requests.memory": "192Mi", "limits.cpu": "3" });
});

test("no pods need nothing", () => {
  assert.deepEqual(podQuota([]), {});
});
