/** What an object counts for in quotas, and which quotas it counts in. Pure functions; resource-quota.ts does the rest. */
import type { PersistentVolumeClaim, Pod, PodAffinityTerm, ResourceQuota, Service } from "@kubewright/api/core/v1";
import { type LabelSelectorRequirement, quantityOf, selectorMatches } from "@kubewright/core/meta";
import type { ApiObject } from "../../resource/object.ts";
import { podResources, type ResourceList, resourceList } from "../../resource/resource-list.ts";

/** Resources that quotas count under a name of their own, beside `count/…`. */
const COUNTED: ReadonlySet<string> = new Set([
  "configmaps",
  "persistentvolumeclaims",
  "pods",
  "replicationcontrollers",
  "resourcequotas",
  "secrets",
  "services",
]);

const ONE = quantityOf(1);

/** What an object of a resource ("pods", "deployments.apps") uses. */
export function usageOf(resource: string, object: ApiObject): ResourceList {
  const counted: ResourceList = new Map([[`count/${resource}`, ONE]]);
  switch (resource) {
    case "pods":
      return new Map([...counted, ...podUsage(object as unknown as Pod)]);
    case "services":
      return new Map([...counted, ...serviceUsage(object as unknown as Service)]);
    case "persistentvolumeclaims":
      return new Map([...counted, ...claimUsage(object as unknown as PersistentVolumeClaim)]);
    default:
      return COUNTED.has(resource) ? new Map([...counted, [resource, ONE]]) : counted;
  }
}

/** Pods that are over count only as objects. */
function podUsage({ spec, status }: Pod): ResourceList {
  if (spec === undefined || status?.phase === "Failed" || status?.phase === "Succeeded") return new Map();
  const usage = new Map([["pods", ONE]]);
  for (const [name, amount] of podResources(spec, "requests")) {
    if (isComputeName(name)) usage.set(name, amount);
    usage.set(`requests.${name}`, amount);
  }
  for (const [name, amount] of podResources(spec, "limits")) {
    if (isComputeName(name)) usage.set(`limits.${name}`, amount);
  }
  return usage;
}

function isComputeName(name: string): boolean {
  return name === "cpu" || name === "memory" || name === "ephemeral-storage" || name.startsWith("hugepages-");
}

function serviceUsage({ spec }: Service): ResourceList {
  const ports = spec?.ports ?? [];
  const isBalanced = spec?.type === "LoadBalancer";
  const allocates = spec?.allocateLoadBalancerNodePorts !== false;
  const nodePorts = isBalanced && !allocates ? ports.filter(({ nodePort = 0 }) => nodePort !== 0) : ports;
  const usesNodePorts = isBalanced || spec?.type === "NodePort";
  return new Map([
    ["services", ONE],
    ["services.loadbalancers", quantityOf(isBalanced ? 1 : 0)],
    ["services.nodeports", quantityOf(usesNodePorts ? nodePorts.length : 0)],
  ]);
}

function claimUsage({ spec }: PersistentVolumeClaim): ResourceList {
  const storage = resourceList(spec?.resources?.requests).get("storage");
  const className = spec?.storageClassName ?? "";
  const usage = new Map([["persistentvolumeclaims", ONE]]);
  const byClass = `${className}.storageclass.storage.k8s.io`;
  if (className !== "") usage.set(`${byClass}/persistentvolumeclaims`, ONE);
  if (storage === undefined) return usage;
  usage.set("requests.storage", storage);
  if (className !== "") usage.set(`${byClass}/requests.storage`, storage);
  return usage;
}

/** Names of compute resources that every container must state when a quota limits them. */
const REQUIRED: ReadonlySet<string> = new Set([
  "cpu",
  "memory",
  "requests.cpu",
  "requests.memory",
  "limits.cpu",
  "limits.memory",
]);

