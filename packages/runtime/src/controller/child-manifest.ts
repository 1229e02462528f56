/**
 * A wanted child, completed: kind and namespace filled in, the owner named, and marked with who applied it and a hash of what
 * was applied (its name apart), so that a later run can tell whether anything is to be done without asking the server.
 */
import { apiVersionOf, type KubernetesObject, setController } from "@kubewright/core/meta";
import type { AnyDefinition } from "../client/definitions.ts";
import { declaredHash } from "./content-hash.ts";

/**
 * The annotation that says which controller applied a child, and what: "name/hash". Caches drop managedFields, which are as large as the
 * rest of an object; the hash is what is left to tell that a field is no longer declared, that an entry was there and somebody removed
 * it, and which children may be pruned, all without a request.
 */
export const APPLIED_ANNOTATION = "kubewright.dev/applied";

/** Ends the mark of a child that was created and not yet applied: its fields are owned by an update, which applies must take over first. */
const CREATED_SUFFIX = "/created";

/** The annotation with the epoch of a fenced controller's leader, on its objects and their children. */
export const EPOCH_ANNOTATION = "kubewright.dev/epoch";

/** A wanted child, ready to be applied. */
export interface ChildManifest {
  readonly definition: AnyDefinition;
  readonly object: KubernetesObject & { readonly metadata: { readonly name: string } };
  /** The value of its annotation. */
  readonly mark: string;
}

/** Whose child it is. */
export interface Ownership {
  readonly owner: KubernetesObject;
  readonly ownerDefinition: AnyDefinition;
  readonly controller: string;
  /** The epoch of a fenced controller's leader. */
  readonly epoch?: number | undefined;
}

/** Where a wanted child is; what can never be anywhere throws with the remedy. */
export function placeOf(
  wanted: KubernetesObject,
  definition: AnyDefinition,
  owner: KubernetesObject,
): { readonly name: string; readonly namespace?: string } {
  const { name } = wanted.metadata ?? {};
  if (name === undefined || name === "") {
    throw new TypeError(`a child of kind ${definition.kind} has no metadata.name; children need names of their own`);
  }
  const namespace =
    definition.scope === "Cluster" ? undefined : (wanted.metadata?.namespace ?? owner.metadata?.namespace);
  if (definition.scope === "Namespaced" && namespace === undefined) {
    throw new TypeError(`${definition.kind} ${JSON.stringify(name)} needs a namespace: its owner is cluster-scoped`);
  }
  return namespace === undefined ? { name } : { name, namespace };
}

/** Completes a wanted child, to be applied; what can never be applied throws with the remedy. */
export function toManifest(wanted: KubernetesObject, definition: AnyDefinition, ownership: Ownership): ChildManifest {
  return complete(wanted, ownership, { definition, suffix: "" });
}

/** Completes a wanted child that is not there, to be created; what can never be created throws with the remedy. */
export function toNewManifest(
  wanted: KubernetesObject,
  definition: AnyDefinition,
  ownership: Ownership,
): ChildManifest {
  return complete(wanted, ownership, { definition, suffix: CREATED_SUFFIX });
}

function complete(
  wanted: KubernetesObject,
  { owner, ownerDefinition, controller, epoch }: Ownership,
  { definition, suffix }: { readonly definition: AnyDefinition; readonly suffix: string },
): ChildManifest {
  const { status: _status, ...content } = wanted as KubernetesObject & { readonly status?: unknown };
  const mark = `${controller}/${declaredHash(wanted)}${suffix}`;
  const stamp = epoch === undefined ? {} : { [EPOCH_ANNOTATION]: String(epoch) };
  const annotations = { ...wanted.metadata?.annotations, [APPLIED_ANNOTATION]: mark, ...stamp };
  const metadata = { ...wanted.metadata, ...placeOf(wanted, definition, owner), annotations };
  const object = { ...content, apiVersion: apiVersionOf(definition), kind: definition.kind, metadata };
  return { definition, object: setController(object, owner, { kind: ownerDefinition }), mark };
}

/** The manifest as it is sent to create the child, instead of applying it. */
export function asCreated(manifest: ChildManifest): ChildManifest {
  const { definition, object } = manifest;
  const mark = manifest.mark + CREATED_SUFFIX;
  const annotations = { ...object.metadata.annotations, [APPLIED_ANNOTATION]: mark };
  return { definition, mark, object: { ...object, metadata: { ...object.metadata, annotations } } };
}

/** The mark of a child, and whether it was created and not yet applied; undefined for what no controller made. */
export function readMark(child: KubernetesObject): { readonly mark: string; readonly isCreated: boolean } | undefined {
  const mark = child.metadata?.annotations?.[APPLIED_ANNOTATION];
  return mark === undefined ? undefined : { mark, isCreated: mark.endsWith(CREATED_SUFFIX) };
}
