import assert from "node:assert/strict";
import { test } from "node:test";
import { changedFields } from "./changed-fields.ts";

const object = { metadata: { name: "a", resourceVersion: "1", labels: { x: "1" } }, spec: { size: 1, tags: ["a"] } };

test("changed fields are named two levels deep, versions apart", () => {
  const after = {
    metadata: { ...object.metadata, resourceVersion: "2", labels: { x: "2" } },
    spec: { size: 2, tags: ["a"] },
  };
  assert.deepEqual(changedFields(object, after), ["metadata.labels", "spec.size"]);
});

test("a part that came or went is named as a whole", () => {
  assert.deepEqual(changedFields(object, { ...object, status: { ready: true } } as never), ["status"]);
  assert.deepEqual(changedFields(object, { metadata: object.metadata }), ["spec"]);
});

test("nothing changed, nothing named", () => {
  assert.deepEqual(changedFields(object, object), []);
});
