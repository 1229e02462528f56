/**
 * What stands anywhere in a schema, found once for each: every write asks, and schemas stay as they are. Rules and embedded
 * resources, which few kinds have, are looked for with it.
 */
import type { StructuralSchema } from "../schema/structural.ts";

/** Makes the question whether a schema, or one below it, is such that `holds`. Nobody looks into allOf and its like. */
export function schemaSearch(holds: (schema: StructuralSchema) => boolean): (schema: StructuralSchema) => boolean {
  const known = new WeakMap<StructuralSchema, boolean>();
  const search = (schema: StructuralSchema): boolean => {
    const before = known.get(schema);
    if (before !== undefined) return before;
    const found = holds(schema) || childrenOf(schema).some(search);
    known.set(schema, found);
    return found;
  };
  return search;
}

function childrenOf({ properties = {}, items, additionalProperties: values }: StructuralSchema): StructuralSchema[] {
  const others = [items, typeof values === "object" ? values : undefined];
  return [...Object.values(properties), ...others.filter((child) => child !== undefined)];
}
