/**
 * Objects inside the API server: JSON with the metadata that every stored object has. Endpoints decode them, the
 * registry changes copies of them (never the objects themselves), storage keeps what `encodeObject` makes of them.
 */
import { type JsonObject, type MutableJsonObject, parseJson, setKey, stringifyJson } from "@kubewright/core/meta";

/** An owner of an object. */
export interface OwnerReferenceJson extends JsonObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  readonly uid: string;
  readonly controller?: boolean;
  readonly blockOwnerDeletion?: boolean;
}

/** Metadata as JSON. */
export interface Metadata extends JsonObject {
  readonly name?: string;
  readonly generateName?: string;
  readonly namespace?: string;
  readonly uid?: string;
  readonly resourceVersion?: string;
  readonly generation?: number;
  readonly creationTimestamp?: string;
  readonly deletionTimestamp?: string;
  readonly deletionGracePeriodSeconds?: number;
  readonly labels?: { readonly [key: string]: string };
  readonly annotations?: { readonly [key: string]: string };
  readonly ownerReferences?: readonly OwnerReferenceJson[];
  readonly finalizers?: readonly string[];
  readonly managedFields?: readonly JsonObject[];
}

/** Any object of the API. */
export interface ApiObject extends JsonObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: Metadata;
}

/** The object with other metadata; `undefined` removes a field. The same object when that changes nothing. */
export function withMetadata(object: ApiObject, changes: JsonObject): ApiObject {
  const metadata = changed(object.metadata, changes);
  return metadata === object.metadata ? object : { ...object, metadata: metadata as Metadata };
}

/** The object with other top-level fields; `undefined` removes one. The same object when that changes nothing. */
export function withFields(object: ApiObject, changes: JsonObject): ApiObject {
  return changed(object, changes) as ApiObject;
}

/** Never deletes a key of what it makes: objects that lost one are slow from then on. */
function changed(before: JsonObject, changes: JsonObject): JsonObject {
  let differs = false;
  let removes = false;
  for (const key in changes) {
    const value = changes[key];
    if (before[key] === value) continue; // What an object inherits is no JSON.
    differs = true;
    removes ||= value === undefined;
  }
  if (!differs) return before;
  const after: MutableJsonObject = removes ? without(before, changes) : { ...before };
  for (const key in changes) if (changes[key] !== undefined) setKey(after, key, changes[key]);
  return after;
}

/** The object without the fields that `changes` has as undefined. */
function without(object: JsonObject, changes: JsonObject): MutableJsonObject {
  const rest: MutableJsonObject = {};
  for (const key of Object.keys(object)) {
    const goes = Object.hasOwn(changes, key) && changes[key] === undefined;
    if (!goes && object[key] !== undefined) setKey(rest, key, object[key]);
  }
  return rest;
}

/**
 * The object as JSON text at `revision` (0: without one). The text always starts with apiVersion, kind and metadata, in this order,
 * and resourceVersion is the last field of metadata: `itemText` and the fast paths of lists rely on the start.
 */
export function encodeObject(object: ApiObject, revision: number): string {
  const { apiVersion, kind, metadata, ...rest } = object;
  const { resourceVersion: _, ...otherMetadata } = metadata;
  const metadataText = stringifyJson(otherMetadata);
  const comma = metadataText === "{}" ? "" : ",";
  const version = revision === 0 ? "" : `${comma}"resourceVersion":"${revision}"`;
  const restText = stringifyJson(rest);
  const tail = restText === "{}" ? "}" : `,${restText.slice(1)}`;
  return `${objectStart(apiVersion, kind)}"metadata":${metadataText.slice(0, -1)}${version}}${tail}`;
}

const NO_OWNERS: JsonObject = { managedFields: undefined };

/** What `encodeObject` writes, as a value, without managedFields. */
export function leanObjectAt(object: ApiObject, revision: number): ApiObject {
  const { metadata } = object.metadata.managedFields === undefined ? object : withMetadata(object, NO_OWNERS);
  return { ...object, metadata: { ...metadata, resourceVersion: String(revision) } };
}

/** How the text of every encoded object of a kind starts. */
export function objectStart(apiVersion: string, kind: string): string {
  return `{"apiVersion":${JSON.stringify(apiVersion)},"kind":${JSON.stringify(kind)},`;
}

/** The object of a stored text. */
export function decodeObject(text: string): ApiObject {
  return parseJson(text) as ApiObject; // Only `encodeObject` writes stored texts.
}
