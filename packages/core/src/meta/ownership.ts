/**
 * Who owns an object. The garbage collector deletes an object when its owners are gone, and a controller finds by the
 * one owner marked "controller" whom a child belongs to. References that the garbage collector would take for dangling
 * (an owner in another namespace) are refused here, because the API server accepts them and the child is deleted later.
 */
import type { KubernetesObject, ObjectIdentity, ObjectMeta, OwnerReference } from "./object.ts";
import { apiVersionOf, type GroupVersionKind, groupVersionKindOf, parseApiVersion } from "./resource.ts";

/** Why an owner was refused. */
export type OwnershipCode = "AlreadyOwned" | "ForeignNamespace" | "OwnerNotStored";

/** An owner reference that may not be made. */
export interface OwnershipError extends Error {
  readonly code: OwnershipCode;
}

/** True for a refused owner reference. */
export function isOwnershipError(error: unknown): error is OwnershipError {
  return error instanceof Error && "code" in error && CODES.has(error.code);
}

/** The reference to the controller of an object. */
export function getControllerOf({
  metadata,
}: {
  readonly metadata?: Pick<ObjectIdentity, "ownerReferences">;
}): OwnerReference | undefined {
  for (const reference of metadata?.ownerReferences ?? []) if (reference.controller === true) return reference;
  return undefined;
}

/** True when `owner` is the controller of `object`: this very owner, not one of the same name. */
export function isControlledBy(object: KubernetesObject, owner: KubernetesObject): boolean {
  const uid = owner.metadata?.uid;
  return uid !== undefined && getControllerOf(object)?.uid === uid;
}

/** True when `owner` is among the owners of `object`. */
export function isOwnedBy(object: KubernetesObject, owner: KubernetesObject): boolean {
  const uid = owner.metadata?.uid;
  return uid !== undefined && (object.metadata?.ownerReferences ?? []).some((reference) => reference.uid === uid);
}

/** How an owner reference is made. */
export interface OwnerOptions {
  /** The owner's kind. @default what the owner states */
  readonly kind?: GroupVersionKind;
  /** Foreground deletion of the owner waits for the object. @default true for controllers, otherwise unset */
  readonly blockOwnerDeletion?: boolean;
}

/** The object with `owner` as its controller. Throws `OwnershipError`; the same object when it is so already. */
export function setController<Kind extends KubernetesObject>(
  object: Kind,
  owner: KubernetesObject,
  options: OwnerOptions = {},
): Kind {
  const { apiVersion, kind, name, uid } = ownerReference(owner, options);
  const { blockOwnerDeletion = true } = options;
  const reference = { apiVersion, kind, name, uid, controller: true, blockOwnerDeletion };
  const current = getControllerOf(object);
  if (current !== undefined && !refersToSame(current, reference)) throw alreadyOwned(object, owner, current);
  return withOwner(object, owner, reference);
}

/** The object with `owner` among its owners, not as controller. Throws `OwnershipError`. */
export function addOwner<Kind extends KubernetesObject>(
  object: Kind,
  owner: KubernetesObject,
  options: OwnerOptions = {},
): Kind {
  const { blockOwnerDeletion } = options;
  const reference = ownerReference(owner, options);
  return withOwner(object, owner, blockOwnerDeletion === undefined ? reference : { ...reference, blockOwnerDeletion });
}

/** The object without `owner` among its owners. */
export function removeOwner<Kind extends KubernetesObject>(object: Kind, owner: KubernetesObject): Kind {
  const uid = owner.metadata?.uid;
  const references = object.metadata?.ownerReferences ?? [];
  const kept = references.filter((reference) => reference.uid !== uid);
  return kept.length === references.length ? object : withReferences(object, kept);
}

const CODES: ReadonlySet<unknown> = new Set<OwnershipCode>(["AlreadyOwned", "ForeignNamespace", "OwnerNotStored"]);

function ownerReference(owner: KubernetesObject, { kind = groupVersionKindOf(owner) }: OwnerOptions): OwnerReference {
  const { name, uid } = owner.metadata ?? {};
  if (name === undefined || uid === undefined) {
    const message = `${describe(owner)} cannot own anything before it is stored: it has no uid; create it first`;
    throw ownershipError("OwnerNotStored", message);
  }
  return { apiVersion: apiVersionOf(kind), kind: kind.kind, name, uid };
}

function withOwner<Kind extends KubernetesObject>(
  object: Kind,
  owner: KubernetesObject,
  reference: OwnerReference,
): Kind {
  checkNamespaces(object, owner);
  const references = object.metadata?.ownerReferences ?? [];
  const index = references.findIndex((candidate) => refersToSame(candidate, reference));
  const current = references[index];
  if (current === undefined) return withReferences(object, [...references, reference]);
  return isSameReference(current, reference) ? object : withReferences(object, references.with(index, reference));
}

function checkNamespaces(object: KubernetesObject, owner: KubernetesObject): void {
  const ownerNamespace = owner.metadata?.namespace ?? "";
  const namespace = object.metadata?.namespace ?? "";
  if (ownerNamespace === "" || ownerNamespace === namespace) return;
  const where = namespace === "" ? "which is cluster-scoped" : `which is in namespace ${JSON.stringify(namespace)}`;
  const remedy = "put both into one namespace, or delete it in the owner's finalizer";
  const message = `${describe(owner)} cannot own ${describe(object)}, ${where}: the garbage collector would delete it; ${remedy}`;
  throw ownershipError("ForeignNamespace", message);
}

function alreadyOwned(object: KubernetesObject, owner: KubernetesObject, current: OwnerReference): OwnershipError {
  const controller = `${current.kind} ${JSON.stringify(current.name)}`;
  const message = `${describe(object)} is already controlled by ${controller}, so ${describe(owner)} cannot control it; use another name, or remove that owner first`;
  return ownershipError("AlreadyOwned", message);
}

/** One owner by name; its uid may differ when it was deleted and made again. */
function refersToSame(a: OwnerReference, b: OwnerReference): boolean {
  return a.kind === b.kind && a.name === b.name && groupOf(a) === groupOf(b);
}

function isSameReference(a: OwnerReference, b: OwnerReference): boolean {
  return (
    a.apiVersion === b.apiVersion &&
    a.uid === b.uid &&
    a.controller === b.controller &&
    a.blockOwnerDeletion === b.blockOwnerDeletion
  );
}

function withReferences<Kind extends KubernetesObject>(object: Kind, ownerReferences: readonly OwnerReference[]): Kind {
  const metadata: ObjectMeta = { ...object.metadata, ownerReferences };
  return { ...object, metadata };
}

function groupOf(reference: OwnerReference): string {
  return parseApiVersion(reference.apiVersion).group;
}

function describe({ kind = "object", metadata = {} }: KubernetesObject): string {
  const place = metadata.namespace === undefined ? "" : `${metadata.namespace}/`;
  return `${kind} ${JSON.stringify(`${place}${metadata.name ?? ""}`)}`;
}

function ownershipError(code: OwnershipCode, message: string): OwnershipError {
  return Object.assign(new Error(message), { name: "OwnershipError", code });
}
