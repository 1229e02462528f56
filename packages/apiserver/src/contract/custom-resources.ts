/** Custom resources, from their definition to their status. */
import assert from "node:assert/strict";
import { type ContractCase, contract } from "./case.ts";
import { serveWidgets } from "./widgets.ts";

/** The cases. */
export const customResourceCases: readonly ContractCase[] = [
  contract("objects of a CRD are defaulted, pruned and validated", async (api) => {
    const path = await serveWidgets(api);
    const kind = { apiVersion: `${api.namespace}.example.com/v1`, kind: "Widget" };
    const created = await api.post(path, { ...kind, metadata: { name: "a" }, spec: { note: "x", unknown: 1 } });
    assert.equal(created.status, 201, created.text);
    assert.deepEqual(created.body.spec, { note: "x", size: 1 });
    assert.equal(created.body.metadata.generation, 1);
    const refused = await api.post(path, { ...kind, metadata: { name: "b" }, spec: { size: -1 } });
    assert.equal(refused.status, 422);
    assert.equal(
      refused.body.message,
      `Widget.${api.namespace}.example.com "b" is invalid: spec.size: Invalid value: -1: spec.size in body should be greater than or equal to 0`,
    );
  }),

  contract("status and spec are written apart, and only spec counts generations", async (api) => {
    const path = await serveWidgets(api);
    const kind = { apiVersion: `${api.namespace}.example.com/v1`, kind: "Widget" };
    const created = await api.post(path, {
      ...kind,
      metadata: { name: "a" },
      spec: { size: 2 },
      status: { phase: "Early" },
    });
    assert.equal(created.body.status, undefined);
    const status = await api.put(`${path}/a/status`, {
      ...created.body,
      spec: { size: 9 },
      status: { phase: "Ready" },
    });
    assert.equal(status.status, 200, status.text);
    assert.deepEqual(status.body.spec, { size: 2 });
    assert.deepEqual(status.body.status, { phase: "Ready" });
    assert.equal(status.body.metadata.generation, 1);
    const updated = await api.put(`${path}/a`, { ...status.body, spec: { size: 3 }, status: { phase: "Lost" } });
    assert.deepEqual(updated.body.status, { phase: "Ready" });
    assert.equal(updated.body.metadata.generation, 2);
  }),

  contract("an update of a custom resource must name the version it replaces", async (api) => {
    const path = await serveWidgets(api);
    const object = { apiVersion: `${api.namespace}.example.com/v1`, kind: "Widget", metadata: { name: "a" } };
    await api.post(path, object);
    const blind = await api.put(`${path}/a`, { ...object, spec: { size: 5 } });
    assert.equal(blind.status, 422);
    assert.match(blind.body.message, /metadata\.resourceVersion: Invalid value: 0: must be specified for an update/);
  }),
];
