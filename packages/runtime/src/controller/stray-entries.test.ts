import assert from "node:assert/strict";
import { test } from "node:test";
import type { ManagedFieldsEntry } from "@kubewright/core/meta";
import { claimStrays } from "./stray-entries.ts";

const entry = (port: number): Record<string, object> => ({
  [`k:{"port":${port},"protocol":"TCP"}`]: { ".": {}, "f:port": {} },
});
const managed = (manager: string, operation: "Apply" | "Update", ports: object): ManagedFieldsEntry => ({
  manager,
  operation,
  apiVersion: "v1",
  fieldsType: "FieldsV1",
  fieldsV1: { "f:spec": { "f:ports": ports } },
});
const service = (ports: readonly number[], managedFields: readonly ManagedFieldsEntry[] = []) => ({
  apiVersion: "v1",
  kind: "Service",
  metadata: { name: "web", managedFields },
  spec: { ports: ports.map((port) => ({ port, protocol: "TCP" })) },
});
const wanted = { ...service([]), spec: { ports: [{ port: 80 }] } };

test("an entry that took the place of ours moves from who put it there to our applied set", () => {
  const byHand = { ...entry(8080), "f:other": {} };
  const live = service([8080], [managed("app", "Apply", { ".": {} }), managed("kubectl-edit", "Update", byHand)]);
  assert.deepEqual(claimStrays(live, wanted, "app"), [
    managed("app", "Apply", { ".": {}, ...entry(8080) }),
    managed("kubectl-edit", "Update", { "f:other": {} }),
  ]);
});

test("a manager that is left with nothing is left out, and ours is made when it had lost everything", () => {
  const live = service([8080], [managed("kubectl-edit", "Update", entry(8080))]);
  assert.deepEqual(claimStrays(live, wanted, "app"), [managed("app", "Apply", entry(8080))]);
});

test("nothing is claimed while all of our entries are there", () => {
  const live = service([80, 9090], [managed("app", "Apply", entry(80)), managed("someone", "Update", entry(9090))]);
  assert.equal(claimStrays(live, wanted, "app"), undefined);
});

test("what another applier declared stays", () => {
  const live = service([9090], [managed("mesh", "Apply", entry(9090))]);
  assert.equal(claimStrays(live, wanted, "app"), undefined);
});

test("what we created or updated ourselves is no stray", () => {
  const own = [managed("app/4f7a/created", "Update", entry(8080)), managed("app", "Update", entry(8081))];
  assert.equal(claimStrays(service([8080, 8081], own), wanted, "app"), undefined);
});

test("lists that we do not declare stay", () => {
  const live = service([8080], [managed("someone", "Update", entry(8080))]);
  assert.equal(claimStrays(live, { ...wanted, spec: {} } as typeof wanted, "app"), undefined);
});
