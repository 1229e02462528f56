/**
 * Acts on one child: creates, applies, deletes or refuses it. Comes after the plan of children-plan.ts. Nothing is taken from
 * others: creating goes without force, and a deletion happens only if the owner still wants it, as the server knows it.
 */
import type { KubernetesObject } from "@kubewright/core/meta";
import { isConflict, isNotFound } from "@kubewright/core/protocol";
import type { ApplyInput } from "../client/client.ts";
import type { ChildManifest } from "./child-manifest.ts";
import { type ChildAction, childName } from "./children-plan.ts";
import type { ConvergePorts } from "./converge-ports.ts";
import type { ReconcileContext } from "./define-controller.ts";
import { resourceExistsError } from "./resource-exists-error.ts";

/** What acting on a child works with. */
export type ActionPorts = ConvergePorts & { readonly context: ReconcileContext };

/** Does what the plan says about one child. */
export async function performChildAction(
  action: ChildAction,
  owner: KubernetesObject,
  ports: ActionPorts,
): Promise<void> {
  switch (action.kind) {
    case "create":
      return createChild(action.manifest, ports);
    case "apply":
      return applyChild(action.manifest, ports);
    case "delete":
      return deleteChild(action, owner, ports);
    case "refuse":
      return refuseChild(action.manifest, ports);
    case "wait":
      return;
  }
}

/** Applies without force; finding somebody else's object there means that the name is taken. */
async function createChild(manifest: ChildManifest, ports: ActionPorts): Promise<void> {
  const { context, controller } = ports;
  try {
    const created = await apply(manifest, ports, false);
    if (!writtenByOthers(created, controller.name)) return;
  } catch (error) {
    if (isConflict(error)) return refuseChild(manifest, ports);
    throw error;
  }
  // The object was there, and nothing of it collided: give back what we added to it.
  const { name, namespace } = manifest.object.metadata as { readonly name: string; readonly namespace?: string };
  const nothing = { metadata: { name, ...(namespace === undefined ? {} : { namespace }) } };
  await context.client.apply(manifest.definition, nothing as ApplyInput<KubernetesObject>, {
    fieldManager: controller.name,
    signal: context.signal,
  });
  return refuseChild(manifest, ports);
}

async function applyChild(manifest: ChildManifest, ports: ActionPorts): Promise<void> {
  const applied = await apply(manifest, ports, true);
  ports.memory.settled.note(manifest, applied);
}

async function apply(
  manifest: ChildManifest,
  { context, controller }: ActionPorts,
  force: boolean,
): Promise<KubernetesObject> {
  return context.client.apply(manifest.definition, manifest.object as ApplyInput<KubernetesObject>, {
    fieldManager: controller.name,
    force,
    signal: context.signal,
  });
}

/** Another manager wrote this object (its status apart) before us: we did not create it. */
function writtenByOthers(object: KubernetesObject, manager: string): boolean {
  const entries = object.metadata?.managedFields ?? [];
  return entries.some((entry) => entry.manager !== manager && (entry.subresource ?? "") === "");
}

/** Deletes a child that the owner no longer wants, unless the owner is not what the cache believes. */
async function deleteChild(
  action: Extract<ChildAction, { kind: "delete" }>,
  owner: KubernetesObject,
  { context, controller }: ActionPorts,
): Promise<void> {
  const live = await context.client.find(controller.for, owner, { signal: context.signal });
  const seen = owner.metadata;
  const same = live?.metadata?.uid === seen?.uid && live?.metadata?.generation === seen?.generation;
  if (!same || live?.metadata?.deletionTimestamp !== seen?.deletionTimestamp) {
    throw new Error(
      `not deleting ${childName(action.definition, action.observed)}: its owner changed since it was read; trying again`,
    );
  }
  try {
    await context.client.delete(action.definition, action.observed, {
      propagationPolicy: "Background",
      signal: context.signal,
    });
  } catch (error) {
    if (!isNotFound(error)) throw error;
  }
}

function refuseChild(manifest: ChildManifest, { context, controller }: ActionPorts): never {
  const error = resourceExistsError(manifest, controller.for.kind);
  context.events.warning("ErrResourceExists", error.note);
  throw error;
}
