/**
 * Definitions for objects without a type of their own: kinds known only at run time, and the metadata-only view of any
 * kind. Both are ordinary resource definitions, so the client, caches and controllers take them like any other.
 */
import type { JsonObject, KubernetesObject, ObjectMeta, ResourceDefinition } from "@kubewright/core/meta";

/** Any resource definition. */
export type AnyDefinition = ResourceDefinition<KubernetesObject, unknown>;

/** An object whose fields are not known when the program is written. */
export interface UnstructuredObject extends KubernetesObject {
  readonly spec?: JsonObject;
  readonly status?: JsonObject;
  readonly [field: string]: unknown;
}

/** The metadata-only view of an object. */
export interface MetadataObject extends KubernetesObject {
  readonly metadata: ObjectMeta;
}

/** Says that only metadata is fetched; set by `metadataOnly`. */
const METADATA_ONLY = Symbol.for("kubewright.metadataOnly");

/** A definition for a kind that is not known when the program is written. */
export function unstructured(
  names: Pick<AnyDefinition, "group" | "version" | "kind" | "plural" | "scope"> & Partial<AnyDefinition>,
): ResourceDefinition<UnstructuredObject, KubernetesObject> {
  const { "~types": _types, ...definition } = names;
  return { singular: names.kind.toLowerCase(), ...definition };
}

/** The same kind, of which only metadata is fetched, cached and watched. Reading only. */
export function metadataOnly(definition: AnyDefinition): ResourceDefinition<MetadataObject, never> {
  const { "~types": _types, ...names } = definition;
  return Object.assign(names, { [METADATA_ONLY]: true });
}

/** True for definitions made by `metadataOnly`. */
export function isMetadataOnly(definition: AnyDefinition): boolean {
  return METADATA_ONLY in definition;
}

/** Definitions last as long as the program, and each request and each look into a cache asks for their key. */
const keys = new WeakMap<AnyDefinition, string>();

/** Identifies a kind in maps; a metadata-only view is another kind than the whole. */
export function definitionKey(definition: AnyDefinition): string {
  const known = keys.get(definition);
  if (known !== undefined) return known;
  const { group, version, kind } = definition;
  const key = `${group}/${version}/${kind}${isMetadataOnly(definition) ? "#metadata" : ""}`;
  keys.set(definition, key);
  return key;
}
