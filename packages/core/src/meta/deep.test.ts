import assert from "node:assert/strict";
import { test } from "node:test";
import { deepEqual, deepFreeze, shareUnchanged } from "./deep.ts";
import type { Json, JsonObject } from "./json.ts";
import { parseJson } from "./json-text.ts";

test("values are equal when they say the same, in any order of keys", () => {
  assert.ok(deepEqual({ a: [1, { b: null }], c: "x" }, { c: "x", a: [1, { b: null }] }));
  assert.ok(deepEqual(1, 1n));
  assert.ok(deepEqual({ a: undefined }, {}));
  assert.ok(deepEqual({}, { a: undefined }));
  assert.ok(deepEqual(-0, 0));
});

test("values are not equal when anything differs", () => {
  const pairs: ReadonlyArray<readonly [unknown, unknown]> = [
    [1, "1"],
    [1, 2n],
    [null, undefined],
    [null, {}],
    [[], {}],
    [[1], [1, 2]],
    [{ a: 1 }, { a: 1, b: 2 }],
    [{ a: 1, b: 2 }, { a: 1 }],
    [{ a: 1 }, { b: 1 }],
    [{ a: { b: [1, 2] } }, { a: { b: [2, 1] } }],
    [{ a: null }, {}],
    [{}, parseJson('{"__proto__":{}}')],
    [{ toString: 1 }, {}],
    [9007199254740993n, 9007199254740992],
  ];
  for (const [a, b] of pairs) {
    assert.equal(deepEqual(a, b), false);
    assert.equal(deepEqual(b, a), false);
  }
});

test("depth is no danger", () => {
  const deep = (): Json => {
    let value: Json = [];
    for (let depth = 0; depth < 100_000; depth++) value = [value];
    return value;
  };
  assert.ok(deepEqual(deep(), deep()));
  deepFreeze(deep());
});

test("freezing reaches every part and gives the value back", () => {
  const value = { metadata: { labels: { a: "b" } }, list: [{ x: 1 }], bytes: new Uint8Array(2) };
  assert.equal(deepFreeze(value), value);
  assert.throws(() => {
    value.metadata.labels.a = "c";
  }, TypeError);
  assert.throws(() => value.list.push({ x: 2 }), TypeError);
  assert.throws(() => {
    (value.list[0] as { x: number }).x = 2;
  }, TypeError);
});

test("what did not change is shared, and all of it when nothing did", () => {
  const before = parseJson('{"a":{"b":[1,{"c":2}],"d":{}},"e":[1,2],"__proto__":{"x":1},"n":null}') as JsonObject;
  const same = parseJson('{"n":null,"__proto__":{"x":1},"e":[1,2],"a":{"d":{},"b":[1,{"c":2}]}}') as JsonObject;
  assert.equal(shareUnchanged(before, same), before);
  const changed = parseJson('{"a":{"b":[1,{"c":2}],"d":{"new":1}},"e":[1],"__proto__":{"x":2}}') as JsonObject;
  const text = JSON.stringify(changed);
  const shared = shareUnchanged(before, changed) as { a: { b: unknown; d: unknown } };
  assert.deepEqual(shared, JSON.parse(text));
  assert.equal(JSON.stringify(changed), text);
  assert.equal(shared.a.b, (before["a"] as JsonObject)["b"]);
  assert.notEqual(shareUnchanged({ a: 1, b: 2 } as JsonObject, { a: 1 }), before);
  assert.deepEqual(shareUnchanged({ a: 1, b: 2 } as JsonObject, { a: 1 }), { a: 1 });
});
