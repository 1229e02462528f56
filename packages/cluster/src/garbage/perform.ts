/** Carries out an action of the garbage collector by requests that fail when the object is no longer the one planned for. */
import { isNotFound } from "@kubewright/core/protocol";
import type { Client } from "@kubewright/runtime";
import { FOREGROUND_FINALIZER, type GraphNode, ORPHAN_FINALIZER } from "./ownership-graph.ts";
import type { CollectorAction } from "./plan.ts";

/** The actions that need requests. */
export type CollectorRequest = Exclude<CollectorAction, { readonly do: "nothing" | "wait" | "visit" }>;

/** Does `action` about `node`. */
export async function perform(client: Client, node: GraphNode, action: CollectorRequest): Promise<void> {
  switch (action.do) {
    case "delete":
      return deleteNode(client, node, action);
    case "keep-owners":
      return patchMetadata(client, node, { ownerReferences: action.owners });
    case "orphan":
      await Promise.all(action.dependents.map((dependent) => forgetOwner(client, dependent, node.uid)));
      return removeFinalizer(client, node, ORPHAN_FINALIZER);
    case "release":
      return removeFinalizer(client, node, FOREGROUND_FINALIZER);
  }
}

async function deleteNode(
  client: Client,
  node: GraphNode,
  { policy, unblock }: Extract<CollectorRequest, { readonly do: "delete" }>,
): Promise<void> {
  if (unblock) {
    const ownerReferences = node.owners.map((owner) => ({ ...owner, blockOwnerDeletion: false }));
    await patchMetadata(client, node, { ownerReferences });
  }
  const { definition, uid, resourceVersion } = node;
  const versioned = unblock ? {} : { resourceVersion };
  await client.delete(definition, placeOf(node), { uid, propagationPolicy: policy, ...versioned });
}

/** A dependent that is gone has forgotten its owner, too. */
async function forgetOwner(client: Client, dependent: GraphNode, ownerUid: string): Promise<void> {
  const ownerReferences = dependent.owners.filter(({ uid }) => uid !== ownerUid);
  try {
    await patchMetadata(client, dependent, { ownerReferences });
  } catch (error) {
    if (!isNotFound(error)) throw error;
  }
}

function removeFinalizer(client: Client, node: GraphNode, finalizer: string): Promise<void> {
  return patchMetadata(client, node, { finalizers: node.finalizers.filter((name) => name !== finalizer) });
}

/** uid and resourceVersion make the API refuse the patch when the object has changed; an empty list leaves no field. */
async function patchMetadata(
  client: Client,
  node: GraphNode,
  change: Readonly<Record<string, readonly unknown[]>>,
): Promise<void> {
  const { uid, resourceVersion, definition } = node;
  const fields = Object.entries(change).map(([name, list]) => [name, list.length === 0 ? null : list]);
  const metadata = { uid, resourceVersion, ...Object.fromEntries(fields) };
  await client.patch(definition, placeOf(node), { merge: { metadata } });
}

function placeOf({ name, namespace }: GraphNode): { readonly name: string; readonly namespace: string | undefined } {
  return { name, namespace };
}