/** What containers of a pod leave unsaid although `limited` names it: "cpu for: a,b; memory for: a". "" when nothing. */
export function unstatedResources({ spec }: Pod, limited: readonly string[]): string {
  const missing = new Map<string, string[]>();
  for (const { name, resources } of [...(spec?.containers ?? []), ...(spec?.initContainers ?? [])]) {
    const stated = statedNames(resources ?? {});
    for (const wanted of limited.filter((each) => REQUIRED.has(each) && !stated.has(each))) {
      missing.set(wanted, [...(missing.get(wanted) ?? []), name]);
    }
  }
  const sorted = [...missing].sort(([a], [b]) => (a < b ? -1 : 1));
  return sorted.map(([resource, names]) => `${resource} for: ${names.sort().join(",")}`).join("; ");
}

function statedNames({ requests = {}, limits = {} }: { requests?: object; limits?: object }): ReadonlySet<string> {
  return new Set([
    ...Object.keys(requests).flatMap((name) => [name, `requests.${name}`]),
    ...Object.keys(limits).map((name) => `limits.${name}`),
  ]);
}

/** Whether an object is in all scopes of a quota. */
export function isInScopes({ spec }: ResourceQuota, resource: string, object: ApiObject): boolean {
  const { scopes = [], scopeSelector } = spec ?? {};
  const selectors: readonly Selector[] = [
    ...scopes.map((scopeName) => ({ scopeName, operator: "Exists" })),
    ...((scopeSelector?.matchExpressions ?? []) as readonly Selector[]),
  ];
  if (selectors.length === 0) return true;
  if (resource === "pods") return selectors.every((selector) => isPodInScope(selector, object as unknown as Pod));
  return resource === "persistentvolumeclaims" && selectors.every((selector) => isClaimInScope(selector, object));
}

interface Selector {
  readonly scopeName: string;
  readonly operator: string;
  readonly values?: readonly string[];
}

function isPodInScope(selector: Selector, { spec }: Pod): boolean {
  switch (selector.scopeName) {
    case "Terminating":
      return isTerminating(spec);
    case "NotTerminating":
      return !isTerminating(spec);
    case "BestEffort":
      return isBestEffort(spec);
    case "NotBestEffort":
      return !isBestEffort(spec);
    case "PriorityClass":
      return matchesName(selector, spec?.priorityClassName ?? "");
    case "CrossNamespacePodAffinity":
      return affinityTerms(spec).some(
        ({ namespaces = [], namespaceSelector }) => namespaces.length > 0 || namespaceSelector != null,
      );
    default:
      return false;
  }
}

function isClaimInScope(selector: Selector, object: ApiObject): boolean {
  const { spec } = object as unknown as PersistentVolumeClaim;
  return selector.scopeName === "VolumeAttributesClass" && matchesName(selector, spec?.volumeAttributesClassName ?? "");
}

function matchesName({ scopeName, operator, values = [] }: Selector, name: string): boolean {
  const requirement = { key: scopeName, operator, values: [...values] } as LabelSelectorRequirement;
  return selectorMatches({ matchExpressions: [requirement] }, name === "" ? {} : { [scopeName]: name });
}

function isTerminating(spec: Pod["spec"]): boolean {
  return (spec?.activeDeadlineSeconds ?? -1) >= 0;
}

function isBestEffort(spec: Pod["spec"]): boolean {
  const containers = [...(spec?.containers ?? []), ...(spec?.initContainers ?? [])];
  return containers.every(
    ({ resources = {} }) =>
      Object.keys(resources.requests ?? {}).length === 0 && Object.keys(resources.limits ?? {}).length === 0,
  );
}

function affinityTerms(spec: Pod["spec"]): readonly PodAffinityTerm[] {
  const { podAffinity, podAntiAffinity } = spec?.affinity ?? {};
  return [podAffinity, podAntiAffinity].flatMap((affinity) => [
    ...(affinity?.requiredDuringSchedulingIgnoredDuringExecution ?? []),
    ...(affinity?.preferredDuringSchedulingIgnoredDuringExecution ?? []).map(({ podAffinityTerm }) => podAffinityTerm),
  ]);
}
