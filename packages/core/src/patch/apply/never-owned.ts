/** The fields that no manager ever owns. */
import { type FieldSet, fieldSetOf } from "./field-set.ts";
import { fieldElement } from "./path-element.ts";

/** What identifies an object or is the server's own: never part of anybody's fields. */
export const neverOwned: FieldSet = fieldSetOf(
  [
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
  ].map((path) => path.map(fieldElement)),
);
