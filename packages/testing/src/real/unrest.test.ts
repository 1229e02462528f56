import assert from "node:assert/strict";
import { test } from "node:test";
import type { KubernetesObject } from "@kubewright/core/meta";
import { findUnrest as find } from "./unrest.ts";

const DEPLOYMENTS = { group: "apps", version: "v1", kind: "Deployment" };
const findUnrest = (objects: readonly KubernetesObject[]): string | undefined => find(objects, [DEPLOYMENTS]);

function deployment(status: object, metadata: object = {}): KubernetesObject {
  return {
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata: { name: "web", uid: "1", generation: 2, ...metadata },
    spec: { replicas: 3 },
    status,
  } as KubernetesObject;
}

const done = { observedGeneration: 2, replicas: 3, updatedReplicas: 3, availableReplicas: 3 };

test("a Deployment is at rest when its status says that the last change is rolled out", () => {
  assert.equal(findUnrest([deployment(done)]), undefined);
  assert.equal(findUnrest([deployment({})]), "Deployment web is not where it should be");
  assert.equal(findUnrest([deployment({ ...done, availableReplicas: 2 })]), "Deployment web is not where it should be");
  assert.match(findUnrest([deployment({ ...done, observedGeneration: 1 })]) ?? "", /a change that nobody looked at/);
});

test("what is being deleted, or belongs to what is gone, is not at rest", () => {
  const deleting = deployment(done, { deletionTimestamp: "2026-01-01T00:00:00Z" });
  assert.equal(findUnrest([deleting]), "Deployment web is being deleted");
  const owner = { apiVersion: "apps/v1", kind: "Deployment", name: "gone", uid: "0", controller: true };
  const child = { apiVersion: "v1", kind: "Pod", metadata: { name: "p", uid: "2", ownerReferences: [owner] } };
  assert.equal(findUnrest([deployment(done), child]), "Pod p has lost its owner");
  assert.equal(findUnrest([child]), "Pod p has lost its owner", "the last of its kind");
  assert.equal(find([child], []), undefined, "kinds that are not looked at may own it");
});

test("jobs that run, pods that wait and quotas that nobody counted are not at rest", () => {
  const object = (kind: string, status: object): KubernetesObject =>
    ({ apiVersion: "v1", kind, metadata: { name: "a", uid: "1" }, status }) as KubernetesObject;
  assert.match(findUnrest([object("Job", { active: 1 })]) ?? "", /^Job a/);
  assert.equal(findUnrest([object("Job", { conditions: [{ type: "Complete", status: "True" }] })]), undefined);
  assert.match(findUnrest([object("Pod", { phase: "Pending" })]) ?? "", /^Pod a/);
  assert.equal(findUnrest([object("Pod", { phase: "Running" })]), undefined);
  assert.match(findUnrest([object("ResourceQuota", {})]) ?? "", /^ResourceQuota a/);
});
