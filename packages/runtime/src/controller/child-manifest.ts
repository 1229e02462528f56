/**
 * A wanted child, completed: kind and namespace filled in, the owner named, and its mark: who made it and a hash of what was declared
 * (its name apart), so that a later run can tell whether anything is to be done without asking the server. Caches drop managedFields, which
 * are as large as the rest of an object; the mark is what is left to tell that a field is no longer declared, that an entry was there and
 * somebody removed it, and which children may be pruned, all without a request. A child that was applied has its mark as an annotation. One
 * that was created and not yet applied has it in the name of the field manager that created it, which caches keep: with an
 * annotation more a child that was deleted is back 2.5 % later (docs/performance.md).
 */
import {
  apiVersionOf,
  CREATOR_SUFFIX,
  creatorOf,
  type KubernetesObject,
  type Labels,
  type ObjectMeta,
  setController,
} from "@kubewright/core/meta";
import type { AnyDefinition } from "../client/definitions.ts";
import { declaredHash } from "./content-hash.ts";

/** The annotation with the mark of a child: "name/hash". */
export const APPLIED_ANNOTATION = "kubewright.dev/applied";

/** The annotation with the epoch of a fenced controller's leader, on its objects and their children. */
export const EPOCH_ANNOTATION = "kubewright.dev/epoch";

/** A wanted child, completed. */
export interface ChildManifest {
  readonly definition: AnyDefinition;
  readonly object: KubernetesObject & { readonly metadata: { readonly name: string } };
  /** Which controller made it, and what: "name/hash", which goes on with "/created" until it is applied. */
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

/** Completes a wanted child; what can never be applied throws with the remedy. */
export function toManifest(
  wanted: KubernetesObject,
  definition: AnyDefinition,
  { owner, ownerDefinition, controller, epoch }: Ownership,
): ChildManifest {
  const { status: _status, ...content } = wanted as KubernetesObject & { readonly status?: unknown };
  const mark = `${controller}/${declaredHash(wanted)}`;
  const stamp = epoch === undefined ? {} : stamped(wanted, { [EPOCH_ANNOTATION]: String(epoch) });
  const metadata = { ...wanted.metadata, ...placeOf(wanted, definition, owner), ...stamp };
  const object = { ...content, apiVersion: apiVersionOf(definition), kind: definition.kind, metadata };
  return { definition, object: setController(object, owner, { kind: ownerDefinition }), mark };
}

/** The manifest with its mark on the object, as it is applied. */
export function marked(manifest: ChildManifest): ChildManifest {
  const { object, mark } = manifest;
  return {
    ...manifest,
    object: { ...object, metadata: { ...object.metadata, ...stamped(object, { [APPLIED_ANNOTATION]: mark }) } },
  };
}

/** The manifest as it is created, by the field manager of its mark. Its fields are owned by an update then, which applies must take over first. */
export function asCreated(manifest: ChildManifest): ChildManifest {
  return { ...manifest, mark: manifest.mark + CREATOR_SUFFIX };
}

function stamped({ metadata }: KubernetesObject, stamp: Labels): Pick<ObjectMeta, "annotations"> {
  return { annotations: { ...metadata?.annotations, ...stamp } };
}

/** The mark of a child, and whether it was created and not yet applied; undefined for what no controller made. */
export function readMark(child: KubernetesObject): { readonly mark: string; readonly isCreated: boolean } | undefined {
  const mark = child.metadata?.annotations?.[APPLIED_ANNOTATION] ?? creatorOf(child);
  return mark === undefined ? undefined : { mark, isCreated: mark.endsWith(CREATOR_SUFFIX) };
}
