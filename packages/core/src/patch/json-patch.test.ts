import assert from "node:assert/strict";
import { test } from "node:test";
import type { Json } from "../meta/json.ts";
import { isApiError } from "../protocol/status.ts";
import { applyJsonPatch } from "./json-patch.ts";

const parse = (text: string): Json => JSON.parse(text) as Json;

function codeOf(document: Json, patch: Json): number {
  try {
    applyJsonPatch(document, patch);
  } catch (error) {
    if (isApiError(error)) return error.code;
    throw error;
  }
  return 200;
}

test("adds, replaces, removes, moves, copies and tests", () => {
  const document = { a: { b: [1, 2] }, c: "x" };
  const patch = [
    { op: "test", path: "/c", value: "x" },
    { op: "add", path: "/a/b/1", value: 9 },
    { op: "add", path: "/a/b/-", value: 3 },
    { op: "replace", path: "/a/b/0", value: 0 },
    { op: "remove", path: "/a/b/2" },
    { op: "copy", from: "/a", path: "/d" },
    { op: "move", from: "/c", path: "/a/e" },
  ];
  const expected = { a: { b: [0, 9, 3], e: "x" }, d: { b: [0, 9, 3] } };
  assert.deepEqual(applyJsonPatch(document, patch), expected);
});

test("leaves the input as it was and shares what it did not touch", () => {
  const document = { kept: { deep: [1] }, changed: { list: [{ x: 1 }, { y: 2 }] } };
  const before = structuredClone(document);
  const after = applyJsonPatch(document, [{ op: "add", path: "/changed/list/0/z", value: 3 }]) as typeof document;
  assert.deepEqual(document, before);
  assert.equal(after.kept, document.kept);
  assert.equal(after.changed.list[1], document.changed.list[1]);
});

test("returns the document itself when nothing changes", () => {
  const document = { a: { b: [1, { c: null }] } };
  const patch = [
    { op: "replace", path: "/a", value: { b: [1, { c: null }] } },
    { op: "test", path: "/a/b/0", value: 1 },
  ];
  assert.equal(applyJsonPatch(document, patch), document);
});

test("a copied value is edited apart from its source", () => {
  const patch = [
    { op: "add", path: "/a/x", value: 1 },
    { op: "copy", from: "/a", path: "/b" },
    { op: "add", path: "/a/y", value: 2 },
  ];
  assert.deepEqual(applyJsonPatch({ a: {} }, patch), { a: { x: 1, y: 2 }, b: { x: 1 } });
});

test("a value of the patch is not edited by later operations of the same patch", () => {
  const patch = [
    { op: "add", path: "/a", value: { list: [1] } },
    { op: "add", path: "/a/list/-", value: 2 },
  ];
  assert.deepEqual(applyJsonPatch({}, patch), { a: { list: [1, 2] } });
  assert.deepEqual(patch[0]?.value, { list: [1] });
});

test("unescapes ~1 and ~0 and takes __proto__ as an ordinary key", () => {
  const document = parse('{"a/b":{"m~n":1},"__proto__":{"x":1}}');
  const patch = parse(`[{"op":"replace","path":"/a~1b/m~0n","value":2},
    {"op":"add","path":"/__proto__/y","value":2},{"op":"add","path":"/constructor","value":3}]`);
  const after = applyJsonPatch(document, patch);
  assert.equal(JSON.stringify(after), '{"a/b":{"m~n":2},"__proto__":{"x":1,"y":2},"constructor":3}');
  assert.equal(({} as Record<string, unknown>)["y"], undefined);
});

test("keeps the departures of kube-apiserver from the RFC", () => {
  assert.deepEqual(applyJsonPatch({}, [{ op: "replace", path: "/new", value: 1 }]), { new: 1 });
  assert.deepEqual(applyJsonPatch({}, [{ op: "copy", from: "/absent", path: "/b" }]), { b: null });
  assert.deepEqual(applyJsonPatch({ l: [1, 2] }, [{ op: "remove", path: "/l/-1" }]), { l: [1] });
  assert.deepEqual(applyJsonPatch({ l: [1, 2] }, [{ op: "add", path: "/l/-1", value: 3 }]), { l: [1, 2, 3] });
  assert.deepEqual(applyJsonPatch({}, [{ op: "add", path: "ignored/key", value: 1 }]), { key: 1 });
  assert.deepEqual(applyJsonPatch({}, [{ op: "test", path: "/absent", value: null }]), {});
});

test("answers 422 when an operation does not apply, with the reason as cause", () => {
  const document = { a: { b: [1] } };
  const operations: Json[] = [
    { op: "remove", path: "/absent" },
    { op: "add", path: "/absent/child", value: 1 },
    { op: "add", path: "/a/b/2", value: 1 },
    { op: "add", path: "/a/b/x", value: 1 },
    { op: "replace", path: "/a/b/1", value: 1 },
    { op: "test", path: "/a/b/0", value: 2 },
    { op: "move", from: "/a", path: "/a/b/c" },
    { op: "copy", from: "/a/b/7", path: "/c" },
    { op: "add", path: "", value: {} },
    { op: "replace", path: "", value: "text" },
    { op: "add", value: 1 },
    { op: "frobnicate", path: "/a" },
    {},
  ];
  for (const operation of operations) {
    assert.equal(codeOf(document, [operation]), 422, JSON.stringify(operation));
  }
  assert.throws(() => applyJsonPatch(document, [{ op: "remove", path: "/absent" }]), {
    message: "the server rejected our request due to an error in our request",
    cause: new Error('remove operation does not apply: nothing is at "/absent"'),
  });
});

test("refuses what is no patch, too many operations and too much copying", () => {
  assert.equal(codeOf({}, { op: "add" }), 400);
  assert.equal(codeOf({}, ["add"]), 400);
  const operation = { op: "add", path: "/a", value: 1 };
  assert.equal(
    codeOf(
      {},
      Array.from({ length: 10_000 }, () => operation),
    ),
    200,
  );
  assert.equal(
    codeOf(
      {},
      Array.from({ length: 10_001 }, () => operation),
    ),
    413,
  );
  const megabyte = { big: "x".repeat(1024 * 1024) };
  const copies = (count: number): Json =>
    Array.from({ length: count }, (_, index) => ({ op: "copy", from: "/big", path: `/copy${index}` }));
  assert.equal(codeOf(megabyte, copies(2)), 200);
  assert.equal(codeOf(megabyte, copies(3)), 422);
});
