/**
 * Updating an object: change → check → default → mutate → prepare → validate → admit → compare and set. When somebody
 * else wrote in between, it starts over with what is there now, so `change` may run several times. Update, patch,
 * apply and all writing subresources go through here.
 */
import { deepEqual } from "@kubewright/core/meta";
import { ignoreTimestampChanges } from "@kubewright/core/patch";
import { conflict, fieldInvalid, invalidError, notFound, OPTIMISTIC_LOCK_MESSAGE } from "@kubewright/core/protocol";
import { type ApiObject, encodeObject, withFields, withMetadata } from "../resource/object.ts";
import { registryPath, type ServedResource, storageKey } from "../resource/resource.ts";
import type { Reservation, StrategyContext } from "../resource/strategy.ts";
import type { FieldOwners, StoredEntry } from "../storage/storage.ts";
import { mutateUpdate, validateUpdate } from "./admit-update.ts";
import type { Backend } from "./backend.ts";
import { contentOf } from "./content.ts";
import { keepSystemMetadata, withDistinctOwners } from "./metadata.ts";
import { deferOwners, mayDeferOwners, trackOwnership } from "./ownership.ts";
import { heldObject, isCurrent, presentObject, toStorageVersion } from "./read.ts";
import { requireValid } from "./validate.ts";
import { strategyContext, type WriteRequest } from "./write-request.ts";

/** Makes the object that a client asks for from the one that is stored; `shown` has the nulls that clients are shown, too. */
export type Change = (current: ApiObject, shown: ApiObject) => ApiObject | Promise<ApiObject>;

/** Stores what `change` makes of the current object; returns the entry as it is then. */
export async function updateObject(backend: Backend, write: WriteRequest, change: Change): Promise<StoredEntry> {
  const { resource, namespace, name } = write;
  const key = storageKey(resource, namespace, name);
  let mayDefer = mayDeferOwners(backend, write);
  for (;;) {
    const entry = backend.storage.get(resource.storageName, key);
    if (entry === undefined) throw notFound(resource.definition, name);
    const held = mayDefer ? heldObject(resource, entry) : undefined;
    const stored = held ?? (await presentObject(resource, entry));
    const settled = held && (entry.settled as ApiObject | undefined);
    const current = settled ?? write.shape.withoutNulls(stored, entry.value?.settled as ApiObject | undefined);
    const changed = change(current, stored);
    const requested = withDistinctOwners(changed instanceof Promise ? await changed : changed, write.warnings);
    if (held !== undefined && requested.metadata.managedFields !== undefined) {
      mayDefer = false; // The client has its own idea of who owns what.
      continue;
    }
    const ownersBefore = held === undefined ? undefined : entry.value?.owners;
    const context = strategyContext(backend, write, "update");
    const { tracked, owners } = settleUpdate(write, { current, requested, ownersBefore }, context.time);
    const admitted = mutateUpdate(backend, write, { current, next: tracked });
    const mutated = admitted instanceof Promise ? await admitted : admitted;
    const prepared = prepareForUpdate(write, { next: mutated, current }, context);
    const { object: next, release } = reserve(resource, { next: prepared, current }, context);
    try {
      requireValid(resource, { next, current }, context);
      const validated = validateUpdate(backend, write, { current, next });
      if (validated instanceof Promise) await validated;
      const shown = write.shape.written(next, { settled: current, stored });
      const written = storeUpdate(backend, write, { entry, current: stored, next: shown, settled: next, owners });
      const result = written instanceof Promise ? await written : written;
      if (result !== undefined) return result;
    } finally {
      release();
    }
  }
}

/** What a client asks for, and of what. */
interface AskedChange {
  readonly current: ApiObject;
  readonly requested: ApiObject;
  /** The owners of `current` when it does not tell them, and those after the write are to be worked out later. */
  readonly ownersBefore: FieldOwners | undefined;
}

/** What a client asks for with its defaults, and who owns it then. */
function settleUpdate(
  write: WriteRequest,
  { current, requested, ownersBefore }: AskedChange,
  time: string,
): { readonly tracked: ApiObject; readonly owners: FieldOwners | undefined } {
  requireSameObject(write, requested, current);
  // All that follows compares the two objects, and passes over the parts that they share.
  const kept = keepSystemMetadata(requested, current);
  const canonical = kept === requested ? requested : { ...requested, metadata: current.metadata };
  const defaulted = write.shape.settle(kept, current, write.isCanonical === true ? canonical : current);
  if (ownersBefore === undefined) {
    return { tracked: trackOwnership(write, { before: current, after: defaulted }, time), owners: undefined };
  }
  const before = { object: current, owners: ownersBefore };
  return { tracked: defaulted, owners: deferOwners(write, { before, after: defaulted }, time) };
}

/** What the kind takes from a common stock for the object. */
export function reserve(
  { strategy }: ServedResource,
  { next, current }: { readonly next: ApiObject; readonly current?: ApiObject },
  context: StrategyContext,
): Reservation {
  return strategy.reserve?.(next, current, context) ?? { object: next, release: () => {} };
}

