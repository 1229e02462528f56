/** The fields that no manager ever owns. */
import { type FieldSet, fieldSetOf } from "./field-set.ts";
import { fieldElement } from "./path-element.ts";

const PATHS: readonly (readonly string[])[] = [
  ["apiVersion"],
  ["kind"],
  ["metadata"],
  ...[
    "name",
    "namespace",
    "creationTimestamp",
    "selfLink",
    "uid",
    "clusterName",
    "generation",
    "managedFields",
    "resourceVersion",
  ].map((name) => ["metadata", name]),
];

/** What identifies an object or is the server's own: never part of anybody's fields. */
export const neverOwned: FieldSet = fieldSetOf(PATHS.map((path) => path.map(fieldElement)));

const names = new Set(PATHS.map((path) => path.join(" ")));

/** Whether nobody owns the field at these names. */
export function isNeverOwned(path: readonly string[]): boolean {
  return names.has(path.length === 1 ? (path[0] ?? "") : path.join(" "));
}
