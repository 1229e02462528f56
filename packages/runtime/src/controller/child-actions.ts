/**
 * Acts on one child: creates, applies, deletes or refuses it. Comes after the plan of children-plan.ts. Nothing is taken from
 * others: what is there is not created over, and a deletion happens only if the owner still wants it, as the server knows it.
 * A child that is not there is created by POST, which costs an API server half of what an apply does; the first apply takes its fields over.
 */
import type { KubernetesObject } from "@kubewright/core/meta";
import { isAlreadyExists, isInvalid, isNotFound } from "@kubewright/core/protocol";
import type { ApplyInput, Client } from "../client/client.ts";
import type { AnyDefinition } from "../client/definitions.ts";
import type { ObjectEvents } from "../events/recorder.ts";
import { type ChildManifest, marked } from "./child-manifest.ts";
import { type ChildAction, childName, planChild } from "./children-plan.ts";
import { takeOverCreated } from "./field-ownership.ts";
import { resourceExistsError } from "./resource-exists-error.ts";
import type { SettledChildren } from "./settled-children.ts";
import { claimStrays } from "./stray-entries.ts";

/** What acting on a child works with. */
export interface ChildPorts {
  readonly client: Client;
  readonly signal: AbortSignal;
  /** Records an event about the owner. */
  readonly warn: ObjectEvents["warning"];
  /** The field manager. */
  readonly controller: string;
  readonly ownerDefinition: AnyDefinition;
  readonly settled: SettledChildren;
  /** Applies and deletions are conditional on the version that was read. @default false */
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
      return createChild(action.manifest, owner, ports);
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

/** Creates a child; finding somebody else's object there means that the name is taken. */
async function createChild(
  manifest: ChildManifest,
  owner: KubernetesObject,
  ports: ChildPorts,
): Promise<KubernetesObject> {
  const { client, signal } = ports;
  try {
    const options = { fieldManager: manifest.mark, dropsManagedFields: true, signal };
    // In one process managedFields are not worked out for caches, and an annotation costs nothing.
    const { object } = client.inProcess ? marked(manifest) : manifest;
    const created = await client.create(manifest.definition, object, options);
    ports.settled.note(manifest, created);
    return created;
  } catch (error) {
    if (!isAlreadyExists(error)) throw error;
    const live = await client.find(manifest.definition, manifest.object, { signal });
    if (live !== undefined && isTaken(manifest, live, { owner, ...ports })) return refuseChild(manifest, ports);
    throw error; // The cache is behind, and will tell.
  }
}

function isTaken(
  manifest: ChildManifest,
  live: KubernetesObject,
  { owner, ownerDefinition }: Pick<ChildPorts, "ownerDefinition"> & { readonly owner: KubernetesObject },
): boolean {
  return planChild(manifest, live, { owner, ownerDefinition, settled: () => false })?.kind === "refuse";
}

async function applyChild(
  { manifest, observed, isCreated, restoresLists }: Extract<ChildAction, { kind: "apply" }>,
  ports: ChildPorts,
): Promise<KubernetesObject> {
  const taken = isCreated ? await rewriteOwnership(manifest, ports, takeOverCreated) : undefined;
  const dropped = restoresLists ? await rewriteOwnership(manifest, ports, claimStrays) : undefined;
  const basis = dropped ?? taken ?? observed;
  const applied = await applyOver(ports.fenced === true ? basedOn(basis, manifest) : manifest, ports);
  ports.settled.note(manifest, applied);
  return applied;
}

/** Applies with force. What the server finds invalid may be so because an entry of ours was replaced by hand. */
async function applyOver(manifest: ChildManifest, ports: ChildPorts): Promise<KubernetesObject> {
  try {
    return await apply(manifest, ports);
  } catch (error) {
    const dropped = isInvalid(error) ? await rewriteOwnership(manifest, ports, claimStrays) : undefined;
    if (dropped === undefined) throw error;
    return apply(ports.fenced === true ? basedOn(dropped, manifest) : manifest, ports);
  }
}

/** The manifest, to be applied to this very version only. */
function basedOn({ metadata }: KubernetesObject, manifest: ChildManifest): ChildManifest {
  const { resourceVersion } = metadata ?? {};
  if (resourceVersion === undefined) return manifest;
  return { ...manifest, object: { ...manifest.object, metadata: { ...manifest.object.metadata, resourceVersion } } };
}

/** Changes who owns which field, so that the next apply may remove what it does not name; undefined when nothing is to be changed. */
async function rewriteOwnership(
  { definition, object }: ChildManifest,
  { client, controller, signal }: ChildPorts,
  rewrite: typeof claimStrays,
): Promise<KubernetesObject | undefined> {
  const live = await client.find(definition, object, { signal });
  const managedFields = live && rewrite(live, object, controller);
  if (managedFields === undefined) return undefined;
  const { uid, resourceVersion } = live?.metadata ?? {};
  const merge = { metadata: { managedFields, uid, resourceVersion } };
  return client.patch(definition, object, { merge }, { fieldManager: controller, signal });
}

async function apply(
  { definition, object }: ChildManifest,
  { client, controller, signal }: ChildPorts,
): Promise<KubernetesObject> {
  const options = { fieldManager: controller, force: true, dropsManagedFields: true, signal };
  return client.apply(definition, object as ApplyInput<KubernetesObject>, options);
}

/** Deletes a child that the owner no longer wants, unless the owner is not what the cache believes. */
async function deleteChild(
  action: Extract<ChildAction, { kind: "delete" }>,
  owner: KubernetesObject,
  { client, ownerDefinition, signal, fenced }: ChildPorts,
): Promise<undefined> {
  const live = await client.find(ownerDefinition, owner, { signal });
  const seen = owner.metadata;
  const same = live?.metadata?.uid === seen?.uid && live?.metadata?.generation === seen?.generation;
  if (!same || live?.metadata?.deletionTimestamp !== seen?.deletionTimestamp) {
    throw new Error(
      `not deleting ${childName(action.definition, action.observed)}: its owner changed since it was read; trying again`,
    );
  }
  const { resourceVersion } = action.observed.metadata ?? {};
  const version = fenced === true && resourceVersion !== undefined ? { resourceVersion } : {};
  try {
    await client.delete(action.definition, action.observed, { propagationPolicy: "Background", ...version, signal });
  } catch (error) {
    if (!isNotFound(error)) throw error;
  }
}

function refuseChild(manifest: ChildManifest, { warn, ownerDefinition }: ChildPorts): never {
  const error = resourceExistsError(manifest, ownerDefinition.kind);
  warn("ErrResourceExists", error.note);
  throw error;
}
