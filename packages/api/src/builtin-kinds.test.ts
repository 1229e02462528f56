import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import type { ObjectOf, ResourceDefinition } from "@kubewright/core/meta";
import { Deployment } from "./generated/apps/v1.ts";
import { Namespace, Pod } from "./generated/core/v1.ts";
import { Ingress } from "./generated/networking/v1.ts";

test("a definition carries the names that clients and kubectl use", () => {
  assert.deepEqual(Deployment, {
    group: "apps",
    version: "v1",
    kind: "Deployment",
    plural: "deployments",
    singular: "deployment",
    scope: "Namespaced",
    shortNames: ["deploy"],
    categories: ["all"],
    subresources: ["scale", "status"],
  });
  assert.equal(Namespace.scope, "Cluster");
  assert.equal(Pod.group, "");
  assert.equal(Ingress.group, "networking.k8s.io");
});

test("types say which fields the API requires", () => {
  const container = { name: "web", image: "nginx:1.29", ports: [{ containerPort: 80 }] };
  const deployment: ObjectOf<typeof Deployment> = {
    metadata: { name: "web" },
    spec: { selector: { matchLabels: { app: "web" } }, template: { spec: { containers: [container] } } },
  };
  // @ts-expect-error: a container needs a name
  const pod: Pod = { spec: { containers: [{ image: "nginx:1.29" }] } };
  // @ts-expect-error: a Pod is not a Deployment
  const wrong: ResourceDefinition<Deployment> = Pod as ResourceDefinition<Pod>;
  assert.ok(deployment.spec && pod.spec && wrong);
});

test("modules of built-in kinds import types only, so that one costs nothing but itself", () => {
  for (const module of ["apps/v1", "core/v1", "batch/v1"]) {
    const text = readFileSync(new URL(`generated/${module}.ts`, import.meta.url), "utf8");
    assert.doesNotMatch(text, /^import (?!type )/m);
  }
});
