import assert from "node:assert/strict";
import { test } from "node:test";
import { isJsonArray, isJsonObject, type Json, type JsonObject } from "@kubewright/core/meta";
import { formsOf, withZeroValues } from "./zero-values.ts";

const POD = { group: "", version: "v1", kind: "Pod" };
const ROLE = { group: "rbac.authorization.k8s.io", version: "v1", kind: "Role" };

const { withoutNil, asStored } = formsOf(POD);

const condition = { type: "Ready", status: "True" };
const pod: JsonObject = {
  apiVersion: "v1",
  kind: "Pod",
  metadata: { name: "a" },
  spec: { containers: [{ name: "main", resources: { limits: { cpu: 0.5 } } }] },
  status: { conditions: [condition] },
};

function statusOf(object: JsonObject): JsonObject {
  return object["status"] as JsonObject;
}

test("nil is written as null by Go and by storage, and left out of what is settled", () => {
  assert.deepEqual(statusOf(withZeroValues(POD, pod)), {
    conditions: [{ type: "Ready", lastProbeTime: null, status: "True", lastTransitionTime: null }],
  });
  assert.deepEqual(statusOf(asStored(pod)), statusOf(withZeroValues(POD, pod)));
  assert.deepEqual(statusOf(withoutNil(pod)), { conditions: [{ type: "Ready", status: "True" }] });
});

test("storage does not tell an empty list from none", () => {
  const role = { apiVersion: "rbac.authorization.k8s.io/v1", kind: "Role", metadata: {}, rules: [] };
  assert.deepEqual(withZeroValues(ROLE, role)["rules"], []);
  assert.deepEqual(formsOf(ROLE).withoutNil(role)["rules"], []);
  assert.equal(formsOf(ROLE).asStored(role)["rules"], null);
});

test("what is settled already stays the same object", () => {
  const settled = withoutNil(pod);
  assert.equal(withoutNil(settled), settled);
  assert.equal(withoutNil(structuredClone(settled), settled), settled);
});

/** The value with the keys of all its objects the other way round. */
function reversed(value: Json): Json {
  if (isJsonArray(value)) return value.map(reversed);
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.keys(value)
      .reverse()
      .map((key) => [key, reversed(value[key] ?? null)]),
  );
}

test("the order of keys does not matter", () => {
  const settled = withoutNil(pod);
  assert.equal(withoutNil(reversed(settled) as JsonObject, settled), settled);
  assert.equal(JSON.stringify(withoutNil(reversed(pod) as JsonObject)), JSON.stringify(settled));
  assert.equal(JSON.stringify(asStored(reversed(pod) as JsonObject)), JSON.stringify(asStored(pod)));
});

test("parts that did not change are shared with what is known", () => {
  const settled = withoutNil(pod);
  const changed = withoutNil({ ...settled, status: { ...statusOf(settled), phase: "Running", reason: "" } }, settled);
  assert.equal(changed["spec"], settled["spec"]);
  assert.equal(statusOf(changed)["conditions"], statusOf(settled)["conditions"]);
  assert.deepEqual(Object.keys(statusOf(changed)), ["phase", "conditions"]);
});

test("parts of what was settled are stored as they were", () => {
  const settled = withoutNil(pod);
  const stored = asStored(settled);
  const next = { ...settled, status: { phase: "Running", ...statusOf(settled) } };
  const written = asStored(next, { given: settled, written: stored });
  assert.equal(written["spec"], stored["spec"]);
  assert.equal(statusOf(written)["conditions"], statusOf(stored)["conditions"]);
  assert.deepEqual(written, asStored(next));
});

test("what is known to be settled is passed over where its type has nothing that is null", () => {
  const settled = withoutNil(pod);
  const stored = asStored(settled, { given: settled });
  assert.deepEqual(stored, asStored(settled));
  assert.equal((stored["spec"] as JsonObject)["containers"], (settled["spec"] as JsonObject)["containers"]);
  const role = { apiVersion: "rbac.authorization.k8s.io/v1", kind: "Role", metadata: {}, rules: [] };
  assert.equal(formsOf(ROLE).asStored(role, { given: role })["rules"], null);
});
