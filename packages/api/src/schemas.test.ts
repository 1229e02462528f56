import assert from "node:assert/strict";
import { test } from "node:test";
import type { StructuralSchema } from "@kubewright/core/schema";
import { builtinGroups } from "./discovery.ts";
import { schemaOf } from "./schemas.ts";

/** The schema below `path`; "[]" stands for the items of a list, "{}" for the values of a map. */
function at(schema: StructuralSchema | undefined, ...path: readonly string[]): StructuralSchema | undefined {
  return path.reduce<StructuralSchema | undefined>((current, step) => {
    if (step === "[]") return current?.items;
    return step === "{}" ? (current?.additionalProperties as StructuralSchema) : current?.properties?.[step];
  }, schema);
}

const deployment = schemaOf("apps", "v1", "Deployment");
const container = at(deployment, "spec", "template", "spec", "containers", "[]");

test("every resource of every default version has a schema, and so have its subresources", () => {
  for (const { group, versions } of builtinGroups) {
    for (const { version, resources } of versions) {
      for (const { kind, subresources } of resources) {
        assert.ok(schemaOf(group, version, kind)?.properties?.["kind"], `${group}/${version} ${kind}`);
        for (const sub of subresources ?? []) {
          const found = schemaOf(sub.group ?? group, sub.version ?? version, sub.kind);
          assert.ok(found !== undefined || sub.kind.endsWith("Options"), `${kind}/${sub.name}: ${sub.kind}`);
        }
      }
    }
  }
});

test("kinds of other groups have none, even if the names resemble built-in ones", () => {
  assert.equal(schemaOf("networking.example.com", "v1", "Ingress"), undefined);
  assert.equal(schemaOf("", "v1", "constructor"), undefined);
  assert.equal(schemaOf("__proto__", "v1", "Pod"), undefined);
});

test("lists say how patches and apply merge them", () => {
  assert.deepEqual(
    { ...at(container, "ports"), items: undefined },
    {
      type: "array",
      items: undefined,
      "x-kubernetes-list-type": "map",
      "x-kubernetes-list-map-keys": ["containerPort", "protocol"],
      "x-kubernetes-patch-strategy": "merge",
      "x-kubernetes-patch-merge-key": "containerPort",
    },
  );
  assert.equal(at(deployment, "spec", "selector")?.["x-kubernetes-map-type"], "atomic");
  assert.equal(at(deployment, "spec", "strategy")?.["x-kubernetes-patch-strategy"], "retainKeys");
});

test("defaults and enums are those of the API, Go's zero values are no defaults", () => {
  assert.deepEqual(at(container, "ports", "[]", "protocol"), {
    type: "string",
    default: "TCP",
    enum: ["SCTP", "TCP", "UDP"],
  });
  assert.deepEqual(at(container, "ports", "[]", "containerPort"), { type: "integer", format: "int32" });
  assert.deepEqual(at(container, "ports", "[]")?.required, ["containerPort"]);
});

test("scalars that are more than text say so", () => {
  assert.equal(at(container, "resources", "limits", "{}")?.format, "quantity");
  assert.equal(at(schemaOf("", "v1", "Secret"), "data", "{}")?.format, "byte");
  assert.equal(at(deployment, "metadata", "creationTimestamp")?.format, "date-time");
  assert.equal(at(schemaOf("coordination.k8s.io", "v1", "Lease"), "spec", "renewTime")?.format, "micro-time");
  const targetPort = at(schemaOf("", "v1", "Service"), "spec", "ports", "[]", "targetPort");
  assert.deepEqual(targetPort, { format: "int-or-string", "x-kubernetes-int-or-string": true });
});

test("fields of inlined structs stand among the others", () => {
  const volume = at(deployment, "spec", "template", "spec", "volumes", "[]");
  assert.ok(at(volume, "name") && at(volume, "configMap", "items"));
  assert.equal(volume?.properties?.[""], undefined);
});

test("a schema may contain itself", () => {
  const crd = schemaOf("apiextensions.k8s.io", "v1", "CustomResourceDefinition");
  const root = at(crd, "spec", "versions", "[]", "schema", "openAPIV3Schema");
  assert.equal(at(root, "properties", "{}", "properties", "{}", "type")?.type, "string");
});

test("the properties of a type are made once", () => {
  assert.equal(schemaOf("apps", "v1", "Deployment"), deployment);
  const job = at(schemaOf("batch", "v1", "Job"), "spec", "template");
  assert.equal(job?.properties, at(deployment, "spec", "template")?.properties);
});
