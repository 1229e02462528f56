import assert from "node:assert/strict";
import { test } from "node:test";
import type { Pod } from "@kubewright/api/core/v1";
import { rankForDeletion } from "./pod-ranking.ts";

const COST = "controller.kubernetes.io/pod-deletion-cost";

interface Traits {
  readonly node?: string;
  readonly phase?: string;
  /** Since which second of a minute it is ready; undefined: it is not. */
  readonly readySecond?: number | undefined;
  readonly cost?: string;
  readonly restarts?: number;
  readonly createdSecond?: number;
}

function time(second: number): string {
  return `2026-01-01T00:00:${String(second).padStart(2, "0")}Z`;
}

/** A pod that nobody would rather lose than another. */
function pod(name: string, traits: Traits = {}): Pod {
  const {
    node = name,
    phase = "Running",
    readySecond,
    cost,
    restarts = 0,
    createdSecond = 0,
  } = { readySecond: 5, ...traits };
  const ready = { type: "Ready", status: readySecond === undefined ? "False" : "True" };
  const since = readySecond === undefined ? {} : { lastTransitionTime: time(readySecond) };
  const container = { name: "c", image: "c", imageID: "", ready: true, restartCount: restarts };
  return {
    metadata: {
      name,
      creationTimestamp: time(createdSecond),
      ...(cost === undefined ? {} : { annotations: { [COST]: cost } }),
    },
    spec: { containers: [], ...(node === "" ? {} : { nodeName: node }) },
    status: { phase, conditions: [{ ...ready, ...since }], containerStatuses: [container] },
  } as Pod;
}

function order(...pods: readonly Pod[]): readonly (string | undefined)[] {
  return rankForDeletion(pods).map(({ metadata }) => metadata?.name);
}

test("pods that would be missed least go first, whatever the lesser reasons say", () => {
  const best = { readySecond: 1, cost: "9", restarts: 0, createdSecond: 0 };
  const steps: readonly Pod[] = [
    pod("unassigned", { ...best, node: "" }),
    pod("pending", { ...best, phase: "Pending" }),
    pod("unknown", { ...best, phase: "Unknown" }),
    pod("not-ready", { ...best, readySecond: undefined }),
    pod("cheap", { ...best, cost: "-1" }),
    pod("together-1", { ...best, cost: "1", node: "shared" }),
    pod("together-2", { ...best, cost: "1", node: "shared" }),
    pod("young", { cost: "1", readySecond: 9, restarts: 0 }),
    pod("restarted", { cost: "1", readySecond: 2, restarts: 3 }),
    pod("newer", { cost: "1", readySecond: 2, createdSecond: 2 }),
    pod("older", { cost: "1", readySecond: 2, createdSecond: 1 }),
    pod("dear", { ...best, cost: "2" }),
  ];
  const names = steps.map(({ metadata }) => metadata?.name);
  assert.deepEqual(order(...steps.toReversed()), names);
  assert.deepEqual(order(...steps), names);
});

test("a cost that is no number counts as none, and among equals the name decides", () => {
  assert.deepEqual(order(pod("b", { cost: "many" }), pod("a"), pod("c", { cost: "1" })), ["a", "b", "c"]);
});
