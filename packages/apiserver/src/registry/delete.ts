/**
 * Deleting an object: check → admit → remove, or mark as being deleted while finalizers, a grace period or the kind
 * itself keep it. The last update that takes away what kept it removes it (see update.ts).
 */

import { deepEqual, formatTime } from "@kubewright/core/meta";
import { conflict, notFound, type PropagationPolicy } from "@kubewright/core/protocol";
import { admitValidating } from "../admission/admission.ts";
import { type ApiObject, withMetadata } from "../resource/object.ts";
import { type ServedResource, storageKey } from "../resource/resource.ts";
import type { FieldOwners, StoredEntry } from "../storage/storage.ts";
import type { Backend } from "./backend.ts";
import { contentOf } from "./content.ts";
import { mayDeferOwners } from "./ownership.ts";
import { heldObject, presentObject, toStorageVersion } from "./read.ts";
import { isDeletionDone } from "./update.ts";
import { admissionRequest, strategyContext, type WriteRequest } from "./write-request.ts";

/** What a client says about a deletion. */
export interface DeleteOptions {
  readonly gracePeriodSeconds?: number;
  readonly propagationPolicy?: PropagationPolicy;
  /** The object must be this one, at this version. */
  readonly preconditions?: { readonly uid?: string; readonly resourceVersion?: string };
}

/** What a deletion came to. */
export interface Deletion {
  /** The object as it is now, or as it last was. */
  readonly entry: StoredEntry;
  readonly object: ApiObject;
  /** The owners of its fields, when it does not tell them. */
  readonly owners: FieldOwners | undefined;
  /** False while something keeps the object. */
  readonly removed: boolean;
}

const FINALIZER_ORPHAN = "orphan";
const FINALIZER_FOREGROUND = "foregroundDeletion";

/** Deletes one object, or begins to. */
export async function deleteObject(backend: Backend, write: WriteRequest, options: DeleteOptions): Promise<Deletion> {
  const { resource, namespace, name } = write;
  const key = storageKey(resource, namespace, name);
  const { defaultPropagationWarning: warning } = resource.strategy;
  if (warning !== undefined && options.propagationPolicy === undefined) write.warnings.add(warning);
  const mayDefer = mayDeferOwners(backend, write);
  for (;;) {
    const entry = backend.storage.get(resource.storageName, key);
    if (entry === undefined) throw notFound(resource.definition, name);
    const held = mayDefer ? heldObject(resource, entry) : undefined;
    const current = held ?? (await presentObject(resource, entry));
    requirePreconditions(resource, current, options);
    const admitted = write.admittedAs === "over" ? undefined : admitDeletion(backend, write, current);
    if (admitted instanceof Promise) await admitted;
    const marked = markDeleted(backend, write, { current, options });
    const deletion = await storeDeletion(backend, write, {
      entry,
      current,
      marked,
      owners: held === undefined ? undefined : entry.value?.owners,
    });
    if (deletion !== undefined) return deletion;
  }
}

/** Plugins are told no name of what goes with its collection. */
function admitDeletion(backend: Backend, write: WriteRequest, current: ApiObject): void | Promise<void> {
  const admission = admissionRequest(backend, write, "DELETE");
  return admitValidating(backend.admission, {
    ...admission,
    ...(write.isOfCollection === true && { name: "" }),
    oldObject: current,
  });
}

/** The resource of these refusals is named by its kind, unlike everywhere else. */
function requirePreconditions(
  resource: ServedResource,
  { metadata }: ApiObject,
  { preconditions }: DeleteOptions,
): void {
  const { uid, resourceVersion } = preconditions ?? {};
  const subject = { group: resource.definition.group, plural: resource.definition.kind };
  const name = metadata.name ?? "";
  if (uid !== undefined && uid !== metadata.uid) {
    const why = `the UID in the precondition (${uid}) does not match the UID in record (${metadata.uid}). The object might have been deleted and then recreated`;
    throw conflict(subject, name, why);
  }
  if (resourceVersion !== undefined && resourceVersion !== metadata.resourceVersion) {
    const why = `the ResourceVersion in the precondition (${resourceVersion}) does not match the ResourceVersion in record (${metadata.resourceVersion}). The object might have been modified`;
    throw conflict(subject, name, why);
  }
}

/** The object as being deleted; a deletion that runs already may get shorter, never longer. */
function markDeleted(
  backend: Backend,
  write: WriteRequest,
  { current, options }: { readonly current: ApiObject; readonly options: DeleteOptions },
): ApiObject {
  const { strategy } = write.resource;
  const graceSeconds = strategy.gracePeriodSeconds?.(current, options.gracePeriodSeconds) ?? 0;
  const finalizers = finalizersFor(current, options.propagationPolicy, strategy.defaultPropagation);
  const withFinalizers = deepEqual(finalizers, [...(current.metadata.finalizers ?? [])])
    ? current
    : withMetadata(current, { finalizers });
  const { deletionTimestamp, deletionGracePeriodSeconds = 0, generation = 0 } = current.metadata;
  if (deletionTimestamp !== undefined && graceSeconds >= deletionGracePeriodSeconds) return withFinalizers;
  const timed = withMetadata(withFinalizers, {
    deletionTimestamp: formatTime(backend.clock.now() + graceSeconds * 1000),
    deletionGracePeriodSeconds: graceSeconds,
    ...(generation > 0 && deletionTimestamp === undefined ? { generation: generation + 1 } : {}),
  });
  return strategy.prepareForDelete?.(timed, strategyContext(backend, write, "delete")) ?? timed;
}

function finalizersFor(
  { metadata: { finalizers = [] } }: ApiObject,
  policy: PropagationPolicy | undefined,
  defaultPolicy: PropagationPolicy | undefined,
): string[] {
  const others = finalizers.filter((name) => name !== FINALIZER_ORPHAN && name !== FINALIZER_FOREGROUND);
  switch (policy ?? (others.length < finalizers.length ? undefined : defaultPolicy)) {
    case "Orphan":
      return [...others, FINALIZER_ORPHAN];
    case "Foreground":
      return [...others, FINALIZER_FOREGROUND];
    case "Background":
      return others;
    case undefined:
      return [...finalizers];
  }
}

/** What is stored, and what becomes of it. */
interface DeletedState {
  readonly entry: StoredEntry;
  readonly current: ApiObject;
  readonly marked: ApiObject;
  readonly owners: FieldOwners | undefined;
}

/** Undefined when the entry changed meanwhile. */
async function storeDeletion(
  { storage }: Backend,
  { resource, dryRun }: WriteRequest,
  { entry, current, marked, owners }: DeletedState,
): Promise<Deletion | undefined> {
  const removed = isDeletionDone(resource, marked);
  // What is removed at once was never seen as being deleted, so it goes as it was.
  const object = removed && current.metadata.deletionTimestamp === undefined ? current : marked;
  const shown = removed && resource.strategy.gracePeriodSeconds !== undefined ? marked : object;
  if (dryRun || (!removed && object === current)) return { entry, object: shown, owners, removed };
  const stored = await toStorageVersion(resource, object);
  const written = storage.commit({
    resource: resource.storageName,
    key: entry.key,
    operation: removed ? "delete" : "put",
    expected: entry.revision,
    ...contentOf(stored, { owners }),
  });
  return written === undefined ? undefined : { entry: written, object: shown, owners, removed };
}
