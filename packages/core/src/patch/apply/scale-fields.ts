/**
 * managedFields between a resource and its scale subresource, whose only owned field is the number of replicas. The API
 * server shows the first form to writes through `/scale` and merges the result back with the second.
 */
import type { Json, JsonObject } from "../../meta/json.ts";
import { difference, fieldSetOf, hasPath, isEmptySet } from "./field-set.ts";
import { decodeManagers, encodeManagers, type ManagerFields } from "./managers.ts";
import { fieldElement, type PathElement } from "./path-element.ts";

/** Where replicas stand in each version of the resource; null in versions without a scale subresource. */
export type ReplicasPaths = ReadonlyMap<string, readonly string[] | null>;

const scaleApiVersion = "autoscaling/v1";
const scaleReplicas: readonly PathElement[] = [fieldElement("spec"), fieldElement("replicas")];

/** The managers of the resource's replicas, as managers of the Scale object. */
export function toScaleManagedFields(
  parent: Json | undefined,
  paths: ReplicasPaths,
): readonly JsonObject[] | undefined {
  const scale = new Map<string, ManagerFields>();
  for (const [id, owner] of decodeManagers(parent)) {
    const path = elementsOf(paths.get(owner.apiVersion));
    if (path !== undefined && hasPath(owner.fields, path)) {
      scale.set(id, { ...owner, apiVersion: scaleApiVersion, fields: fieldSetOf([scaleReplicas]) });
    }
  }
  return encodeManagers(scale);
}

/** What merging back needs to know. */
export interface ScaleMerge {
  /** managedFields of the resource before the write. */
  readonly parent: Json | undefined;
  /** managedFields of the Scale object after it. */
  readonly scale: Json | undefined;
  /** The version of the resource in the request. */
  readonly apiVersion: string;
  readonly paths: ReplicasPaths;
}

/**
 * The managers of the resource after a write through its scale subresource. A manager of replicas that did not write
 * through scale under the same identity loses them; as in kube-apiserver, the entries taken from scale carry no time.
 */
export function fromScaleManagedFields(merge: ScaleMerge): readonly JsonObject[] | undefined {
  const parent = decodeManagers(merge.parent);
  const scale = new Map(decodeManagers(merge.scale));
  const merged = new Map<string, ManagerFields>();
  for (const [id, owner] of parent) {
    if (!merge.paths.has(owner.apiVersion)) continue;
    const path = elementsOf(merge.paths.get(owner.apiVersion));
    const isKept = path === undefined || !hasPath(owner.fields, path) || scale.delete(id);
    const fields = isKept ? owner.fields : difference(owner.fields, fieldSetOf([path]));
    if (!isEmptySet(fields)) merged.set(id, isKept ? owner : { ...owner, fields });
  }
  const path = elementsOf(merge.paths.get(merge.apiVersion));
  for (const [id, owner] of scale) {
    if (path === undefined || !hasPath(owner.fields, scaleReplicas)) continue;
    const time = parent.get(id)?.time;
    merged.set(id, { ...owner, apiVersion: merge.apiVersion, time, fields: fieldSetOf([path]) });
  }
  return encodeManagers(merged);
}

function elementsOf(path: readonly string[] | null | undefined): readonly PathElement[] | undefined {
  return path?.map(fieldElement);
}
