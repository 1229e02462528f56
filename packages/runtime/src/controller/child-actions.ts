/**
 * Acts on one child: creates, applies, deletes or refuses it. Comes after the plan of children-plan.ts. Nothing is taken from
 * others: creating goes without force, and a deletion happens only if the owner still wants it, as the server knows it.
 */
import type { KubernetesObject } from "@kubewright/core/meta";
import { isConflict, isInvalid, isNotFound } from "@kubewright/core/protocol";
import type { ApplyInput, Client } from "../client/client.ts";
import type { AnyDefinition } from "../client/definitions.ts";
import type { ObjectEvents } from "../events/recorder.ts";
import type { ChildManifest } from "./child-manifest.ts";
import { type ChildAction, childName } from "./children-plan.ts";
import { resourceExistsError } from "./resource-exists-error.ts";
import type { SettledChildren } from "./settled-children.ts";
import { claimStrays } from "./stray-entries.ts";

/** What acting on a child works with. */
export interface ChildPorts {
  readonly client: Client;
  /** Of the owner. */
  readonly events: ObjectEvents;
  readonly signal: AbortSignal;
  /** The field manager. */
  readonly controller: string;
  readonly ownerDefinition: AnyDefinition;
  readonly settled: SettledChildren;
  /** Applies are conditional on the version that was read. @default false */
  readonly fenced?: boolean;
}

/** Does what the plan says about one child; answers with the child when it was written. */
export async function performChildAction(
  action: ChildAction,
  owner: KubernetesObject,
  ports: ChildPorts,
): Promise<KubernetesObject | undefined> {
  switch (action.kind) {
    case "create":
      return createChild(action.manifest, ports);
    case "apply":
      return applyChild(action, ports);
    case "delete":
      return deleteChild(action, owner, ports);
    case "refuse":
      return refuseChild(action.manifest, ports);
    case "wait":
      return undefined;
  }
}

/** Applies without force; finding somebody else's object there means that the name is taken. */
async function createChild(manifest: ChildManifest, ports: ChildPorts): Promise<KubernetesObject> {
  const { client, controller, signal } = ports;
  try {
    const created = await apply(manifest, ports, false);
    if (!writtenByOthers(created, controller)) return created;
  } catch (error) {
    if (isConflict(error)) return refuseChild(manifest, ports);
    throw error;
  }
  // The object was there, and nothing of it collided: give back what we added to it.
  const { name, namespace } = manifest.object.metadata as { readonly name: string; readonly namespace?: string };
  const nothing = { metadata: { name, ...(namespace === undefined ? {} : { namespace }) } };
  const options = { fieldManager: controller, signal };
  await client.apply(manifest.definition, nothing as ApplyInput<KubernetesObject>, options);
  return refuseChild(manifest, ports);
}

async function applyChild(
  { manifest, observed, restoresLists }: Extract<ChildAction, { kind: "apply" }>,
  ports: ChildPorts,
): Promise<KubernetesObject> {
  const dropped = restoresLists ? await dropStrays(manifest, ports) : undefined;
  const basis = dropped ?? observed;
  const applied = await applyOver(ports.fenced === true ? basedOn(basis, manifest) : manifest, ports);
  ports.settled.note(manifest, applied);
  return applied;
}

/** Applies with force. What the server finds invalid may be so because an entry of ours was replaced by hand. */
async function applyOver(manifest: ChildManifest, ports: ChildPorts): Promise<KubernetesObject> {
  try {
    return await apply(manifest, ports, true);
  } catch (error) {
    const dropped = isInvalid(error) ? await dropStrays(manifest, ports) : undefined;
    if (dropped === undefined) throw error;
    return apply(ports.fenced === true ? basedOn(dropped, manifest) : manifest, ports, true);
  }
}

/** The manifest, to be applied to this very version only. */
function basedOn({ metadata }: KubernetesObject, manifest: ChildManifest): ChildManifest {
  const { resourceVersion } = metadata ?? {};
  if (resourceVersion === undefined) return manifest;
  return { ...manifest, object: { ...manifest.object, metadata: { ...manifest.object.metadata, resourceVersion } } };
}

/** Lets the next apply remove entries that took the place of ours; undefined when there are none. */
async function dropStrays(
  { definition, object }: ChildManifest,
  ports: ChildPorts,
): Promise<KubernetesObject | undefined> {
  const { client, controller, signal } = ports;
  const live = await client.find(definition, object, { signal });
  const managedFields = live && claimStrays(live, object, controller);
  if (managedFields === undefined) return undefined;
  const { uid, resourceVersion } = live?.metadata ?? {};
  const merge = { metadata: { managedFields, uid, resourceVersion } };
  return client.patch(definition, object, { merge }, { fieldManager: controller, signal });
}

async function apply(
  { definition, object }: ChildManifest,
  { client, controller, signal }: ChildPorts,
  force: boolean,
): Promise<KubernetesObject> {
  const options = { fieldManager: controller, force, signal };
  return client.apply(definition, object as ApplyInput<KubernetesObject>, options);
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
  { client, ownerDefinition, signal }: ChildPorts,
): Promise<undefined> {
  const live = await client.find(ownerDefinition, owner, { signal });
  const seen = owner.metadata;
  const same = live?.metadata?.uid === seen?.uid && live?.metadata?.generation === seen?.generation;
  if (!same || live?.metadata?.deletionTimestamp !== seen?.deletionTimestamp) {
    throw new Error(
      `not deleting ${childName(action.definition, action.observed)}: its owner changed since it was read; trying again`,
    );
  }
  try {
    await client.delete(action.definition, action.observed, { propagationPolicy: "Background", signal });
  } catch (error) {
    if (!isNotFound(error)) throw error;
  }
}

function refuseChild(manifest: ChildManifest, { events, ownerDefinition }: ChildPorts): never {
  const error = resourceExistsError(manifest, ownerDefinition.kind);
  events.warning("ErrResourceExists", error.note);
  throw error;
}
