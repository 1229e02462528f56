import assert from "node:assert/strict";
import { test } from "node:test";
import { type PeersOptions, peersBenchmark } from "./peers.ts";

const nothing: PeersOptions = {
  quick: false,
  brief: false,
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

test("the limit is measured where there is something to write, and set up in one way only", () => {
  const namesOf = (scenarios: readonly string[]): readonly string[] =>
    peersBenchmark({ ...nothing, scenarios, names: ["ceiling"] }).variants.map(({ name }) => name);
  assert.deepEqual(namesOf(["converge"]), ["ceiling tuned"]);
  assert.deepEqual(namesOf(["cold", "big"]), []);
});

test("a brief run measures the others once, and never again what takes long", async () => {
  const { variants } = peersBenchmark({ ...nothing, brief: true, scenarios: ["huge", "idle"] });
  for (const { measure } of variants) assert.deepEqual(await measure("full", 1), {});
});

test("a brief run has five rounds, for what it measures again is short; others have three, or as many as asked for", () => {
  assert.equal(peersBenchmark(nothing).rounds, 3);
  assert.equal(peersBenchmark({ ...nothing, brief: true }).rounds, 5);
  assert.equal(peersBenchmark({ ...nothing, brief: true, rounds: 2 }).rounds, 2);
  assert.equal(peersBenchmark({ ...nothing, rounds: 7 }).rounds, 7);
});

test("Kubewright and controller-runtime are measured one right after the other, however they are set up", () => {
  for (const options of [nothing, { ...nothing, brief: true }, { ...nothing, quick: true }]) {
    const names = peersBenchmark(options).variants.map(({ name }) => name);
    for (const setting of ["tuned", "defaults"])
      assert.equal(names[names.indexOf(`kubewright ${setting}`) + 1], `controller-runtime ${setting}`);
  }
});

test("a promise is made about what is measured only", () => {
  const { promises } = peersBenchmark({ ...nothing, scenarios: ["cold"] });
  assert.deepEqual([...new Set(promises.map(({ metric }) => metric))], ["cold start"]);
  const alone = peersBenchmark({ ...nothing, names: ["kubewright"], settings: ["tuned"] });
  assert.ok(alone.promises.every(({ peer }) => peer === undefined));
});

test("a name that nobody knows is an error with those there are", () => {
  assert.throws(
    () => peersBenchmark({ ...nothing, names: ["kubebuilder"] }),
    /unknown: kubebuilder; there is kubewright,/,
  );
});
