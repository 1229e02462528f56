import assert from "node:assert/strict";
import { test } from "node:test";
import { type PeersOptions, peersBenchmark } from "./peers.ts";

const nothing: PeersOptions = {
  quick: false,
  names: [],
  rounds: undefined,
  scenarios: [],
  settings: [],
  count: undefined,
  countBig: undefined,
};

test("a quick run has Kubewright and controller-runtime alone, without what takes long", () => {
  const { variants, units } = peersBenchmark({ ...nothing, quick: true });
  assert.deepEqual(
    variants.map(({ name }) => name),
    ["kubewright tuned", "controller-runtime tuned", "kubewright defaults", "controller-runtime defaults"],
  );
  assert.ok(!("huge memory" in units));
});

test("a promise is made about what is measured only", () => {
  const { promises } = peersBenchmark({ ...nothing, scenarios: ["cold"] });
  assert.deepEqual([...new Set(promises.map(({ metric }) => metric))], ["cold start"]);
});

test("a name that nobody knows is an error with those there are", () => {
  assert.throws(
    () => peersBenchmark({ ...nothing, names: ["kubebuilder"] }),
    /unknown: kubebuilder; there is kubewright,/,
  );
});