/** The client's idea of the object must be the stored one: its version, if it names one, and its identity. */
function requireSameObject(
  { resource, isReplacement = false }: WriteRequest,
  requested: ApiObject,
  current: ApiObject,
): void {
  const { resourceVersion = "", uid = "" } = requested.metadata;
  const name = current.metadata.name ?? "";
  if (resourceVersion === "" && resource.strategy.unconditionalUpdate === false) {
    const error = fieldInvalid("metadata.resourceVersion", 0, "must be specified for an update");
    throw invalidError({ group: resource.definition.group, kind: resource.definition.plural, name }, [error]);
  }
  // A patch that names another uid would change it, and is refused for that.
  if (uid !== "" && uid !== current.metadata.uid && isReplacement) {
    const key = registryPath(resource, storageKey(resource, current.metadata.namespace ?? "", name));
    const why = `Precondition failed: UID in precondition: ${uid}, UID in object meta: ${current.metadata.uid}`;
    const where = `StorageError: invalid object, Code: 4, Key: ${key}, ResourceVersion: 0, AdditionalErrorMsg: `;
    throw conflict(resource.definition, name, where + why);
  }
  if (resourceVersion !== "" && resourceVersion !== current.metadata.resourceVersion) {
    throw conflict(resource.definition, name, OPTIMISTIC_LOCK_MESSAGE);
  }
}

/** The object with what the server and its kind make of it. */
function prepareForUpdate(
  { resource, shape }: WriteRequest,
  { next, current }: { readonly next: ApiObject; readonly current: ApiObject },
  context: StrategyContext,
): ApiObject {
  const prepared = shape.withoutNulls(preparedByKind(resource, { next, current }, context), next);
  return ignoreTimestampChanges(current, prepared) as ApiObject;
}

function preparedByKind(
  resource: ServedResource,
  { next, current }: { readonly next: ApiObject; readonly current: ApiObject },
  context: StrategyContext,
): ApiObject {
  const { strategy } = resource;
  const confined = confine(resource, next, { current, subresource: context.subresource });
  const prepared = strategy.prepareForUpdate?.(confined, current, context) ?? confined;
  const system = keepSystemMetadata(prepared, current);
  if (strategy.generation !== true || context.subresource === "status") return system;
  if (!changesGeneration(resource, system, current)) return system;
  return withMetadata(system, { generation: (current.metadata.generation ?? 0) + 1 });
}

/**
 * Keeps a write to its place: the main resource leaves the status, the status leaves everything else. Other
 * subresources change what they are for and nothing besides, so they need no fence.
 */
function confine(
  resource: ServedResource,
  next: ApiObject,
  { current, subresource }: { readonly current: ApiObject; readonly subresource: string | undefined },
): ApiObject {
  if (subresource === "status") {
    const { managedFields } = next.metadata;
    const metadata = resource.custom ? withMetadata(current, { managedFields }).metadata : next.metadata;
    return withFields(current, { status: next["status"], metadata });
  }
  return subresource === undefined && hasStatus(resource) ? withFields(next, { status: current["status"] }) : next;
}

function changesGeneration(resource: ServedResource, next: ApiObject, current: ApiObject): boolean {
  const { strategy } = resource;
  if (strategy.changesGeneration !== undefined) return strategy.changesGeneration(next, current);
  const ignored = hasStatus(resource) ? { metadata: {}, status: undefined } : { metadata: {} };
  return !deepEqual(withFields(next, ignored), withFields(current, ignored));
}

function hasStatus(resource: ServedResource): boolean {
  return resource.subresources.some((subresource) => subresource.name === "status");
}

/** What follows what is stored. */
interface NextState {
  readonly entry: StoredEntry;
  readonly current: ApiObject;
  readonly next: ApiObject;
  /** `next` before null was written for what is absent. */
  readonly settled: ApiObject;
  /** The owners of `next` when it does not tell them. */
  readonly owners: FieldOwners | undefined;
}

/** Undefined when the entry is no longer the one that `next` was made from. At once unless it has to be converted. */
function storeUpdate(
  backend: Backend,
  write: WriteRequest,
  state: NextState,
): StoredEntry | undefined | Promise<StoredEntry | undefined> {
  const { resource, dryRun } = write;
  const { entry, current, next } = state;
  if (deepEqual(next, current) && isCurrent(resource, entry)) return entry;
  if (dryRun) return { key: entry.key, revision: entry.revision, text: encodeObject(next, entry.revision) };
  const removes = isDeletionDone(resource, next);
  // Whoever watches sees the last stored content go, not the one without finalizers that was never stored.
  const converted = toStorageVersion(resource, removes ? current : next);
  if (!(converted instanceof Promise)) return commitUpdate(backend, resource, { state, removes, stored: converted });
  return converted.then((stored) => commitUpdate(backend, resource, { state, removes, stored }));
}

function commitUpdate(
  backend: Backend,
  resource: ServedResource,
  { state, removes, stored }: { readonly state: NextState; readonly removes: boolean; readonly stored: ApiObject },
): StoredEntry | undefined {
  const { entry, next, owners } = state;
  const { labels, encode, value } = contentOf(stored, {
    settled: stored === next ? state.settled : undefined,
    owners: removes && owners !== undefined ? entry.value?.owners : owners,
  });
  const { key, revision: expected } = entry;
  const operation = removes ? "delete" : "put";
  const written = backend.storage.commit({
    resource: resource.storageName,
    key,
    operation,
    expected,
    labels,
    encode,
    value,
  });
  if (!removes || written === undefined) return written;
  return { key: entry.key, revision: written.revision, text: contentOf(next, { owners }).encode(entry.revision) };
}

/** True once nothing keeps a deleted object any more. */
export function isDeletionDone({ strategy }: ServedResource, object: ApiObject): boolean {
  const { deletionTimestamp, deletionGracePeriodSeconds = 0, finalizers = [] } = object.metadata;
  if (deletionTimestamp === undefined || deletionGracePeriodSeconds > 0 || finalizers.length > 0) return false;
  return strategy.holdsDeletion?.(object) !== true;
}
