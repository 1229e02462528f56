/**
 * What becomes of one object, seen from its owners and its dependents. Pure: graph-like questions go in, one action comes
 * out; collector.ts carries it out. The rules are those of the garbage collector of Kubernetes: owners count by uid, an
 * object goes when all of them are gone, and one that is left keeps it.
 */
import { type OwnerReference, parseApiVersion } from "@kubewright/core/meta";
import {
  awaitsDependents,
  awaitsOrphaning,
  FOREGROUND_FINALIZER,
  type GraphNode,
  ORPHAN_FINALIZER,
} from "./ownership-graph.ts";

/** What a plan asks of the world. */
export interface CollectorView {
  get(uid: string): GraphNode | undefined;
  dependents(uid: string): readonly GraphNode[];
  /** Whether an object that is not in the graph is known not to exist; one of a kind that is not served may well do. */
  isAbsent(reference: OwnerReference): boolean;
}

/** What to do about one object. */
export type CollectorAction =
  | { readonly do: "nothing" }
  /** An owner is of a kind that is not served: look again when it is. */
  | { readonly do: "wait" }
  /** Delete it. `unblock`: first let it not hold its owners, because they wait for each other in a circle. */
  | { readonly do: "delete"; readonly policy: "Background" | "Foreground" | "Orphan"; readonly unblock: boolean }
  /** Write these owners: others are gone, or about to go. */
  | { readonly do: "keep-owners"; readonly owners: readonly OwnerReference[] }
  /** Look at these dependents: they keep it. */
  | { readonly do: "visit"; readonly dependents: readonly GraphNode[] }
  /** Take the owner out of its dependents, then take away the finalizer. */
  | { readonly do: "orphan"; readonly dependents: readonly GraphNode[] }
  /** Nothing keeps it any more: take away the finalizer. */
  | { readonly do: "release" };

const nothing: CollectorAction = { do: "nothing" };

/** The next action about `node`. */
export function planCollection(node: GraphNode, view: CollectorView): CollectorAction {
  if (awaitsOrphaning(node)) return { do: "orphan", dependents: view.dependents(node.uid) };
  if (awaitsDependents(node)) return finishForeground(node, view);
  if (node.isBeingDeleted || node.owners.length === 0) return nothing;
  return judge(node, view);
}

/** An owner deleted in the foreground goes after the dependents that block it. */
function finishForeground(node: GraphNode, view: CollectorView): CollectorAction {
  const blocking = view.dependents(node.uid).filter((dependent) => blocks(dependent, node.uid));
  if (blocking.length === 0) return { do: "release" };
  return { do: "visit", dependents: blocking.filter((dependent) => !awaitsDependents(dependent)) };
}

function judge(node: GraphNode, view: CollectorView): CollectorAction {
  const states: OwnerState[] = [];
  for (const owner of node.owners) states.push(stateOfOwner(owner, node, view));
  if (states.includes("unknown")) return { do: "wait" };
  if (states.every((state) => state === "solid")) return nothing;
  const solid = node.owners.filter((_, index) => states[index] === "solid");
  if (solid.length > 0) return { do: "keep-owners", owners: solid };
  const dependents = view.dependents(node.uid);
  if (states.includes("waiting") && dependents.length > 0) {
    return { do: "delete", policy: "Foreground", unblock: dependents.some(awaitsDependents) };
  }
  return { do: "delete", policy: policyOf(node), unblock: false };
}

/** "waiting" is an owner that is being deleted after its dependents. */
type OwnerState = "solid" | "waiting" | "gone" | "unknown";

function stateOfOwner(reference: OwnerReference, dependent: GraphNode, view: CollectorView): OwnerState {
  const owner = view.get(reference.uid);
  if (owner === undefined || !isNamedBy(owner, reference) || !isInReach(owner, dependent)) {
    return view.isAbsent(reference) ? "gone" : "unknown";
  }
  return awaitsDependents(owner) ? "waiting" : "solid";
}

/** References name group, kind and name beside the uid; one that is wrong about them points nowhere. */
function isNamedBy({ definition, name }: GraphNode, reference: OwnerReference): boolean {
  return (
    definition.kind === reference.kind &&
    definition.group === parseApiVersion(reference.apiVersion).group &&
    name === reference.name
  );
}

/** Owners are in the dependent's namespace, or in none. */
export function isInReach(owner: GraphNode, dependent: GraphNode): boolean {
  return owner.definition.scope === "Cluster" || owner.namespace === dependent.namespace;
}

function blocks(dependent: GraphNode, ownerUid: string): boolean {
  return dependent.owners.some(({ uid, blockOwnerDeletion }) => uid === ownerUid && blockOwnerDeletion === true);
}

/** An earlier deletion may have said what becomes of the dependents. */
function policyOf({ finalizers }: GraphNode): "Background" | "Foreground" | "Orphan" {
  if (finalizers.includes(ORPHAN_FINALIZER)) return "Orphan";
  return finalizers.includes(FOREGROUND_FINALIZER) ? "Foreground" : "Background";
}
