import assert from "node:assert/strict";
import { test } from "node:test";
import type { Deployment, DeploymentStatus } from "@kubewright/api/apps/v1";
import { rolloutConditions } from "./rollout-conditions.ts";

test("an object without its Deployment is not ready and progressing", () => {
  assert.deepEqual(statuses(undefined), { Ready: "False", Progressing: "True", Degraded: "False" });
});

test("an object is ready when all replicas are of the current template and available", () => {
  const status = { observedGeneration: 2, replicas: 3, updatedReplicas: 3, availableReplicas: 3 };
  assert.deepEqual(statuses(deployment(status)), { Ready: "True", Progressing: "False", Degraded: "False" });
});

test("counts of an older generation do not make an object ready", () => {
  const status = { observedGeneration: 1, replicas: 3, updatedReplicas: 3, availableReplicas: 3 };
  assert.deepEqual(statuses(deployment(status)), { Ready: "False", Progressing: "True", Degraded: "False" });
});

test("old pods beside the new ones mean that the rollout goes on", () => {
  const status = { observedGeneration: 2, replicas: 4, updatedReplicas: 3, availableReplicas: 3 };
  assert.deepEqual(statuses(deployment(status)), { Ready: "False", Progressing: "True", Degraded: "False" });
});

test("a rollout that cannot create pods is degraded and says why", () => {
  const failure = { type: "ReplicaFailure", status: "True", reason: "FailedCreate", message: "exceeded quota" };
  const conditions = rolloutConditions(deployment({ observedGeneration: 2, conditions: [failure] }));
  const degraded = conditions.find(({ type }) => type === "Degraded");
  assert.deepEqual(degraded, { type: "Degraded", status: "True", reason: "FailedCreate", message: "exceeded quota" });
});

test("a child that could not be applied degrades the object, whatever its Deployment says", () => {
  const status = { observedGeneration: 2, replicas: 3, updatedReplicas: 3, availableReplicas: 3 };
  const conditions = rolloutConditions(deployment(status), [new Error("provided port is already allocated")]);
  assert.deepEqual(
    conditions.map(({ type, status }) => `${type}=${status}`),
    ["Ready=False", "Progressing=False", "Degraded=True"],
  );
  assert.equal(conditions[2]?.message, "provided port is already allocated");
});

function deployment(status: DeploymentStatus): Deployment {
  const template = { spec: { containers: [] } };
  return { metadata: { generation: 2 }, spec: { replicas: 3, selector: {}, template }, status };
}

function statuses(of: Deployment | undefined): Record<string, string> {
  return Object.fromEntries(rolloutConditions(of).map(({ type, status }) => [type, status]));
}
