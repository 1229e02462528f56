/** Deletions: what is asked for, and whether the object is gone with the answer. create-client.ts makes operations of it. */
import type { KubernetesObject, ResourceDefinition } from "@kubewright/core/meta";
import { isStatus } from "@kubewright/core/protocol";
import type { DeleteCollectionOptions, DeleteOptions } from "./options.ts";
import type { ClientOptions, Requester } from "./requester.ts";
import { resolveTarget, type Target, targetParts } from "./target.ts";

/** Deletes one object; answers with it when something holds it back, and tells whoever wants to know of own writes. */
export async function deleteOne<Kind extends KubernetesObject>(
  requester: Requester,
  what: ResourceDefinition<Kind, unknown>,
  call: { readonly target: Target; readonly remove: DeleteOptions; readonly settings: ClientOptions },
): Promise<Kind | undefined> {
  const { target, remove, settings } = call;
  const resolved = resolveTarget(what, target, settings.namespace ?? "default");
  const uid = remove.uid === false ? undefined : (remove.uid ?? resolved.uid);
  const dryRun = dryRunOf(remove.dryRun ?? settings.dryRun);
  const answer = await requester.call(what, "DELETE", targetParts(what, target, settings), {
    query: { dryRun },
    body: deleteBody(remove, { uid, resourceVersion: remove.resourceVersion }),
    signal: remove.signal,
    takesValues: settings.transport.inProcess === true && (settings.dropsManagedFields === true ? "lean" : true),
  });
  const object = answer as Kind;
  const gone = object.kind === "Status" || !isHeldBack(object, remove);
  if (dryRun === undefined) {
    const { name, namespace } = resolved;
    if (gone) settings.onDeleted?.({ definition: what, name, namespace, uid: uidIn(answer) ?? uid });
    else settings.onWritten?.({ definition: what, object });
  }
  return gone ? undefined : object;
}

/** The uid of what was deleted: under its name there may be another object by now. */
function uidIn(answer: unknown): string | undefined {
  return isStatus(answer) ? answer.details?.uid : (answer as KubernetesObject).metadata?.uid;
}

/** A deletion that ended may be answered with the last state of the object: nothing in that holds it back any more. */
function isHeldBack({ metadata }: KubernetesObject, { gracePeriodSeconds }: DeleteOptions): boolean {
  if (metadata?.deletionTimestamp === undefined) return false;
  const graceful = gracePeriodSeconds !== 0 && metadata.deletionGracePeriodSeconds !== 0;
  return graceful || (metadata.finalizers ?? []).length > 0;
}

/** What a deletion says of how, and of which object. */
export function deleteBody(
  remove: DeleteCollectionOptions,
  preconditions: { readonly uid?: string | undefined; readonly resourceVersion?: string | undefined } = {},
): object {
  const checked = preconditions.uid !== undefined || preconditions.resourceVersion !== undefined;
  return {
    apiVersion: "v1",
    kind: "DeleteOptions",
    ...(checked ? { preconditions } : {}),
    ...(remove.gracePeriodSeconds === undefined ? {} : { gracePeriodSeconds: remove.gracePeriodSeconds }),
    ...(remove.propagationPolicy === undefined ? {} : { propagationPolicy: remove.propagationPolicy }),
  };
}

/** How a query says that nothing is to be stored. */
export function dryRunOf(dryRun: boolean | undefined): "All" | undefined {
  return dryRun === true ? "All" : undefined;
}
