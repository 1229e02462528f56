import assert from "node:assert/strict";
import { test } from "node:test";
import { seededRandom } from "@kubewright/core/ports";
import { delayBeforeMs, emptyState, nextState, type ReflectorInput, type ReflectorState } from "./reflector-state.ts";

function after(...inputs: readonly ReflectorInput[]): ReflectorState {
  return inputs.reduce(nextState, emptyState);
}

test("after a list the watch follows from its version", () => {
  const state = after({ kind: "listed", resourceVersion: "7" });
  assert.deepEqual(state, { phase: "watching", fetch: "stream", resourceVersion: "7", failures: 0 });
});

test("R3: a watch that ends goes on from the last version", () => {
  const state = after(
    { kind: "listed", resourceVersion: "7" },
    { kind: "progress", resourceVersion: "9" },
    { kind: "ended" },
  );
  assert.equal(state.phase === "watching" && state.resourceVersion, "9");
  assert.equal(delayBeforeMs(state, seededRandom(1)), 0);
});

test("R2: a failed watch goes on from the last version, too", () => {
  const state = after({ kind: "listed", resourceVersion: "7" }, { kind: "failed" });
  assert.equal(state.phase === "watching" && state.resourceVersion, "7");
});

test("R5: an expired version leads to a new list", () => {
  assert.equal(after({ kind: "listed", resourceVersion: "7" }, { kind: "expired" }).phase, "empty");
});

test("R5: pages that expire half-way lead to one list of everything, once", () => {
  const expired = after({ kind: "unsupported" }, { kind: "expired" });
  assert.equal(expired.fetch, "whole");
  assert.equal(nextState(expired, { kind: "listed", resourceVersion: "8" }).fetch, "pages");
});

test("R7: a server without initial events is listed in pages", () => {
  assert.deepEqual(after({ kind: "unsupported" }), { phase: "empty", fetch: "pages", failures: 0 });
});

test("progress within the initial events does not start a watch", () => {
  assert.equal(after({ kind: "progress", resourceVersion: "3" }).phase, "empty");
});

test("R4: failures wait up to 0.8 s, doubling to 30 s, and at least half of it", () => {
  const random = seededRandom(4);
  let state: ReflectorState = emptyState;
  const bases = [800, 1600, 3200, 6400, 12_800, 25_600, 30_000, 30_000];
  for (const baseMs of bases) {
    state = nextState(state, { kind: "failed" });
    const delayMs = delayBeforeMs(state, random);
    assert.ok(delayMs >= baseMs / 2 && delayMs < baseMs, `${delayMs} is not within [${baseMs / 2}, ${baseMs})`);
  }
});
