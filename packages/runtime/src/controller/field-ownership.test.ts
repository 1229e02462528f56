import assert from "node:assert/strict";
import { test } from "node:test";
import type { ManagedFieldsEntry } from "@kubewright/core/meta";
import { takeOverCreated } from "./field-ownership.ts";

const managed = (manager: string, operation: "Apply" | "Update", data: object): ManagedFieldsEntry => ({
  manager,
  operation,
  apiVersion: "v1",
  fieldsType: "FieldsV1",
  fieldsV1: { "f:data": data },
});
const configMap = (managedFields: readonly ManagedFieldsEntry[]) => ({
  apiVersion: "v1",
  kind: "ConfigMap",
  metadata: { name: "a", managedFields },
});

test("what a manager created becomes what it applied, and what others own stays theirs", () => {
  const other = managed("kubectl-edit", "Update", { "f:b": {} });
  const live = configMap([managed("widget", "Update", { "f:a": {} }), other]);
  assert.deepEqual(takeOverCreated(live, live, "widget"), [managed("widget", "Apply", { "f:a": {} }), other]);
});

test("what a controller created is known by the name of the field manager, which goes on with what it created", () => {
  const others = ["widgets/4f7a/created", "widget/b/4f7a/created"].map((name) =>
    managed(name, "Update", { "f:b": {} }),
  );
  const live = configMap([managed("widget/4f7a/created", "Update", { "f:a": {} }), ...others]);
  assert.deepEqual(takeOverCreated(live, live, "widget"), [managed("widget", "Apply", { "f:a": {} }), ...others]);
});

test("what a manager created and what it applied since are one", () => {
  const live = configMap([managed("widget", "Apply", { "f:a": {} }), managed("widget", "Update", { "f:b": {} })]);
  assert.deepEqual(takeOverCreated(live, live, "widget"), [managed("widget", "Apply", { "f:a": {}, "f:b": {} })]);
});

test("where a manager owns nothing by updates there is nothing to take over, its status included", () => {
  const status = { ...managed("widget", "Update", { "f:a": {} }), subresource: "status" };
  const live = configMap([managed("widget", "Apply", { "f:a": {} }), status]);
  assert.equal(takeOverCreated(live, live, "widget"), undefined);
});
