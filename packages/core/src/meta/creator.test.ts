import assert from "node:assert/strict";
import { test } from "node:test";
import { creatorOf, creatorsAlone, plainManager } from "./creator.ts";
import type { ManagedFieldsEntry } from "./object.ts";

const edited: ManagedFieldsEntry = { manager: "kubectl-edit", operation: "Update", fieldsV1: { "f:data": {} } };
const applied: ManagedFieldsEntry = { manager: "widget/4f7a/created", operation: "Apply", fieldsV1: {} };
const created: ManagedFieldsEntry = { manager: "widget/4f7a/created", operation: "Update", fieldsV1: { "f:data": {} } };

test("the creator of an object is the manager whose update says so", () => {
  assert.equal(creatorOf({ metadata: { managedFields: [edited, created] } }), "widget/4f7a/created");
  assert.equal(creatorOf({ metadata: { managedFields: [edited, applied] } }), undefined);
  assert.equal(creatorOf({}), undefined);
});

test("of managedFields the creator's name is kept, and what was kept is kept as it is", () => {
  const kept = creatorsAlone([edited, created]);
  assert.deepEqual(kept, [{ manager: "widget/4f7a/created", operation: "Update" }]);
  assert.equal(creatorsAlone(kept), kept);
  assert.equal(creatorsAlone([edited]), undefined);
  assert.equal(creatorsAlone(undefined), undefined);
});

test("a manager is called by its name without what it created", () => {
  assert.equal(plainManager("widget/4f7a/created"), "widget");
  assert.equal(plainManager("a/b/4f7a/created"), "a/b");
  assert.equal(plainManager("kubectl-edit"), "kubectl-edit");
});
