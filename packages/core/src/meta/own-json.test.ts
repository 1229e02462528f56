import assert from "node:assert/strict";
import { test } from "node:test";
import { deepFreeze } from "./deep.ts";
import { isMalformed } from "./malformed.ts";
import { freezeOwn, ownJson } from "./own-json.ts";

const LIMITS = { depthMax: 50, charactersMax: 1000 };

test("a value is taken as its JSON text would be read", () => {
  const values = [
    { a: undefined, b: [undefined, () => {}, Number.NaN], c: { d: null, e: "text", f: false, g: -0.5, h: 1e22 } },
    { when: new Date(0), deep: [{ when: new Date(1) }] },
    JSON.parse('{"__proto__": {"a": 1}, "constructor": 2}'),
    [],
    "text",
    null,
  ];
  for (const value of values) assert.deepEqual(ownJson(value, LIMITS), JSON.parse(JSON.stringify(value)));
  assert.deepEqual(ownJson({ big: 2n ** 60n, small: 7n, rounded: 2 ** 60, zero: -0 }, LIMITS), {
    big: 2n ** 60n,
    small: 7,
    rounded: 2n ** 60n,
    zero: 0,
  });
});

test("what is frozen all through is shared, everything else copied", () => {
  const frozen = deepFreeze({ a: { b: [1, { c: 2 }] } });
  const shallow = Object.freeze({ inner: { a: 1 } });
  const own = ownJson({ frozen, shallow }, LIMITS) as unknown as { frozen: object; shallow: { inner: object } };
  assert.equal(own.frozen, frozen);
  assert.notEqual(own.shallow, shallow);
  assert.notEqual(own.shallow.inner, shallow.inner);
});

test("a value that was frozen as one's own is shared, and counts only for what is new in it", () => {
  const part = { text: "x".repeat(300) };
  const size = freezeOwn(part);
  assert.ok(size > 300);
  const whole = { part, more: ["y"] };
  assert.ok(freezeOwn(whole) < size);
  assert.ok(Object.isFrozen(whole.more));
  assert.equal(ownJson(whole, LIMITS), whole);
  assert.equal((ownJson({ part }, LIMITS) as { part: unknown }).part, part);
});

test("what JSON cannot say, nests too deep or is too large is refused", () => {
  assert.throws(() => ownJson({ a: "x".repeat(600), b: ["x".repeat(600)] }, LIMITS), RangeError);
  assert.throws(() => ownJson(undefined, LIMITS), TypeError);
  const cycle: { self?: object } = {};
  cycle.self = cycle;
  assert.throws(() => ownJson(cycle, LIMITS), isMalformed);
});
