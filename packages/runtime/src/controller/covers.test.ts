import assert from "node:assert/strict";
import { test } from "node:test";
import { covers } from "./covers.ts";

test("what the server added does not matter", () => {
  const observed = { spec: { replicas: 3, strategy: { type: "RollingUpdate" } }, metadata: { uid: "1" } };
  assert.equal(covers(observed, { spec: { replicas: 3 } }), true);
});

test("a changed, removed or retyped value matters", () => {
  assert.equal(covers({ a: 1 }, { a: 2 }), false);
  assert.equal(covers({}, { a: 1 }), false);
  assert.equal(covers({ a: "1" }, { a: 1 }), false);
});

test("null, {} and [] are the same as nothing", () => {
  assert.equal(covers({}, { a: null, b: {}, c: [] }), true);
});

test("quantities are compared as quantities, other texts as texts", () => {
  assert.equal(covers({ limits: { cpu: "1" } }, { limits: { cpu: "1000m" } }), true);
  assert.equal(covers({ limits: { cpu: "2" } }, { limits: { cpu: "1000m" } }), false);
  assert.equal(covers({ data: { version: "1" } }, { data: { version: "1.0" } }), false);
});

test("a list of named items may have grown, any other list may not", () => {
  const sidecar = { name: "sidecar", image: "s" };
  assert.equal(covers([sidecar, { name: "web", image: "w", tty: false }], [{ name: "web", image: "w" }]), true);
  assert.equal(covers([sidecar], [{ name: "web", image: "w" }]), false);
  assert.equal(covers(["-v", "--debug"], ["-v"]), false);
});

test("inherited keys are no fields", () => {
  assert.equal(covers({}, { constructor: "x" }), false);
  assert.equal(covers(JSON.parse('{"__proto__":"x"}'), JSON.parse('{"__proto__":"x"}')), true);
});
