import assert from "node:assert/strict";
import { test } from "node:test";
import type { Node, Pod } from "@kubewright/api/core/v1";
import { chooseNode } from "./choose-node.ts";
import type { NodeLoad } from "./node-ledger.ts";
import { amountsOf } from "./resources.ts";
import type { PlacedPod, Surroundings } from "./surroundings.ts";

const ZONE = "topology.kubernetes.io/zone";

function node(name: string, zone: string, taint?: string): Node {
  const taints = taint === undefined ? {} : { taints: [{ key: taint, effect: "PreferNoSchedule" as const }] };
  return { metadata: { name, labels: { [ZONE]: zone } }, spec: taints };
}

function load(each: Node, used: Record<string, string> = {}, pods = 0): NodeLoad {
  return { node: each, offered: amountsOf({ cpu: "10", memory: "10Gi" }), used: amountsOf(used), pods, hosting: [] };
}

function chosen(spec: object, loads: readonly NodeLoad[], placed: readonly PlacedPod[] = []): string {
  const pod: Pod = {
    metadata: { name: "pod", namespace: "a", labels: { app: "new" } },
    spec: { containers: [], ...spec },
  };
  const around: Surroundings = {
    placed: () => placed,
    repelling: () => [],
    attracting: () => placed,
    node: (name) => loads.find((each) => each.node.metadata?.name === name)?.node,
    namespaceLabels: () => ({}),
    claim: () => undefined,
    volume: () => undefined,
    volumes: () => [],
    storageClass: () => undefined,
  };
  const choice = chooseNode(pod, loads, around);
  return "node" in choice ? choice.node : choice.problem;
}

function other(app: string, on: string, spec: object = {}): PlacedPod {
  return {
    node: on,
    pod: { metadata: { name: app, namespace: "a", labels: { app } }, spec: { containers: [], ...spec } },
  };
}

function rather(app: string, weight = 100) {
  const podAffinityTerm = { topologyKey: ZONE, labelSelector: { matchLabels: { app } } };
  return { preferredDuringSchedulingIgnoredDuringExecution: [{ weight, podAffinityTerm }] };
}

test("among equal nodes the one with the fewest pods is chosen, then the first by name", () => {
  assert.equal(chosen({}, [load(node("a", "1"), {}, 2), load(node("b", "1"), {}, 1)]), "b");
  assert.equal(chosen({}, [load(node("b", "1")), load(node("a", "1"))]), "a");
});

test("a node with more of its resources left is better than one with fewer pods", () => {
  assert.equal(chosen({}, [load(node("a", "1"), { cpu: "8" }, 1), load(node("b", "1"), { cpu: "1" }, 9)]), "b");
});

test("a taint that asks for distance counts more than room, unless it is tolerated", () => {
  const loads = [load(node("a", "1", "slow")), load(node("b", "1"), { cpu: "8", memory: "8Gi" }, 9)];
  assert.equal(chosen({}, loads), "b");
  assert.equal(chosen({ tolerations: [{ key: "slow", operator: "Exists" }] }, loads), "a");
});

test("what a pod prefers about nodes counts by its weights", () => {
  const prefers = (zone: string, weight: number) => ({
    weight,
    preference: { matchExpressions: [{ key: ZONE, operator: "In", values: [zone] }] },
  });
  const preferred = [prefers("1", 10), prefers("2", 80)];
  const affinity = { nodeAffinity: { preferredDuringSchedulingIgnoredDuringExecution: preferred } };
  assert.equal(chosen({ affinity }, [load(node("a", "1")), load(node("b", "2"), {}, 5), load(node("c", "3"))]), "b");
});

test("a pod goes to the domain of pods it likes, and away from those it does not", () => {
  const loads = [load(node("a", "1")), load(node("b", "2")), load(node("c", "2"))];
  const placed = [other("friend", "c")];
  assert.equal(chosen({ affinity: { podAffinity: rather("friend") } }, loads, placed), "b");
  assert.equal(chosen({ affinity: { podAntiAffinity: rather("friend") } }, loads, placed), "a");
  assert.equal(chosen({ affinity: { podAffinity: rather("stranger") } }, loads, placed), "a");
});

test("pods that are there already have a say, too", () => {
  const loads = [load(node("a", "1")), load(node("b", "2"))];
  const host = other("host", "b", { affinity: { podAffinity: rather("new") } });
  const hermit = other("hermit", "a", { affinity: { podAntiAffinity: rather("new") } });
  assert.equal(chosen({}, loads, [host]), "b");
  assert.equal(chosen({}, loads, [hermit]), "b");
  assert.equal(chosen({}, loads, [host, { ...host, node: "a" }, { ...host, node: "a" }]), "a");
});

test("a constraint that may be broken prefers the emptiest domain, and nodes inside any", () => {
  const topologySpreadConstraints = [
    {
      maxSkew: 1,
      topologyKey: ZONE,
      whenUnsatisfiable: "ScheduleAnyway",
      labelSelector: { matchLabels: { app: "new" } },
    },
  ];
  const outside: Node = { metadata: { name: "0" } };
  const loads = [load(outside), load(node("a", "1")), load(node("b", "2"), {}, 3)];
  assert.equal(chosen({ topologySpreadConstraints }, loads, [other("new", "a"), other("old", "b")]), "b");
});
