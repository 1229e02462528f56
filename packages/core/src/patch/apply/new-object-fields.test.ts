import assert from "node:assert/strict";
import { test } from "node:test";
import type { Json, JsonObject } from "../../meta/json.ts";
import type { StructuralSchema } from "../../schema/structural.ts";
import { encodeManagers } from "./managers.ts";
import { trackFieldOwnership, updateManagers } from "./track-ownership.ts";

const schema: StructuralSchema = {
  type: "object",
  properties: {
    spec: {
      type: "object",
      properties: {
        name: { type: "string" },
        settings: { type: "object", additionalProperties: { type: "string" } },
        whole: { type: "object", "x-kubernetes-map-type": "atomic", properties: { a: { type: "string" } } },
        tags: { type: "array", "x-kubernetes-list-type": "set", items: { type: "string" } },
        plain: { type: "array", items: { type: "string" } },
        ports: {
          type: "array",
          "x-kubernetes-list-type": "map",
          "x-kubernetes-list-map-keys": ["port", "protocol"],
          items: {
            type: "object",
            properties: { port: { type: "integer" }, protocol: { type: "string", default: "TCP" } },
          },
        },
        free: { type: "object", "x-kubernetes-preserve-unknown-fields": true },
      },
    },
    status: { type: "object", properties: { ready: { type: "boolean" } } },
  },
};

const options = { apiVersion: "example.com/v1", manager: "test", schema, now: "2026-01-01T00:00:00Z", subresource: "" };

const SPECS: readonly JsonObject[] = [
  {},
  { name: "a", settings: {}, tags: [], plain: [] },
  { name: null, settings: { b: "1", a: "2" }, whole: { a: "x" }, plain: ["z", "y"] },
  { tags: ["b", "a"], ports: [{ port: 10 }, { port: 9, protocol: "UDP" }, { port: 9 }] },
  { tags: ["b", "a", "b"], ports: [{ port: 9 }, { port: 9, protocol: "TCP" }] },
  { free: { deep: { list: [{ x: 1 }], empty: {} } } },
];

for (const [index, spec] of SPECS.entries()) {
  for (const resetFields of [[], [["status"]], [["spec"], ["metadata"]]]) {
    test(`whoever creates specification ${index} owns what differs from nothing, but ${JSON.stringify(resetFields)}`, () => {
      const metadata: Json = { name: "a", labels: { b: "1" }, annotations: {}, finalizers: ["x/y", "a/b"] };
      const after = { apiVersion: "example.com/v1", kind: "Widget", metadata, spec, status: { ready: true } };
      const before = { apiVersion: "example.com/v1", kind: "Widget" };
      const settings = { ...options, resetFields };
      const compared = encodeManagers(updateManagers(before, after, { options: settings, managers: new Map() }));
      const tracked = trackFieldOwnership({ ...settings, before: undefined, after });
      const entries = (tracked["metadata"] as JsonObject)["managedFields"];
      assert.equal(JSON.stringify(entries), JSON.stringify(compared));
    });
  }
}
