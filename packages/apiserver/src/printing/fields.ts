/**
 * Reading fields of stored objects for printing, by dotted path. A field of another type than expected counts as
 * absent: a table shows what it can and never fails because of one odd object.
 */
import { getKey, isJsonArray, isJsonObject, type Json, type JsonObject } from "@kubewright/core/meta";

/** A value somewhere in an object; undefined when it is not there. */
export type Field = Json | undefined;

/** The value at a path such as "spec.template". */
export function valueAt(value: Field, path: string): Field {
  let found = value;
  for (const name of path.split(".")) {
    if (!isJsonObject(found)) return undefined;
    found = getKey(found, name);
  }
  return found ?? undefined;
}

/** The text at a path. @default "" */
export function textAt(value: Field, path: string, absent = ""): string {
  const found = valueAt(value, path);
  return typeof found === "string" && found !== "" ? found : absent;
}

/** The number at a path. @default 0 */
export function numberAt(value: Field, path: string, absent = 0): number {
  const found = valueAt(value, path);
  return typeof found === "number" || typeof found === "bigint" ? Number(found) : absent;
}

/** The flag at a path. @default false */
export function flagAt(value: Field, path: string, absent = false): boolean {
  const found = valueAt(value, path);
  return typeof found === "boolean" ? found : absent;
}

/** The list at a path; empty when it is none. */
export function listAt(value: Field, path: string): readonly Json[] {
  const found = valueAt(value, path);
  return isJsonArray(found) ? found : [];
}

/** The object at a path; empty when it is none. */
export function objectAt(value: Field, path: string): JsonObject {
  const found = valueAt(value, path);
  return isJsonObject(found) ? found : {};
}

/** The texts of a list at a path. */
export function textsAt(value: Field, path: string): readonly string[] {
  return listAt(value, path).filter((item) => typeof item === "string");
}

/** The first item of a list whose `type` is the given one. */
export function itemOfType(items: readonly Json[], type: string): Field {
  return items.find((item) => textAt(item, "type") === type);
}
