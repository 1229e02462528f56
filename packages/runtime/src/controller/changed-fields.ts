/**
 * Which fields of an object changed: for the causes of reconciles, which people read in logs and tools. Looked at for nearly every update,
 * so it looks at each part of an object once.
 */
import {
  deepEqual,
  getKey,
  isJsonObject,
  type Json,
  type JsonObject,
  type KubernetesObject,
} from "@kubewright/core/meta";

/** More are not told. */
const FIELDS_MAX = 8;

/** Change with every write, so they tell nothing. */
const SILENT: ReadonlySet<string> = new Set(["resourceVersion", "managedFields", "generation"]);

/** "spec.size", "metadata.labels": the changed fields, two levels deep, in the object's order. */
export function changedFields(before: KubernetesObject, after: KubernetesObject): readonly string[] {
  const fields: string[] = [];
  for (const [field, left, right] of replaced(before as JsonObject, after as JsonObject)) {
    if (!isJsonObject(left) || !isJsonObject(right)) {
      if (!deepEqual(left, right)) fields.push(field);
      continue;
    }
    for (const [inner, innerLeft, innerRight] of replaced(left, right)) {
      if (field === "metadata" && SILENT.has(inner)) continue;
      if (!deepEqual(innerLeft, innerRight)) fields.push(`${field}.${inner}`);
    }
  }
  return fields.slice(0, FIELDS_MAX);
}

type Replaced = readonly [field: string, left: Json | undefined, right: Json | undefined];

/** The fields that are not one and the same value in both. */
function replaced(before: JsonObject, after: JsonObject): readonly Replaced[] {
  const fields: Replaced[] = [];
  for (const field in before) {
    const right = getKey(after, field);
    if (before[field] !== right) fields.push([field, before[field], right]);
  }
  for (const field in after) if (!Object.hasOwn(before, field)) fields.push([field, undefined, after[field]]);
  return fields;
}
