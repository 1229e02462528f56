/** Intersected objects become one object. Used by from-json-schema.ts. */
import type { StructuralSchema } from "./structural.ts";

/** A property to which two members give different schemas. */
export function conflictingProperty(members: readonly StructuralSchema[]): string | undefined {
  const seen = new Map<string, string>();
  for (const [name, property] of members.flatMap((member) => Object.entries(member.properties ?? {}))) {
    const text = JSON.stringify(property);
    if ((seen.get(name) ?? text) !== text) return name;
    seen.set(name, text);
  }
  return undefined;
}

/** One object with the properties of all; what is required by one is required. */
export function mergeObjects(members: readonly StructuralSchema[]): StructuralSchema {
  const required = [...new Set(members.flatMap((member) => member.required ?? []))];
  const properties = Object.fromEntries(members.flatMap((member) => Object.entries(member.properties ?? {})));
  const rules = members.flatMap((member) => member["x-kubernetes-validations"] ?? []);
  return {
    ...Object.assign({}, ...members),
    ...(required.length > 0 ? { required } : {}),
    properties,
    ...(rules.length > 0 ? { "x-kubernetes-validations": rules } : {}),
  };
}
