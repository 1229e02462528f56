import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { test } from "node:test";
import { builtinGroups } from "./discovery.ts";

const resources = builtinGroups.flatMap(({ group, versions }) =>
  versions.flatMap(({ version, resources }) => resources.map((resource) => ({ group, version, resource }))),
);

test("groups stand in the order of discovery, the core group first, the preferred version first", () => {
  assert.deepEqual(
    builtinGroups.slice(0, 4).map(({ group }) => group),
    ["", "apiregistration.k8s.io", "apps", "events.k8s.io"],
  );
  const autoscaling = builtinGroups.find(({ group }) => group === "autoscaling");
  assert.deepEqual(
    autoscaling?.versions.map(({ version }) => version),
    ["v2", "v1"],
  );
});

test("no alpha or beta version is on by default", () => {
  assert.equal(builtinGroups.length, 21);
  assert.ok(resources.every(({ version }) => /^v\d+$/.test(version)));
});

test("a subresource names its own kind where it differs", () => {
  const deployments = resources.find(({ resource }) => resource.name === "deployments")?.resource;
  assert.deepEqual(deployments?.subresources?.[0], {
    name: "scale",
    kind: "Scale",
    group: "autoscaling",
    version: "v1",
    verbs: ["get", "patch", "update"],
  });
});

test("the storage version hash is that of the kind", () => {
  const deployments = resources.find(({ resource }) => resource.name === "deployments")?.resource;
  const digest = createHash("sha256").update("apps/v1/Deployment").digest().subarray(0, 8).toString("base64");
  assert.equal(deployments?.storageVersionHash, digest);
});
