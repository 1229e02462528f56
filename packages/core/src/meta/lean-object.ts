/**
 * Objects without their managedFields, which are as large as many an object and hardly ever read. A storage that hands
 * objects over in memory keeps them lean and shows them whole: what it shows works managedFields out when they are read.
 * Caches, which keep no managedFields, take the lean object back. Always holds: a shown object says what its text would.
 */
import { isJsonObject, type Json, type JsonObject } from "./json.ts";

/** Who owns the fields of an object. */
export interface ManagedFields {
  readonly managedFields: Json | undefined;
}

/** What is shown of an object by its whole metadata. */
const shownByMetadata = new WeakMap<object, { readonly lean: object; readonly owners: ManagedFields }>();

/** The same for all: objects with a getter of their own each are slow. */
const MANAGED_FIELDS: PropertyDescriptor & ThisType<object> = {
  get() {
    return shownByMetadata.get(this)?.owners.managedFields;
  },
  enumerable: true,
};

/** A frozen, lean object with managedFields, which `owners` tells when somebody looks. */
export function showWhole(lean: JsonObject, owners: ManagedFields): JsonObject {
  const metadata = isJsonObject(lean["metadata"]) ? { ...lean["metadata"] } : {};
  Object.freeze(Object.defineProperty(metadata, "managedFields", MANAGED_FIELDS));
  shownByMetadata.set(metadata, { lean, owners });
  return Object.freeze({ ...lean, metadata });
}

/** The lean object that is shown; undefined for objects that were not made by `showWhole`. */
export function leanObject<Value extends object>(shown: Value): Value | undefined {
  const { metadata } = shown as { readonly metadata?: unknown };
  if (typeof metadata !== "object" || metadata === null) return undefined;
  return shownByMetadata.get(metadata)?.lean as Value | undefined; // `showWhole` differs from it in managedFields alone.
}
