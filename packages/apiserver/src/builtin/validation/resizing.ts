/** What is wrong with what a container says of being resized. */
import type { ContainerResizePolicy } from "@kubewright/api/core/v1";
import {
  type FieldError,
  fieldDuplicate,
  fieldInvalid,
  fieldNotSupported,
  fieldRequired,
} from "@kubewright/core/protocol";

const RESOURCES = ["cpu", "memory"];
const POLICIES = ["NotRequired", "RestartContainer"];

/** The policies of a container in a pod that is restarted as `restartPolicy` says. */
export function validateResizePolicies(
  field: string,
  policies: readonly ContainerResizePolicy[],
  restartPolicy: string | undefined,
): FieldError[] {
  const seen = new Set<string>();
  return policies.flatMap(({ resourceName = "", restartPolicy: own = "" }, index) => {
    const isRepeated = seen.has(resourceName);
    seen.add(resourceName);
    return [
      ...(isRepeated ? [fieldDuplicate(`${field}[${index}]`, resourceName)] : []),
      ...validateAmong(field, resourceName, RESOURCES),
      ...validateAmong(field, own, POLICIES),
      ...(restartPolicy === "Never" && own !== "NotRequired"
        ? [fieldInvalid(field, own, "must be 'NotRequired' when pod `restartPolicy` is 'Never'")]
        : []),
    ];
  });
}

function validateAmong(field: string, value: string, supported: readonly string[]): FieldError[] {
  if (value === "") return [fieldRequired(field)];
  return supported.includes(value) ? [] : [fieldNotSupported(field, value, supported)];
}
