/** What changes in an object, as a plan compares and shows it: lines of YAML without what every write changes. Secrets stay secret. */
import { isJsonObject, type KubernetesObject } from "@kubewright/core/meta";
import { formatYaml } from "../project/yaml.ts";
import { changedLines } from "../scaffold/file-change.ts";

/** The lines that differ; none when nothing does. Of a Secret they tell which entries change, and no value. */
export function readableChange(before: KubernetesObject, after: KubernetesObject): readonly string[] {
  const [old, fresh] =
    after.kind === "Secret" ? [masked(before, after, "before"), masked(after, before, "after")] : [before, after];
  return changedLines(readable(old), readable(fresh));
}

/** The object with marks in the place of values, as `kubectl diff` has them: only those that differ say which side they are of. */
function masked(object: KubernetesObject, other: KubernetesObject, side: "before" | "after"): KubernetesObject {
  const [own, others] = [valuesOf(object), valuesOf(other)];
  const marks = Object.entries(own).map(([key, value]) => [key, value === others[key] ? "***" : `*** (${side})`]);
  const { [LAST_APPLIED]: _, ...annotations } = object.metadata?.annotations ?? {};
  return {
    ...object,
    metadata: { ...object.metadata, annotations },
    data: Object.fromEntries(marks),
  } as KubernetesObject;
}

/** kubectl keeps a copy of the whole object in it. */
const LAST_APPLIED = "kubectl.kubernetes.io/last-applied-configuration";

function valuesOf(object: KubernetesObject): Readonly<Record<string, unknown>> {
  const { data } = object as KubernetesObject & { readonly data?: unknown };
  return isJsonObject(data) ? data : {};
}

/** The YAML of an object. */
function readable(object: KubernetesObject): string {
  const {
    managedFields: _,
    resourceVersion: __,
    generation: ___,
    annotations = {},
    ...metadata
  } = object.metadata ?? {};
  const shown = Object.entries(annotations).filter(([key]) => !key.includes("kubewright"));
  return formatYaml({ ...object, metadata: { ...metadata, annotations: Object.fromEntries(shown) } });
}
