/**
 * How a property is written in a CEL rule: names that are no CEL identifiers are escaped as Kubernetes does it, and CEL's
 * reserved words are wrapped.
 */

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
