import assert from "node:assert/strict";
import { test } from "node:test";
import { builtinGroups } from "./discovery.ts";
import { COMPONENTS_PREFIX, componentNameOf, componentOf, PATCH_COMPONENT } from "./openapi.ts";

test("a kind is a component under Kubernetes' name that points to its parts", () => {
  assert.equal(componentNameOf("apps", "v1", "Deployment"), "io.k8s.api.apps.v1.Deployment");
  assert.equal(
    componentNameOf("apiextensions.k8s.io", "v1", "CustomResourceDefinition"),
    "io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.CustomResourceDefinition",
  );
  assert.equal(componentNameOf("example.com", "v1", "Widget"), undefined);
  assert.equal(componentOf("io.k8s.api.apps.v1.Nothing"), undefined);
  const spec = componentOf("io.k8s.api.apps.v1.DeploymentSpec");
  assert.ok(spec !== undefined);
  assert.deepEqual(spec.schema["required"], ["selector", "template"]);
  assert.deepEqual((spec.schema["properties"] as Record<string, unknown>)["strategy"], {
    "x-kubernetes-patch-strategy": "retainKeys",
    allOf: [{ $ref: `${COMPONENTS_PREFIX}io.k8s.api.apps.v1.DeploymentStrategy` }],
  });
  assert.ok(spec.references.includes("io.k8s.api.core.v1.PodTemplateSpec"));
});

test("everything that built-in kinds point to is there", () => {
  const waiting = builtinGroups.flatMap(({ group, versions }) =>
    versions.flatMap(({ version, resources }) =>
      resources.flatMap(({ kind }) => componentNameOf(group, version, kind) ?? assert.fail(kind)),
    ),
  );
  waiting.push(PATCH_COMPONENT);
  const seen = new Set<string>();
  for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
    if (seen.has(name)) continue;
    seen.add(name);
    const component = componentOf(name);
    assert.ok(component !== undefined, name);
    waiting.push(...component.references);
  }
  assert.ok(seen.size > 400);
});
