import assert from "node:assert/strict";
import { test } from "node:test";
import { z } from "zod";
import { containerEnv, containerResources } from "../schema/container-fields.ts";
import { toCrd } from "../schema/crd.ts";
import { defineResource } from "../schema/define-resource.ts";
import type { CrdInput } from "./crd-input.ts";
import { validateCrd } from "./validate-crd.ts";

const Worker = defineResource({
  group: "example.com",
  version: "v1",
  kind: "Worker",
  spec: z.object({ env: containerEnv().optional(), resources: containerResources().optional() }),
});

test("environment and resources of containers make a CRD that API servers accept", () => {
  // A CRD is JSON, which validation reads without knowing its type.
  assert.deepEqual(validateCrd({ ...toCrd(Worker), status: { storedVersions: ["v1"] } } as unknown as CrdInput), []);
});

test("variables merge by name and amounts may be numbers or text", () => {
  const spec = toCrd(Worker).spec.versions[0]?.schema?.openAPIV3Schema?.properties?.["spec"];
  const { env, resources } = spec?.properties ?? {};
  assert.deepEqual(env?.["x-kubernetes-list-map-keys"], ["name"]);
  const amounts = resources?.properties?.["limits"]?.additionalProperties;
  assert.equal(typeof amounts === "object" && amounts["x-kubernetes-int-or-string"], true);
});
