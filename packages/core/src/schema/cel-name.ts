/**
 * Properties in CEL rules: names that are no CEL identifiers are escaped as Kubernetes does it, CEL's reserved words are
 * wrapped, and fields without a type cannot be seen at all.
 */
import type { StructuralSchema } from "./structural.ts";

const RESERVED = new Set(
  "true false null in as break const continue else for function if import let loop package namespace return var void while".split(
    " ",
  ),
);

/** The identifier by which `self.…` reaches a property. */
export function celName(property: string): string {
  if (RESERVED.has(property)) return `__${property}__`;
  return property
    .replaceAll("__", "__underscores__")
    .replaceAll(".", "__dot__")
    .replaceAll("-", "__dash__")
    .replaceAll("/", "__slash__");
}

/** Why a field cannot stand in a rule, and what to do. */
export const UNSEEN =
  "rules cannot see a field without a type (z.unknown, preserveUnknown); use z.looseObject({}) there";

/** Whether CEL knows a property: what has a type is declared to it, lists and maps if their items are. */
export function isVisibleToCel(property: StructuralSchema): boolean {
  const { type, items, additionalProperties } = property;
  if (type === "array") return items !== undefined && isVisibleToCel(items);
  if (type === "object" && typeof additionalProperties === "object") return isVisibleToCel(additionalProperties);
  return type !== undefined || property["x-kubernetes-int-or-string"] === true;
}
