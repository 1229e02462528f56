import assert from "node:assert/strict";
import { test } from "node:test";
import { ExpectedChanges } from "./expected-changes.ts";

test("a change is expected once, of its type and key alone", () => {
  const changes = new ExpectedChanges();
  changes.expect({ type: "updated", key: "shop/a" });
  assert.equal(changes.take({ type: "updated", key: "shop/b" }), false);
  assert.equal(changes.take({ type: "deleted", key: "shop/a" }), false);
  assert.equal(changes.take({ type: "updated", key: "shop/a" }), true);
  assert.equal(changes.take({ type: "updated", key: "shop/a" }), false);
});

test("what never comes is forgotten rather than kept for ever", () => {
  const changes = new ExpectedChanges();
  for (let count = 0; count <= 10_000; count++) changes.expect({ type: "added", key: `shop/${count}` });
  assert.equal(changes.take({ type: "added", key: "shop/0" }), false);
  assert.equal(changes.take({ type: "added", key: "shop/10000" }), true);
});
