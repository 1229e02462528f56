import assert from "node:assert/strict";
import { test } from "node:test";
import type { Condition } from "@kubewright/core/meta";
import { statusPatch } from "./status-patch.ts";

const now = "2026-01-01T00:00:00Z";
const nowMs = Date.UTC(2026, 0, 1);
const old = "2025-01-01T00:00:00Z";

function conditionsOf(written: Readonly<Record<string, unknown>> | undefined): readonly Condition[] {
  return (written?.["conditions"] ?? []) as readonly Condition[];
}

function patch(status: object | undefined, wanted: Record<string, unknown>, observedGeneration = true) {
  const object = { metadata: { name: "w", generation: 2 }, ...(status === undefined ? {} : { status }) };
  return statusPatch({ object, wanted, nowMs, observedGeneration });
}

test("a first status is written with the observed generation", () => {
  assert.deepEqual(patch(undefined, { ready: true }), { ready: true, observedGeneration: 2 });
});

test("a status that is so already is not written", () => {
  assert.equal(patch({ ready: true, nodes: ["a"], observedGeneration: 2 }, { ready: true, nodes: ["a"] }), undefined);
});

test("fields that are no longer stated are removed", () => {
  assert.deepEqual(patch({ ready: true, phase: "x", observedGeneration: 2 }, { ready: true }), { phase: null });
});

test("entries of maps that are no longer stated are removed, and the others are left alone", () => {
  const stored = { counts: { a: 1, b: 2, constructor: 3 }, zones: { x: { up: 1, down: 2 } }, observedGeneration: 2 };
  assert.deepEqual(patch(stored, { counts: { a: 1, toString: 4 }, zones: { x: { up: 1 } } }), {
    counts: { b: null, constructor: null, toString: 4 },
    zones: { x: { down: null } },
  });
});

test("null is nothing: it is not written where nothing is, and removes what is there", () => {
  assert.equal(patch({ zones: {}, observedGeneration: 2 }, { at: null, zones: { x: null } }), undefined);
  assert.deepEqual(patch({ at: "noon", observedGeneration: 2 }, { at: null }), { at: null });
});

test("R19: a condition that does not flip keeps its time, and is not written again", () => {
  const condition = { type: "Ready", status: "True", reason: "Ok", message: "fine" };
  const stored = { ...condition, lastTransitionTime: old, observedGeneration: 2 };
  assert.equal(patch({ conditions: [stored], observedGeneration: 2 }, { conditions: [condition] }), undefined);
});

test("a condition that flips gets the time of now", () => {
  const stored = { type: "Ready", status: "False", reason: "No", message: "", lastTransitionTime: old };
  const written = patch(
    { conditions: [stored] },
    { conditions: [{ ...stored, status: "True", lastTransitionTime: undefined }] },
  );
  assert.deepEqual(conditionsOf(written)[0]?.lastTransitionTime, now);
});

test("conditions of others stay", () => {
  const foreign = { type: "Audited", status: "True", reason: "Yes", message: "", lastTransitionTime: old };
  const own = { type: "Ready", status: "True", reason: "Ok", message: "" };
  const written = patch({ conditions: [foreign] }, { conditions: [own] });
  assert.deepEqual(
    conditionsOf(written).map(({ type }) => type),
    ["Audited", "Ready"],
  );
});

test("a status that states no conditions leaves those of others alone", () => {
  const foreign = { type: "Audited", status: "True", reason: "Yes", message: "", lastTransitionTime: old };
  const stored = { ready: true, conditions: [foreign], observedGeneration: 2 };
  assert.equal(patch(stored, { ready: true }), undefined);
  assert.deepEqual(patch(stored, { ready: false, conditions: undefined }), { ready: false });
  assert.equal(patch(stored, { ready: true, conditions: [] }), undefined);
});

test("a kind without observedGeneration is not given one", () => {
  assert.equal(patch({ ready: true }, { ready: true }, false), undefined);
});
