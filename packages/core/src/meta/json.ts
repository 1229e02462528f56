/**
 * JSON values as Kubernetes sees them. Objects are plain objects whose *own* keys are the data: "__proto__" and
 * "constructor" are ordinary keys, so reading goes through `getKey` and writing an unknown key through `setKey`.
 * Integers beyond 2^53 are bigints; every other number is a number.
 */

/** Any JSON value. */
export type Json = null | boolean | number | bigint | string | readonly Json[] | JsonObject;

/** A JSON object. */
export interface JsonObject {
  readonly [key: string]: Json | undefined;
}

/** A JSON object being built. */
export interface MutableJsonObject {
  [key: string]: Json | undefined;
}

/** True for JSON objects: not null, not a list. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** True for JSON lists, keeping the element type. */
export function isJsonArray(value: unknown): value is readonly Json[] {
  return Array.isArray(value);
}

/** The value at an own key; never something inherited. */
export function getKey(object: JsonObject, key: string): Json | undefined {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}

/** Sets an own key, "__proto__" included. */
export function setKey(object: MutableJsonObject, key: string, value: Json | undefined): void {
  if (key === "__proto__") {
    Object.defineProperty(object, key, { value, enumerable: true, configurable: true, writable: true });
  } else {
    object[key] = value;
  }
}

/** The object without keys whose value is undefined, in a copy: an object that lost a key is slow from then on. */
export function withoutUndefined(object: JsonObject): JsonObject {
  const defined: MutableJsonObject = {};
  for (const key of Object.keys(object)) if (object[key] !== undefined) setKey(defined, key, object[key]);
  return defined;
}
