import assert from "node:assert/strict";
import { test } from "node:test";
import { contentHash, declaredHash } from "./content-hash.ts";

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

test("texts that look like several values are one, and values of different kinds differ", () => {
  const values = [
    { a: "x", b: "y" },
    { a: 'x","b":"y' },
    ["a", "b"],
    ["ab"],
    ["a,b"],
    [["a"], "b"],
    [["a", "b"]],
    1,
    "1",
    [1],
    [],
    {},
  ];
  const hashes = new Set([...values, null, "null", true, "true", false, "", 0].map(contentHash));
  assert.equal(hashes.size, values.length + 7);
});

test("what is declared of an object is all but its name and its status", () => {
  const object = { kind: "A", metadata: { name: "a", labels: { b: "c" } }, spec: { size: 1 } };
  const hash = declaredHash(object);
  const same = { spec: { size: 1 }, status: { ready: true }, metadata: { labels: { b: "c" }, name: "b" }, kind: "A" };
  assert.equal(declaredHash(same), hash);
  for (const other of [
    { ...object, spec: {} },
    { ...object, metadata: {} },
    { ...object, kind: "B" },
  ])
    assert.notEqual(declaredHash(other), hash);
});

test("what is undefined does not count, and __proto__ is a key like any other", () => {
  assert.equal(contentHash({ a: 1, b: undefined }), contentHash({ a: 1 }));
  assert.notEqual(contentHash(JSON.parse('{"a":1,"__proto__":{"b":1}}')), contentHash({ a: 1 }));
});

test("a hash may stand in a label, whatever it is of", () => {
  for (const value of [undefined, null, "", {}, [], "ä", "\u{1f600}", Array.from({ length: 1000 }, () => ({}))]) {
    assert.match(contentHash(value), /^[a-z0-9]{21}$/);
  }
});

test("each third of a hash is as good as chance for values that are nearly the same", () => {
  const count = 50_000;
  const parts = [0, 1, 2].map(() => new Set<string>());
  for (let index = 0; index < count; index++) {
    const hash = contentHash({ replicas: index % 10, name: `web-${Math.floor(index / 10)}`, padding: "0".repeat(40) });
    for (const [part, seen] of parts.entries()) seen.add(hash.slice(7 * part, 7 * part + 7));
  }
  // Of 50 000 numbers of 32 bits by chance one pair in three tries is the same.
  for (const seen of parts) assert.ok(count - seen.size <= 5, `${count - seen.size} are the same`);
});

test("a change of one letter changes half of the digits and more, wherever it is", () => {
  const text = "the quick brown fox jumps over the lazy dog, and again over the lazy dog";
  const before = contentHash(text);
  for (let index = 0; index < text.length; index++) {
    const after = contentHash(`${text.slice(0, index)}#${text.slice(index + 1)}`);
    const kept = [...after].filter((digit, place) => digit === before[place]).length;
    assert.ok(kept <= 8, `${kept} of 21 digits are the same after a change at ${index}`);
  }
});
