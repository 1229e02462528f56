/**
 * What a namespace uses of what its quota limits. Pure: objects by resource go in, amounts by the quota's names come out;
 * controller.ts writes them.
 */
import type { PersistentVolumeClaim, Pod, ResourceQuota, Service } from "@kubewright/api/core/v1";
import { formatQuantity, type KubernetesObject, parseQuantity, type Quantity, quantityOf } from "@kubewright/core/meta";
import { isPodFinished } from "../workload/pod-state.ts";
import { podResources, type Quantities, sum } from "./pod-resources.ts";
import { isInScope, scopesOf } from "./scopes.ts";

const CLASS_SUFFIX = ".storageclass.storage.k8s.io/";
const counted = new Set(["configmaps", "secrets", "replicationcontrollers", "resourcequotas"]);
const one = quantityOf(1);
const zero = quantityOf(0);

/** The objects of the quota's namespace, by what storage calls their kind: "deployments.apps". */
export type ObjectsOf = (resource: string) => readonly KubernetesObject[];

/** The resource whose objects make up the usage of a limit. */
export function resourceOfLimit(name: string): string {
  if (name.startsWith("count/")) return name.slice("count/".length);
  if (counted.has(name)) return name;
  if (name === "services" || name.startsWith("services.")) return "services";
  if (name === "persistentvolumeclaims" || name === "requests.storage" || name.includes(CLASS_SUFFIX)) {
    return "persistentvolumeclaims";
  }
  return "pods";
}

/** Usage for each limit of the quota. */
export function quotaUsage(quota: ResourceQuota, objectsOf: ObjectsOf, now: number): Readonly<Record<string, string>> {
  const names = Object.keys(quota.spec?.hard ?? {});
  const resources = new Set(names.map(resourceOfLimit));
  const totals = new Map(
    Array.from(resources, (resource) => [resource, totalOf(quota, resource, objectsOf(resource), now)]),
  );
  return Object.fromEntries(
    names.map((name) => [name, formatQuantity(totals.get(resourceOfLimit(name))?.get(name) ?? zero)]),
  );
}

/** All that objects of one resource use. Scopes are about pods: a quota with scopes counts nothing else. */
function totalOf(
  quota: ResourceQuota,
  resource: string,
  objects: readonly KubernetesObject[],
  now: number,
): Quantities {
  const scopes = scopesOf(quota);
  const inScope = objects.filter(
    (object) =>
      scopes.length === 0 || (resource === "pods" && scopes.every((scope) => isInScope(object as Pod, scope))),
  );
  return inScope.map((object) => usageOf(resource, object, now)).reduce(sum, new Map());
}

function usageOf(resource: string, object: KubernetesObject, now: number): Quantities {
  const count: [string, Quantity][] = [
    [`count/${resource}`, one],
    [resource, one],
  ];
  switch (resource) {
    case "pods":
      return podUsage(object as Pod, now);
    case "services":
      return new Map([...count, ...serviceUsage(object as Service)]);
    case "persistentvolumeclaims":
      return new Map([...count, ...claimUsage(object as PersistentVolumeClaim)]);
    default:
      return new Map(count);
  }
}

/** A pod that ended, or should have, counts as an object and no more. */
function podUsage(pod: Pod, now: number): Quantities {
  const usage = new Map<string, Quantity>([["count/pods", one]]);
  if (isPodFinished(pod) || isOverdue(pod, now)) return usage;
  usage.set("pods", one);
  for (const [name, amount] of podResources(pod, "requests")) {
    usage.set(name, amount);
    usage.set(`requests.${name}`, amount);
  }
  for (const [name, amount] of podResources(pod, "limits")) usage.set(`limits.${name}`, amount);
  return usage;
}

function isOverdue({ metadata }: Pod, now: number): boolean {
  const { deletionTimestamp, deletionGracePeriodSeconds } = metadata ?? {};
  if (deletionTimestamp === undefined || deletionGracePeriodSeconds === undefined) return false;
  return now > Date.parse(deletionTimestamp) + deletionGracePeriodSeconds * 1000;
}

function serviceUsage({ spec }: Service): readonly [string, Quantity][] {
  const ports = spec?.ports ?? [];
  const isBalanced = spec?.type === "LoadBalancer";
  const explicit = isBalanced && spec?.allocateLoadBalancerNodePorts === false;
  const nodePorts = explicit ? ports.filter(({ nodePort }) => (nodePort ?? 0) !== 0) : ports;
  const hasNodePorts = isBalanced || spec?.type === "NodePort";
  return [
    ["services.loadbalancers", isBalanced ? one : zero],
    ["services.nodeports", quantityOf(hasNodePorts ? nodePorts.length : 0)],
  ];
}

function claimUsage({ spec }: PersistentVolumeClaim): readonly [string, Quantity][] {
  const requested = spec?.resources?.requests?.["storage"];
  const storage: [string, Quantity][] = requested === undefined ? [] : [["requests.storage", parseQuantity(requested)]];
  const storageClass = spec?.storageClassName;
  if (!storageClass) return storage;
  const perClass = [["persistentvolumeclaims", one] as const, ...storage];
  return [
    ...storage,
    ...perClass.map(([name, amount]): [string, Quantity] => [`${storageClass}${CLASS_SUFFIX}${name}`, amount]),
  ];
}
