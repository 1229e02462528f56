/**
 * Tagged unions as structural schemas: one object with the fields of all variants, the tag as an enum, and CEL rules that
 * say which fields a variant needs and which it does not know. Used by from-union.ts, for z.discriminatedUnion.
 */
import { celName, isVisibleToCel, UNSEEN } from "./cel-name.ts";
import type { StructuralSchema, ValidationRule } from "./structural.ts";

/** The property that tells the variants apart: required in each, with values of its own. */
export function tagOf(variants: readonly StructuralSchema[]): string | undefined {
  const names = Object.keys(variants[0]?.properties ?? {});
  return names.find((name) => {
    const values = variants.flatMap((variant) => (isRequired(variant, name) ? tagValues(variant, name) : [undefined]));
    return values.every((value) => value !== undefined) && new Set(values).size === values.length;
  });
}

/** One object for all variants, or why there is none. */
export function mergeTaggedObjects(variants: readonly StructuralSchema[], tag: string): StructuralSchema | string {
  const properties = new Map<string, StructuralSchema>();
  for (const variant of variants) {
    for (const [name, property] of Object.entries(variant.properties ?? {})) {
      const known = properties.get(name);
      if (name !== tag && known !== undefined && JSON.stringify(known) !== JSON.stringify(property)) {
        return `field ${name} differs between the variants of a union; give it one schema or two names`;
      }
      properties.set(name, property);
    }
  }
  properties.set(tag, {
    ...variants[0]?.properties?.[tag],
    enum: variants.flatMap((variant) => tagValues(variant, tag)),
  });
  const required = [...properties.keys()].filter((name) => variants.every((variant) => isRequired(variant, name)));
  const varying = [...properties.keys()].filter((name) => !required.includes(name));
  const unseen = varying.find((name) => !isVisibleToCel(properties.get(name) ?? {}));
  if (unseen !== undefined) return `${unseen}: ${UNSEEN}`;
  return {
    type: "object",
    required: required.sort(),
    properties: Object.fromEntries(properties),
    ...(variants.some((variant) => variant["x-kubernetes-preserve-unknown-fields"])
      ? { "x-kubernetes-preserve-unknown-fields": true }
      : {}),
    "x-kubernetes-validations": variants.flatMap((variant) => rulesOf(variant, tag, varying)),
  };
}

/** A variant's own rules, and what it needs and does not know, each under the condition that the tag is its tag. */
// A field that every variant requires needs no rule: it is in the merged object's `required`.
function rulesOf(variant: StructuralSchema, tag: string, names: readonly string[]): ValidationRule[] {
  const values = tagValues(variant, tag).map((value) => JSON.stringify(value));
  const named = `${tag} is ${values.join(" or ")}`;
  const other = `!(self.${celName(tag)} in [${values.join(", ")}])`;
  const rules: ValidationRule[] = [];
  for (const name of names) {
    const known = Object.hasOwn(variant.properties ?? {}, name);
    const field = celName(name);
    if (!known)
      rules.push({ rule: `${other} || !has(self.${field})`, message: `${name} may not be set when ${named}` });
    else if (isRequired(variant, name)) {
      rules.push({ rule: `${other} || has(self.${field})`, message: `${name} is required when ${named}` });
    }
  }
  const own = (variant["x-kubernetes-validations"] ?? []).map((rule) => ({
    ...rule,
    rule: `${other} || (${rule.rule})`,
  }));
  return [...rules, ...own];
}

function isRequired(variant: StructuralSchema, name: string): boolean {
  return variant.required?.includes(name) ?? false;
}

function tagValues(variant: StructuralSchema, name: string): readonly unknown[] & StructuralSchema["enum"] {
  return variant.properties?.[name]?.enum ?? ([undefined] as never);
}
