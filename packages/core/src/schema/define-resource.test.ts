import assert from "node:assert/strict";
import { test } from "node:test";
import { z } from "zod";
import type { ObjectOf } from "../meta/resource.ts";
import { toCrd } from "./crd.ts";
import { defineResource } from "./define-resource.ts";
import { conditions } from "./fields.ts";
import { cel } from "./rules.ts";

const Memcached = defineResource({
  group: "cache.example.com",
  version: "v1alpha1",
  kind: "Memcached",
  shortNames: ["mc"],
  spec: z.object({
    size: z.int32().min(0).max(100).default(1).describe("How many Memcached pods run."),
    image: z.string().default("memcached:1.6-alpine"),
  }),
  status: z.object({ nodes: z.array(z.string()).optional(), conditions: conditions() }),
  rules: [cel("self.spec.size > 0 || self.spec.image != ''", "an idle Memcached still names its image")],
  columns: [{ name: "Size", type: "integer", jsonPath: ".spec.size" }],
  scale: { specReplicas: ".spec.size", statusReplicas: ".status.size" },
});
type Memcached = ObjectOf<typeof Memcached>;

test("the types of a stored object are inferred from its schemas", () => {
  const stored: Memcached = {
    apiVersion: "cache.example.com/v1alpha1",
    kind: "Memcached",
    metadata: { name: "a" },
    spec: { size: 3, image: "memcached" },
    status: { nodes: ["a-0"] },
  };
  const size: number = stored.spec.size;
  // @ts-expect-error a stored object has its defaults
  const incomplete: Memcached["spec"] = { size: 1 };
  assert.equal(size, 3);
  assert.ok(incomplete);
});

test("an object being written may leave out what has a default", () => {
  type Input = NonNullable<(typeof Memcached)["~types"]>["input"];
  const input: Input = { metadata: { name: "a" }, spec: {} };
  assert.deepEqual(input.spec, {});
});

test("a definition becomes a CRD", () => {
  const crd = toCrd(Memcached);
  assert.equal(crd.metadata.name, "memcacheds.cache.example.com");
  const schema = crd.spec.versions[0]?.schema?.openAPIV3Schema;
  assert.deepEqual(schema?.properties?.["spec"], {
    type: "object",
    properties: {
      size: {
        description: "How many Memcached pods run.",
        default: 1,
        type: "integer",
        format: "int32",
        minimum: 0,
        maximum: 100,
      },
      image: { default: "memcached:1.6-alpine", type: "string" },
    },
  });
  assert.deepEqual(schema?.["x-kubernetes-validations"], [
    { rule: "self.spec.size > 0 || self.spec.image != ''", message: "an idle Memcached still names its image" },
  ]);
  assert.deepEqual(crd.spec.versions[0]?.subresources, {
    status: {},
    scale: { specReplicasPath: ".spec.size", statusReplicasPath: ".status.size" },
  });
});

test("a rule stands on any level of a schema", () => {
  const Range = defineResource({
    group: "example.com",
    version: "v1",
    kind: "Range",
    spec: z
      .object({ min: z.int32(), max: z.int32().check(cel("self > 0")) })
      .check(cel("self.min <= self.max", "min must not exceed max"), cel("self.max != 13"))
      .describe("a range"),
  });
  const spec = Range.schema.properties?.["spec"];
  assert.deepEqual(spec?.["x-kubernetes-validations"], [
    { rule: "self.min <= self.max", message: "min must not exceed max" },
    { rule: "self.max != 13" },
  ]);
  assert.deepEqual(spec?.properties?.["max"]?.["x-kubernetes-validations"], [{ rule: "self > 0" }]);
});
