/**
 * What a strategic merge patch needs to know about a field: its strategy, its merge key and the schema below it. Read
 * from the two patch extensions that schemas of built-in kinds carry.
 */
import type { StructuralSchema } from "../schema/structural.ts";
import { patchFailed } from "./patch-error.ts";

/** How one field is patched. */
export interface FieldPatchRule {
  /** "merge" and "replace" matter; retainKeys alone changes nothing on the server. */
  readonly strategy: string;
  /** Empty for lists of scalars. */
  readonly mergeKey: string;
  /** The schema of the object, or of the list's elements. */
  readonly schema: StructuralSchema | undefined;
}

/** The rule for an object-valued field. */
export function objectFieldRule(schema: StructuralSchema | undefined, key: string): FieldPatchRule {
  const field = declaredField(schema, key);
  return { ...patchExtensions(field), schema: field };
}

/** The rule for a list-valued field. */
export function listFieldRule(schema: StructuralSchema | undefined, key: string): FieldPatchRule {
  const field = declaredField(schema, key);
  if (field.items === undefined) throw patchFailed("expected slice or array type, but got: struct");
  if (field.items.type === "array") throw patchFailed("unexpected slice of slice");
  return { ...patchExtensions(field), schema: field.items };
}

function declaredField(schema: StructuralSchema | undefined, key: string): StructuralSchema {
  const properties = schema?.properties;
  if (properties === undefined) {
    throw patchFailed("merging an object in json but data type is not struct, instead is: map");
  }
  const field = Object.hasOwn(properties, key) ? properties[key] : undefined;
  if (field === undefined) throw patchFailed(`unable to find api field ${JSON.stringify(key)}`);
  return field;
}

function patchExtensions(field: StructuralSchema): { strategy: string; mergeKey: string } {
  const strategies = (field["x-kubernetes-patch-strategy"] ?? "").split(",");
  const others = strategies.filter((strategy) => strategy !== "retainKeys");
  return { strategy: others[0] ?? "", mergeKey: field["x-kubernetes-patch-merge-key"] ?? "" };
}
