/**
 * Stored entries as a version of their kind shows them. Nearly always the stored text is already that; it is not when
 * another version was stored, or when the schema got new defaults since.
 */

import { apiVersionOf } from "@kubewright/core/meta";
import { type ApiObject, decodeObject, encodeObject, withFields, withMetadata } from "../resource/object.ts";
import type { ServedResource } from "../resource/resource.ts";
import type { StoredEntry } from "../storage/storage.ts";

/** True when the stored text is what this version shows. */
export function isCurrent({ textStart, definition, schemaRevision = 0 }: ServedResource, entry: StoredEntry): boolean {
  if (entry.revision <= schemaRevision) return false;
  const { value } = entry;
  return value === undefined
    ? entry.text.startsWith(textStart)
    : value.object["apiVersion"] === apiVersionOf(definition);
}

/** The object without managedFields, where storage holds it in the resource's version; undefined otherwise. */
export function heldObject(resource: ServedResource, entry: StoredEntry): ApiObject | undefined {
  return entry.value !== undefined && isCurrent(resource, entry) ? (entry.value.object as ApiObject) : undefined;
}

/** The texts of entries in the resource's version. */
export async function presentTexts(
  resource: ServedResource,
  entries: readonly StoredEntry[],
): Promise<readonly string[]> {
  const converted = await presentObjects(resource, entries);
  return entries.map((entry) => {
    const object = converted.get(entry);
    return object === undefined ? entry.text : encodeObject(object, entry.revision);
  });
}

/** The objects of those entries that are not in the resource's version, in it; all of them are converted at once. */
export async function presentObjects(
  resource: ServedResource,
  entries: readonly StoredEntry[],
): Promise<ReadonlyMap<StoredEntry, ApiObject>> {
  const outdated = entries.filter((entry) => !isCurrent(resource, entry));
  const objects = outdated.length === 0 ? [] : await presentOutdated(resource, outdated);
  return new Map(outdated.flatMap((entry, index) => (objects[index] === undefined ? [] : [[entry, objects[index]]])));
}

/** The object of one entry in the resource's version. */
export async function presentObject(resource: ServedResource, entry: StoredEntry): Promise<ApiObject> {
  if (isCurrent(resource, entry)) return wholeObject(entry);
  const [object] = await presentOutdated(resource, [entry]);
  return object ?? wholeObject(entry);
}

/** The object of an entry as it is stored, with managedFields. */
export function wholeObject(entry: StoredEntry): ApiObject {
  const { value } = entry;
  if (value === undefined) return decodeObject(entry.text);
  return withMetadata(value.object as ApiObject, { managedFields: value.owners.managedFields });
}

/** The object of a held entry in the resource's version, without managedFields; undefined when it is not held. */
export async function presentHeld(resource: ServedResource, entry: StoredEntry): Promise<ApiObject | undefined> {
  if (entry.value === undefined || isCurrent(resource, entry)) return heldObject(resource, entry);
  const { given } = entry.value;
  if (given !== undefined && given["apiVersion"] === apiVersionOf(resource.definition)) return given as ApiObject;
  const [object] = await toServedVersion(resource, [entry.value.object as ApiObject]);
  return object;
}

/** An object in the version that is stored. */
export function toStorageVersion(resource: ServedResource, object: ApiObject): ApiObject | Promise<ApiObject> {
  if (object.apiVersion === resource.storageApiVersion) return object;
  return convertObjects(resource, [object], resource.storageApiVersion).then(([converted]) => converted ?? object);
}

async function presentOutdated(
  resource: ServedResource,
  entries: readonly StoredEntry[],
): Promise<readonly ApiObject[]> {
  return toServedVersion(resource, entries.map(wholeObject));
}

async function toServedVersion(resource: ServedResource, objects: readonly ApiObject[]): Promise<readonly ApiObject[]> {
  await resource.strategy.load?.();
  const converted = await convertObjects(resource, objects, apiVersionOf(resource.definition));
  if (resource.convertsDefaults === true) return converted;
  return converted.map((object) => resource.strategy.applyDefaults?.(object) ?? object);
}

async function convertObjects(
  resource: ServedResource,
  objects: readonly ApiObject[],
  apiVersion: string,
): Promise<readonly ApiObject[]> {
  if (resource.convert !== undefined) return resource.convert(objects, apiVersion);
  return objects.map((object) => withFields(object, { apiVersion }));
}
