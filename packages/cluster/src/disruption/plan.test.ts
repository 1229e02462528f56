import assert from "node:assert/strict";
import { test } from "node:test";
import type { Pod } from "@kubewright/api/core/v1";
import type { PodDisruptionBudget } from "@kubewright/api/policy/v1";
import { formatTime } from "@kubewright/core/meta";
import { budgetStatus, failedStatus } from "./plan.ts";

const now = Date.UTC(2026, 0, 1);

function pods(count: number, ready = count): readonly Pod[] {
  return Array.from({ length: count }, (_, index) => ({
    metadata: { name: `p${index}` },
    status: { conditions: [{ type: "Ready", status: index < ready ? "True" : "False" }] },
  }));
}

function statusOf(spec: PodDisruptionBudget["spec"], of: readonly Pod[], more: object = {}) {
  return budgetStatus({
    budget: { metadata: { generation: 2 }, spec: { ...spec } },
    pods: of,
    expectedScale: of.length,
    now,
    ...more,
  });
}

test("a number of available pods leaves the rest to be disrupted", () => {
  const { status } = statusOf({ minAvailable: 2 }, pods(5, 4));
  assert.deepEqual(status, {
    currentHealthy: 4,
    desiredHealthy: 2,
    expectedPods: 5,
    disruptionsAllowed: 2,
    observedGeneration: 2,
    conditions: [
      {
        type: "DisruptionAllowed",
        status: "True",
        reason: "SufficientPods",
        message: "",
        observedGeneration: 2,
        lastTransitionTime: formatTime(now),
      },
    ],
  });
});

test("percentages are of what the controllers want, rounded up", () => {
  assert.equal(statusOf({ minAvailable: "50%" }, pods(3), { expectedScale: 5 }).status.desiredHealthy, 3);
  assert.equal(statusOf({ maxUnavailable: "30%" }, pods(5), { expectedScale: 5 }).status.desiredHealthy, 3);
  assert.equal(statusOf({ maxUnavailable: 7 }, pods(5), { expectedScale: 5 }).status.desiredHealthy, 0);
});

test("a budget without pods allows nothing", () => {
  const { status } = statusOf({ minAvailable: 0 }, []);
  assert.equal(status.disruptionsAllowed, 0);
  assert.equal(status.conditions?.[0]?.reason, "InsufficientPods");
});

test("a pod whose eviction was granted does not count for two minutes", () => {
  const budget = { spec: { minAvailable: 1 }, status: { disruptedPods: { p0: formatTime(now - 60_000) } } };
  const first = budgetStatus({ budget, pods: pods(3), expectedScale: 0, now });
  assert.equal(first.status.currentHealthy, 2);
  assert.equal(first.recheckAt, now + 60_000);
  const second = budgetStatus({ budget, pods: pods(3), expectedScale: 0, now: now + 60_000 });
  assert.equal(second.status.currentHealthy, 3);
  assert.equal(second.status.disruptedPods, undefined);
});

test("when the expected pods are not known nothing may be disrupted", () => {
  const status = failedStatus({ status: { disruptionsAllowed: 3 } }, "found no controllers", now);
  assert.equal(status.disruptionsAllowed, 0);
  assert.deepEqual(
    [status.conditions?.[0]?.reason, status.conditions?.[0]?.message],
    ["SyncFailed", "found no controllers"],
  );
});
