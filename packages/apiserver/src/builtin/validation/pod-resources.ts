/** Resources of a pod as a whole, beside those of its containers: what is filled in, and what is wrong with them. */
import type { PodSpec, ResourceRequirements } from "@kubewright/api/core/v1";
import { compareQuantities, formatQuantity, type JsonObject } from "@kubewright/core/meta";
import { type FieldError, fieldForbidden, fieldInvalid, fieldNotSupported } from "@kubewright/core/protocol";
import { containerResources, resourceList } from "../../resource/resource-list.ts";
import { validateResources } from "./resources.ts";

const SUPPORTED = ["cpu", "hugepages-", "memory"];

function isSupported(name: string): boolean {
  return name === "cpu" || name === "memory" || name.startsWith("hugepages-");
}

/** A pod with limits of its own asks for what its containers do, or else for all that it may have. */
export function withPodRequests(spec: JsonObject): JsonObject {
  const pod = spec as unknown as PodSpec;
  const { limits, requests } = (pod.resources ?? {}) as ResourceRequirements;
  if (Object.keys(limits ?? {}).length === 0) return spec;
  const ofContainers = [...containerResources(pod, "requests")]
    .filter(([name]) => name === "cpu" || name === "memory")
    .map(([name, amount]) => [name, formatQuantity(amount)]);
  const ofLimits = Object.entries(limits ?? {}).filter(([name]) => isSupported(name));
  const filled = { ...Object.fromEntries(ofLimits), ...Object.fromEntries(ofContainers), ...requests };
  return { ...spec, resources: { ...pod.resources, requests: filled } as unknown as JsonObject };
}

/** What is wrong with the resources of a pod. */
export function validatePodResources(field: string, spec: PodSpec): FieldError[] {
  const { resources, os } = spec;
  if (resources == null) return [];
  const at = `${field}.resources`;
  if (os?.name === "windows") return [fieldForbidden(at, "may not be set for a windows pod")];
  const unsupported = (["limits", "requests"] as const).flatMap((which) =>
    Object.keys(resources[which] ?? {})
      .filter((name) => !isSupported(name))
      .map((name) => fieldNotSupported(`${at}.${which}[${name}]`, name, SUPPORTED)),
  );
  return [
    ...(resources.claims == null
      ? []
      : [fieldForbidden(`${at}.claims`, "claims may not be set for Resources at pod-level")]),
    ...(unsupported.length > 0 ? unsupported : validateResources(at, resources)),
    ...validateEnough(at, spec),
    ...validateContainerLimits(at, spec),
  ];
}

function validateEnough(field: string, spec: PodSpec): FieldError[] {
  const own = resourceList(spec.resources?.requests);
  return [...containerResources(spec, "requests")].flatMap(([name, sum]) => {
    const asked = own.get(name);
    if (asked === undefined || compareQuantities(sum, asked) <= 0) return [];
    const detail = `must be greater than or equal to aggregate container requests of ${formatQuantity(sum)}`;
    return [fieldInvalid(`${field}.requests[${name}]`, formatQuantity(asked), detail)];
  });
}

function validateContainerLimits(field: string, spec: PodSpec): FieldError[] {
  const own = resourceList(spec.resources?.limits);
  return (spec.containers ?? []).flatMap(({ resources }, index) =>
    [...resourceList(resources?.limits)].flatMap(([name, limit]) => {
      const most = own.get(name);
      if (most === undefined || compareQuantities(limit, most) <= 0) return [];
      const detail = `must be less than or equal to pod limits of ${formatQuantity(most)}`;
      return [fieldInvalid(`${field}.containers[${index}][${name}].limits`, formatQuantity(limit), detail)];
    }),
  );
}
