import assert from "node:assert/strict";
import { test } from "node:test";
import { contentHash } from "./child-manifest.ts";

test("a hash is the same whatever the order of keys, few or many, and another for anything else", () => {
  const names = Array.from({ length: 40 }, (_, index) => `k${(index * 7) % 40}`);
  const many = Object.fromEntries(names.map((name) => [name, name]));
  const turned = Object.fromEntries(names.toReversed().map((name) => [name, name]));
  const value = { b: [{ d: 1, c: 2 }], a: "x", 10: 1, 9: 2, many };
  assert.equal(contentHash(value), contentHash({ 9: 2, 10: 1, many: turned, a: "x", b: [{ c: 2, d: 1 }] }));
  for (const other of [
    { ...value, a: "y" },
    { ...value, b: [{ d: 2, c: 1 }] },
    { ...value, more: null },
  ]) {
    assert.notEqual(contentHash(other), contentHash(value));
  }
});

test("what is undefined does not count, and __proto__ is a key like any other", () => {
  assert.equal(contentHash({ a: 1, b: undefined }), contentHash({ a: 1 }));
  assert.notEqual(contentHash(JSON.parse('{"a":1,"__proto__":{"b":1}}')), contentHash({ a: 1 }));
});
