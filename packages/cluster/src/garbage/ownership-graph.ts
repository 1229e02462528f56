/**
 * The ownership graph: every object by uid, and for every uid the objects that name it as an owner. Fed by the object feed;
 * plan.ts reads it. Always holds: an object is among the dependents of exactly the uids that its owner references name.
 */
import { deepEqual, type KubernetesObject, type OwnerReference } from "@kubewright/core/meta";
import type { DiscoveredDefinition } from "@kubewright/runtime";

/** Kept by an owner until its blocking dependents are gone. */
export const FOREGROUND_FINALIZER = "foregroundDeletion";

/** Kept by an owner until its dependents have forgotten it. */
export const ORPHAN_FINALIZER = "orphan";

/** What the collector knows of one object. */
export interface GraphNode {
  readonly definition: DiscoveredDefinition;
  readonly uid: string;
  readonly name: string;
  /** Undefined for cluster-scoped objects. */
  readonly namespace: string | undefined;
  readonly resourceVersion: string;
  readonly owners: readonly OwnerReference[];
  readonly finalizers: readonly string[];
  readonly isBeingDeleted: boolean;
}

/** The node of an object. */
export function nodeOf(definition: DiscoveredDefinition, { metadata = {} }: KubernetesObject): GraphNode {
  return {
    definition,
    uid: metadata.uid ?? "",
    name: metadata.name ?? "",
    namespace: metadata.namespace,
    resourceVersion: metadata.resourceVersion ?? "",
    owners: metadata.ownerReferences ?? [],
    finalizers: metadata.finalizers ?? [],
    isBeingDeleted: metadata.deletionTimestamp !== undefined,
  };
}

/** True while an object waits for its dependents to go. */
export function awaitsDependents({ isBeingDeleted, finalizers }: GraphNode): boolean {
  return isBeingDeleted && finalizers.includes(FOREGROUND_FINALIZER);
}

/** True while an object waits for its dependents to forget it. */
export function awaitsOrphaning({ isBeingDeleted, finalizers }: GraphNode): boolean {
  return isBeingDeleted && finalizers.includes(ORPHAN_FINALIZER);
}

/** Objects and who depends on them. */
export class OwnershipGraph {
  readonly #nodes = new Map<string, GraphNode>();
  readonly #dependents = new Map<string, Set<string>>();

  /** How many objects there are. */
  get size(): number {
    return this.#nodes.size;
  }

  /** The object with that uid. */
  get(uid: string): GraphNode | undefined {
    return this.#nodes.get(uid);
  }

  /** The objects that name `uid` as an owner. */
  dependents(uid: string): readonly GraphNode[] {
    const found: GraphNode[] = [];
    for (const dependent of this.#dependents.get(uid) ?? []) {
      const node = this.#nodes.get(dependent);
      if (node !== undefined) found.push(node);
    }
    return found;
  }

  /** Takes a new state; answers with the one before. */
  put(node: GraphNode): GraphNode | undefined {
    const before = this.#nodes.get(node.uid);
    this.#nodes.set(node.uid, node);
    if (before !== undefined && deepEqual(before.owners, node.owners)) return before;
    if (before !== undefined) this.#unlink(before);
    for (const { uid } of node.owners) {
      const known = this.#dependents.get(uid);
      if (known === undefined) this.#dependents.set(uid, new Set([node.uid]));
      else known.add(node.uid);
    }
    return before;
  }

  /** Takes the end of an object. */
  remove(uid: string): void {
    const node = this.#nodes.get(uid);
    if (node === undefined) return;
    this.#nodes.delete(uid);
    this.#unlink(node);
  }

  #unlink(node: GraphNode): void {
    for (const { uid } of node.owners) {
      const known = this.#dependents.get(uid);
      known?.delete(node.uid);
      if (known?.size === 0) this.#dependents.delete(uid);
    }
  }
}
