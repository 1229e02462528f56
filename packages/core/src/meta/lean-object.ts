/**
 * Objects without their managedFields, which are as large as many an object and hardly ever read. A storage that hands
 * objects over in memory keeps them lean and shows them whole: what it shows works managedFields out when they are read.
 * Caches, which keep no managedFields, take the lean object back. Always holds: a shown object says what its text would.
 */
import { isJsonObject, type Json, type JsonObject } from "./json.ts";

const leanObjects = new WeakMap<object, object>();
const readers = new WeakMap<object, () => Json | undefined>();

/** The same for all: objects with a getter of their own each are slow. */
const MANAGED_FIELDS: PropertyDescriptor & ThisType<object> = {
  get() {
    return readers.get(this)?.();
  },
  enumerable: true,
};

/** A frozen, lean object with managedFields, which `read` tells when somebody looks. */
export function showWhole(lean: JsonObject, read: () => Json | undefined): JsonObject {
  const { resourceVersion, ...metadata } = isJsonObject(lean["metadata"]) ? lean["metadata"] : ({} as JsonObject);
  readers.set(Object.defineProperty(metadata, "managedFields", MANAGED_FIELDS), read);
  // As in the text, the version comes last.
  const shown = Object.freeze({ ...lean, metadata: Object.freeze(Object.assign(metadata, { resourceVersion })) });
  leanObjects.set(shown, lean);
  return shown;
}

/** The lean object that is shown; undefined for objects that were not made by `showWhole`. */
export function leanObject<Value extends object>(shown: Value): Value | undefined {
  return leanObjects.get(shown) as Value | undefined; // `showWhole` differs from it in managedFields alone.
}
