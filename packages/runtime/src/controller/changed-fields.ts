/** Which fields of an object changed: for the causes of reconciles, which people read in logs and tools. */
import { deepEqual, type KubernetesObject } from "@kubewright/core/meta";

/** More are not told. */
const FIELDS_MAX = 8;

/** Change with every write, so they tell nothing. */
const SILENT: ReadonlySet<string> = new Set([
  "metadata.resourceVersion",
  "metadata.managedFields",
  "metadata.generation",
]);

/** "spec.size", "metadata.labels": the changed fields, two levels deep, in the object's order. */
export function changedFields(before: KubernetesObject, after: KubernetesObject): readonly string[] {
  const fields: string[] = [];
  for (const [field, left, right] of differences(before, after)) {
    if (!isFields(left) || !isFields(right)) fields.push(field);
    else for (const [inner] of differences(left, right)) fields.push(`${field}.${inner}`);
  }
  return fields.filter((field) => !SILENT.has(field)).slice(0, FIELDS_MAX);
}

type Fields = Readonly<Record<string, unknown>>;

function* differences(
  before: object,
  after: object,
): Iterable<readonly [field: string, left: unknown, right: unknown]> {
  const [left, right] = [before as Fields, after as Fields];
  for (const field of new Set([...Object.keys(left), ...Object.keys(right)])) {
    if (!deepEqual(left[field], right[field])) yield [field, left[field], right[field]];
  }
}

function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
