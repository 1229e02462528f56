import assert from "node:assert/strict";
import { test } from "node:test";
import type { JsonObject } from "../meta/json.ts";
import { applyMergePatch, createMergePatch } from "./merge-patch.ts";

const parse = (text: string): JsonObject => JSON.parse(text) as JsonObject;

test("merges objects, replaces lists and deletes with null", () => {
  const document = { a: { b: 1, c: 2 }, list: [1, 2], gone: 1 };
  const patch = { a: { b: null, d: 3 }, list: [3], gone: null, absent: null };
  assert.deepEqual(applyMergePatch(document, patch), { a: { c: 2, d: 3 }, list: [3] });
});

test("drops nulls from what it adds, inside lists too, but keeps null elements", () => {
  const patch = { added: { x: null, y: 1 }, list: [null, { x: null, y: 1 }] };
  assert.deepEqual(applyMergePatch({}, patch), { added: { y: 1 }, list: [null, { y: 1 }] });
});

test("leaves the input as it was, shares what it did not touch and returns it when nothing changes", () => {
  const document = { kept: { deep: [1] }, changed: { x: 1 } };
  const before = structuredClone(document);
  const after = applyMergePatch(document, { changed: { x: 2 } }) as typeof document;
  assert.deepEqual(document, before);
  assert.equal(after.kept, document.kept);
  assert.equal(applyMergePatch(document, { changed: { x: 1 }, kept: { deep: [1] }, absent: null }), document);
});

test("takes __proto__ as an ordinary key", () => {
  const after = applyMergePatch(parse('{"__proto__":{"a":1}}'), parse('{"__proto__":{"b":2},"constructor":{"c":3}}'));
  assert.equal(JSON.stringify(after), '{"__proto__":{"a":1,"b":2},"constructor":{"c":3}}');
  const patch = createMergePatch(parse('{"x":{"__proto__":1}}'), parse('{"x":{"__proto__":2}}'));
  assert.equal(JSON.stringify(patch), '{"x":{"__proto__":2}}');
});

test("refuses a patch that is no object", () => {
  assert.throws(() => applyMergePatch({}, null), { code: 400, message: "Invalid JSON Patch" });
  assert.throws(() => applyMergePatch({}, [1]), { code: 400 });
});

test("makes the smallest patch between two objects, and applying it gives the second", () => {
  const original = { same: { x: [1] }, changed: { a: 1, b: 2 }, gone: 1, list: [1, 2] };
  const modified = { same: { x: [1] }, changed: { a: 1, b: 3 }, list: [2], new: { y: 1 } };
  const patch = createMergePatch(original, modified);
  assert.deepEqual(patch, { changed: { b: 3 }, list: [2], new: { y: 1 }, gone: null });
  assert.deepEqual(applyMergePatch(original, patch), modified);
  assert.deepEqual(createMergePatch(original, structuredClone(original)), {});
});
