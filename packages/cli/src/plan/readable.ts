/** An object as a plan compares and shows it: YAML without what every write changes. */
import type { KubernetesObject } from "@kubewright/core/meta";
import { formatYaml } from "../project/yaml.ts";

/** The YAML of an object. */
export function readable(object: KubernetesObject): string {
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
