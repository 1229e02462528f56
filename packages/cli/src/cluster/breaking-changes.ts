/**
 * What a new CRD takes away from users of the installed one: fields that are gone, have another type, or must now be
 * given. Objects that are stored would lose data or be refused. Pure; `install` and `dev` print it.
 */
import type { Crd, StructuralSchema } from "@kubewright/core/schema";

/** The breaking changes, each in one line with its version and field. */
export function breakingChanges(installed: Crd, wanted: Crd): readonly string[] {
  return installed.spec.versions.flatMap(({ name, served, schema }) => {
    const next = wanted.spec.versions.find((version) => version.name === name);
    const title = `${wanted.spec.names.kind} ${name}`;
    if (next === undefined) return served ? [`${title}: the version is gone`] : [];
    const lines = compare(schema?.openAPIV3Schema ?? {}, next.schema?.openAPIV3Schema ?? {}, "");
    return lines.map((line) => `${title}: ${line}`);
  });
}

function compare(before: StructuralSchema, after: StructuralSchema, path: string): readonly string[] {
  if (before.type !== after.type && before.type !== undefined && after.type !== undefined) {
    return [`${path} was ${before.type} and is ${after.type} now`];
  }
  const known = new Set(before.required ?? []);
  const required = (after.required ?? [])
    .filter((name) => !known.has(name) && after.properties?.[name]?.default === undefined)
    .map((name) => `${join(path, name)} must be given now`);
  return [...required, ...compareProperties(before, after, path), ...compareItems(before, after, path)];
}

function compareProperties(before: StructuralSchema, after: StructuralSchema, path: string): readonly string[] {
  const open = after["x-kubernetes-preserve-unknown-fields"] === true || after.additionalProperties !== undefined;
  return Object.entries(before.properties ?? {}).flatMap(([name, schema]) => {
    const properties = after.properties ?? {};
    const next = Object.hasOwn(properties, name) ? properties[name] : undefined;
    if (next !== undefined) return compare(schema, next, join(path, name));
    return open ? [] : [`${join(path, name)} is gone; stored values of it are dropped`];
  });
}

function compareItems(before: StructuralSchema, after: StructuralSchema, path: string): readonly string[] {
  return before.items === undefined || after.items === undefined ? [] : compare(before.items, after.items, `${path}[]`);
}

function join(path: string, name: string): string {
  return path === "" ? name : `${path}.${name}`;
}
