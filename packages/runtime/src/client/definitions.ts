/**
 * Definitions for objects without a type of their own: kinds known only at run time, and the metadata-only view of any
 * kind. Both are ordinary resource definitions, so the client, caches and controllers take them like any other.
 */
import {
  type JsonObject,
  type KubernetesObject,
  leanObject,
  type ObjectMeta,
  type ResourceDefinition,
} from "@kubewright/core/meta";

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

/** An object as a server shows it to whoever asks for metadata only. What a server in this process shows is made lean, as caches keep it. */
export function toMetadataObject(object: KubernetesObject): MetadataObject {
  const { metadata = {} } = leanObject(object) ?? object;
  return { apiVersion: "meta.k8s.io/v1", kind: "PartialObjectMetadata", metadata };
}

/** What both views of a kind are known by in maps. */
export interface ViewKeys {
  readonly whole: string;
  readonly metadata: string;
}

/** Definitions last as long as the program, and each request and each look into a cache asks for their key. */
const keys = new WeakMap<AnyDefinition, ViewKeys>();

/** Identifies a kind in maps; a metadata-only view is another kind than the whole. */
export function definitionKey(definition: AnyDefinition): string {
  return isMetadataOnly(definition) ? viewKeys(definition).metadata : viewKeys(definition).whole;
}

/** The keys of both views of a kind, whichever the definition is of. */
export function viewKeys(definition: AnyDefinition): ViewKeys {
  const known = keys.get(definition);
  if (known !== undefined) return known;
  const whole = `${definition.group}/${definition.version}/${definition.kind}`;
  const views = { whole, metadata: `${whole}#metadata` };
  keys.set(definition, views);
  return views;
}
