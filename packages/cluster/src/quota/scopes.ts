/** Which pods a quota with scopes counts. Pure. */
import type { Pod, ResourceQuota, ScopedResourceSelectorRequirement } from "@kubewright/api/core/v1";

type Requirement = ScopedResourceSelectorRequirement;

/** All scopes of a quota, as requirements. */
export function scopesOf({ spec }: ResourceQuota): readonly Requirement[] {
  const plain = (spec?.scopes ?? []).map((scopeName): Requirement => ({ scopeName, operator: "Exists" }));
  return [...plain, ...(spec?.scopeSelector?.matchExpressions ?? [])];
}

/** True when a pod is in a scope. */
export function isInScope(pod: Pod, requirement: Requirement): boolean {
  const isLimited = (pod.spec?.activeDeadlineSeconds ?? -1) >= 0;
  const isBestEffort = pod.status?.qosClass === "BestEffort";
  switch (requirement.scopeName) {
    case "Terminating":
      return isLimited;
    case "NotTerminating":
      return !isLimited;
    case "BestEffort":
      return isBestEffort;
    case "NotBestEffort":
      return !isBestEffort;
    case "PriorityClass":
      return matchesPriority(pod.spec?.priorityClassName ?? "", requirement);
    case "CrossNamespacePodAffinity":
      return crossesNamespaces(pod);
    default:
      return false;
  }
}

function matchesPriority(name: string, { operator, values = [] }: Requirement): boolean {
  switch (operator) {
    case "Exists":
      return name !== "";
    case "DoesNotExist":
      return name === "";
    case "In":
      return values.includes(name);
    case "NotIn":
      return !values.includes(name);
    default:
      return false;
  }
}

function crossesNamespaces({ spec }: Pod): boolean {
  const { podAffinity, podAntiAffinity } = spec?.affinity ?? {};
  const terms = [podAffinity, podAntiAffinity].flatMap((affinity) => [
    ...(affinity?.requiredDuringSchedulingIgnoredDuringExecution ?? []),
    ...(affinity?.preferredDuringSchedulingIgnoredDuringExecution ?? []).map(({ podAffinityTerm }) => podAffinityTerm),
  ]);
  return terms.some((term) => (term.namespaces ?? []).length > 0 || term.namespaceSelector !== undefined);
}
