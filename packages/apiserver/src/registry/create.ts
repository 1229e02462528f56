/**
 * Creating an object: default → track fields → mutate → prepare → validate → admit → store. The create endpoint calls
 * it, apply and update do where they may create.
 */
import { ApiError, alreadyExists, forbidden, generateNameConflict } from "@kubewright/core/protocol";
import { admitMutating, admitValidating } from "../admission/admission.ts";
import { bareError } from "../request/bare-error.ts";
import { requireShallow } from "../request/nesting.ts";
import { type ApiObject, encodeObject } from "../resource/object.ts";
import { type ServedResource, storageKey } from "../resource/resource.ts";
import type { StrategyContext } from "../resource/strategy.ts";
import type { StoredEntry } from "../storage/storage.ts";
import type { Backend } from "./backend.ts";
import { contentOf, type KnownContent } from "./content.ts";
import { fillSystemMetadata, wipeSystemMetadata, withDistinctOwners } from "./metadata.ts";
import { deferOwners, mayDeferOwners, trackOwnership } from "./ownership.ts";
import { toStorageVersion, wholeObject } from "./read.ts";
import { reserve } from "./update.ts";
import { requireValid } from "./validate.ts";
import { admissionRequest, strategyContext, type WriteRequest } from "./write-request.ts";

const NAME_ATTEMPTS_MAX = 8;

/** Stores a new object and returns its entry; on a dry run the entry it would have, without a revision. */
export async function createObject(backend: Backend, write: WriteRequest, requested: ApiObject): Promise<StoredEntry> {
  const { resource } = write;
  requireServed(resource, write.name);
  const context = strategyContext(backend, write, "create");
  const { settle } = write.shape;
  const distinct = withDistinctOwners(requested, write.warnings);
  const wiped = wipeSystemMetadata(distinct, write.namespace);
  // What is taken from an object leaves it in canonical form; the place of its namespace is `fillSystemMetadata`'s business.
  const defaulted = settle(wiped, undefined, write.isCanonical === true ? wiped : undefined);
  const isDeferred = defaulted.metadata.managedFields === undefined && mayDeferOwners(backend, write);
  const owners = isDeferred ? deferOwners(write, { after: defaulted }, context.time) : undefined;
  const tracked = isDeferred ? defaulted : trackOwnership(write, { after: defaulted }, context.time);
  const admission = admissionRequest(backend, write, "CREATE");
  // Where owners are deferred nobody but Kubernetes' own plugins changes the object, and they nest nothing.
  const admitted = admitMutating(backend.admission, { ...admission, object: tracked }, (object, known) =>
    settle(isDeferred ? object : requireShallow(object), known),
  );
  const mutated = admitted instanceof Promise ? await admitted : admitted;
  for (let attempt = 1; ; attempt++) {
    const prepared = prepareForCreate(write, mutated, context);
    const { object, release } = reserve(resource, { next: prepared }, context);
    try {
      requireValid(resource, { next: object }, context);
      const { name = "" } = object.metadata;
      const validated = admitValidating(backend.admission, { ...admission, name, object });
      if (validated instanceof Promise) await validated;
      const written = write.shape.written(object, { settled: prepared });
      const converted = toStorageVersion(resource, written);
      const stored = converted instanceof Promise ? await converted : converted;
      const entry = storeNew(backend, write, { object: written, stored, settled: object, owners });
      if (entry !== undefined) return entry;
    } finally {
      release();
    }
    if (isNameFixed(mutated) || attempt === NAME_ATTEMPTS_MAX)
      throw takenError(backend, write, { requested: mutated, prepared });
  }
}

function requireServed(resource: ServedResource, name: string): void {
  if (resource.terminating !== true) return;
  throw forbidden(resource.definition, name, "create not allowed while custom resource definition is terminating");
}

/** The object with what the server and its kind make of it, without nulls. */
function prepareForCreate({ resource, shape }: WriteRequest, object: ApiObject, context: StrategyContext): ApiObject {
  const { strategy } = resource;
  const filled = fillSystemMetadata(object, context, strategy.generation === true);
  const prepared = strategy.prepareForCreate?.(filled, context) ?? filled;
  return prepared === filled ? filled : shape.withoutNulls(prepared, object);
}

/** Undefined when the name is taken. A version is refused only here: a dry run may repeat an object that was read. */
function storeNew(
  backend: Backend,
  write: WriteRequest,
  { object, stored, settled, owners }: { readonly object: ApiObject; readonly stored: ApiObject } & KnownContent,
): StoredEntry | undefined {
  const { resource, namespace, dryRun } = write;
  const key = storageKey(resource, namespace, object.metadata.name ?? "");
  const given = object.metadata.resourceVersion ?? "";
  if (dryRun) {
    const isTaken = backend.storage.get(resource.storageName, key) !== undefined;
    return isTaken ? undefined : { key, revision: 0, text: encodeObject(object, Number.parseInt(given, 10) || 0) };
  }
  if (given !== "") {
    throw bareError(500, "resourceVersion should not be set on objects to be created");
  }
  const { labels, encode, value } = contentOf(
    stored,
    stored === object ? { owners, settled } : { owners, given: resource.isRenamed ? object : undefined },
  );
  const place = resource.storageName;
  return backend.storage.commit({ resource: place, key, operation: "put", expected: 0, labels, encode, value });
}

function isNameFixed({ metadata: { name = "", generateName = "" } }: ApiObject): boolean {
  return name !== "" || generateName === "";
}

interface TakenName {
  readonly requested: ApiObject;
  readonly prepared: ApiObject;
}

function takenError(backend: Backend, { resource, namespace }: WriteRequest, objects: TakenName): Error {
  const { requested, prepared } = objects;
  const name = prepared.metadata.name ?? "";
  const existing = backend.storage.get(resource.storageName, storageKey(resource, namespace, name));
  if (!isNameFixed(requested)) return generateNameConflict(resource.definition, name, 1);
  const { status } = alreadyExists(resource.definition, name);
  const isTerminating = existing !== undefined && wholeObject(existing).metadata.deletionTimestamp !== undefined;
  return new ApiError(isTerminating ? { ...status, message: `object is being deleted: ${status.message}` } : status);
}
