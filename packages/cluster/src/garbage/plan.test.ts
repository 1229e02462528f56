import assert from "node:assert/strict";
import { test } from "node:test";
import { ConfigMap } from "@kubewright/api/core/v1";
import type { OwnerReference } from "@kubewright/core/meta";
import { unstructured } from "@kubewright/runtime";
import { type GraphNode, nodeOf, OwnershipGraph } from "./ownership-graph.ts";
import { type CollectorAction, planCollection } from "./plan.ts";

const definition = unstructured(ConfigMap);

function owner(name: string, blockOwnerDeletion = true): OwnerReference {
  return { apiVersion: "v1", kind: "ConfigMap", name, uid: `uid-${name}`, blockOwnerDeletion };
}

function node(name: string, owners: readonly OwnerReference[] = [], changes: Partial<GraphNode> = {}): GraphNode {
  const metadata = { name, uid: `uid-${name}`, namespace: "default", ownerReferences: [...owners] };
  return { ...nodeOf(definition, { metadata }), ...changes };
}

const inForeground = { isBeingDeleted: true, finalizers: ["foregroundDeletion"] };

/** What is planned for the first of `nodes`. */
function plan(nodes: readonly [GraphNode, ...GraphNode[]], servedKinds = ["ConfigMap"]): CollectorAction {
  const graph = new OwnershipGraph();
  for (const each of nodes) graph.put(each);
  return planCollection(nodes[0], {
    get: (uid) => graph.get(uid),
    dependents: (uid) => graph.dependents(uid),
    isAbsent: ({ kind }) => servedKinds.includes(kind),
  });
}

test("an object without owners, or with all of them, is left alone", () => {
  assert.deepEqual(plan([node("a")]), { do: "nothing" });
  assert.deepEqual(plan([node("a", [owner("o")]), node("o")]), { do: "nothing" });
});

test("an object whose owners are all gone is deleted as its finalizers say", () => {
  assert.deepEqual(plan([node("a", [owner("o")])]), { do: "delete", policy: "Background", unblock: false });
  assert.deepEqual(plan([node("a", [owner("o")], { finalizers: ["orphan"] })]), {
    do: "delete",
    policy: "Orphan",
    unblock: false,
  });
});

test("owners that are gone, or go after their dependents, are dropped while another one is left", () => {
  const all = [owner("gone"), owner("going"), owner("solid")];
  assert.deepEqual(plan([node("a", all), node("going", [], inForeground), node("solid")]), {
    do: "keep-owners",
    owners: [owner("solid")],
  });
});

test("a reference with the right uid and another name or kind points nowhere", () => {
  const wrong = { ...owner("o"), name: "p" };
  assert.equal(plan([node("a", [wrong]), node("o")]).do, "delete");
  assert.equal(plan([node("a", [{ ...owner("o"), kind: "Secret" }]), node("o")], ["Secret"]).do, "delete");
});

test("an object with dependents of its own is deleted in the foreground when its owner waits for it", () => {
  const nodes = [node("a", [owner("o")]), node("o", [], inForeground), node("leaf", [owner("a")])] as const;
  assert.deepEqual(plan(nodes), { do: "delete", policy: "Foreground", unblock: false });
});

test("an owner that is deleted in the foreground waits for what blocks it, and for nothing else", () => {
  const blocking = node("b", [owner("a")]);
  const other = node("c", [owner("a", false)]);
  assert.deepEqual(plan([node("a", [], inForeground), blocking, other]), { do: "visit", dependents: [blocking] });
  assert.deepEqual(plan([node("a", [], inForeground), other]), { do: "release" });
});

test("an owner of an unknown kind makes its dependents wait", () => {
  assert.deepEqual(plan([node("a", [{ ...owner("o"), kind: "Thing" }])]), { do: "wait" });
});
