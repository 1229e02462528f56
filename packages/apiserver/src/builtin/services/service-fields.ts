/**
 * The fields of a Service that hang together: what a type needs, what is kept when a client leaves it out of an update,
 * and what goes when the type changes. Pure.
 */
import type { Service, ServicePort, ServiceSpec } from "@kubewright/api/core/v1";
import { deepEqual } from "@kubewright/core/meta";
import type { ApiObject } from "../../resource/object.ts";
import { asJson } from "../validation/fields.ts";

/** The spec of a Service, whose defaults are filled in. */
export function specOf(object: ApiObject): ServiceSpec {
  return (object as unknown as Service).spec ?? {};
}

/** Every type but ExternalName has an address, be it "None". */
export function needsClusterIp({ type }: ServiceSpec): boolean {
  return type !== "ExternalName";
}

/** Types that are reached by ports of nodes. */
export function needsNodePort({ type, allocateLoadBalancerNodePorts: allocates }: ServiceSpec): boolean {
  return type === "NodePort" || (type === "LoadBalancer" && allocates !== false);
}

/** Load balancers that send only to nodes with endpoints ask the nodes for them. */
export function needsHealthCheck({ type, externalTrafficPolicy }: ServiceSpec): boolean {
  return type === "LoadBalancer" && externalTrafficPolicy === "Local";
}

/** Reached from outside, by whatever means. */
export function isExternallyAccessible({ type, externalIPs = [] }: ServiceSpec): boolean {
  return type === "LoadBalancer" || type === "NodePort" || (type === "ClusterIP" && externalIPs.length > 0);
}

/** Without an address of its own. */
export function isHeadless({ clusterIPs = [] }: ServiceSpec): boolean {
  return clusterIPs.length === 1 && clusterIPs[0] === "None";
}

/** What a Service has of the stock. */
export interface Allocations {
  readonly addresses: readonly string[];
  readonly ports: readonly number[];
}

/** What a stored Service has taken. */
export function allocationsOf(object: ApiObject): Allocations {
  const spec = specOf(object);
  const { clusterIPs = [], ports = [], healthCheckNodePort = 0 } = spec;
  return {
    addresses: needsClusterIp(spec) ? clusterIPs.filter((address) => address !== "" && address !== "None") : [],
    ports: [...new Set([...ports.map(({ nodePort = 0 }) => nodePort), healthCheckNodePort])].filter((port) => port > 0),
  };
}

/** An update with the allocations that the client left out. */
export function keepAllocations(next: ServiceSpec, current: ServiceSpec): ServiceSpec {
  return {
    ...next,
    ...(needsClusterIp(current) && needsClusterIp(next) ? keptAddresses(next, current) : {}),
    ...(needsNodePort(current) && needsNodePort(next)
      ? { ports: keptPorts(next.ports ?? [], current.ports ?? []) }
      : {}),
    ...(needsHealthCheck(current) && needsHealthCheck(next) && (next.healthCheckNodePort ?? 0) === 0
      ? pick(current, "healthCheckNodePort")
      : {}),
  };
}

function keptAddresses(next: ServiceSpec, current: ServiceSpec): ServiceSpec {
  return {
    ...((next.clusterIP ?? "") === "" ? pick(current, "clusterIP") : {}),
    ...((next.clusterIPs ?? []).length === 0 && (next.clusterIP ?? "") === "" ? pick(current, "clusterIPs") : {}),
  };
}

function keptPorts(next: readonly ServicePort[], current: readonly ServicePort[]): readonly ServicePort[] {
  const used = new Set(next.map(({ nodePort = 0 }) => nodePort));
  return next.map((port) => {
    if ((port.nodePort ?? 0) !== 0) return port;
    const before = current.find((other) => other.port === port.port && other.protocol === port.protocol);
    const nodePort = before?.nodePort ?? 0;
    if (nodePort === 0 || used.has(nodePort)) return port;
    used.add(nodePort);
    return { ...port, nodePort };
  });
}

/** `clusterIP` and `clusterIPs` say the same; whoever changes one need not change the other. */
export function alignAddresses(next: ServiceSpec, current: ServiceSpec | undefined): ServiceSpec {
  const { clusterIP = "", clusterIPs = [] } = next;
  if (current === undefined) {
    return clusterIP !== "" && clusterIPs.length === 0 ? { ...next, clusterIPs: [clusterIP] } : next;
  }
  const changed = clusterIP !== (current.clusterIP ?? "");
  const listChanged = !deepEqual(asJson(clusterIPs), asJson(current.clusterIPs ?? []));
  if (!changed || (listChanged && clusterIPs.length > 0)) {
    return clusterIP !== "" && clusterIPs.length === 0 ? { ...next, clusterIPs: [clusterIP] } : next;
  }
  return { ...next, clusterIPs: clusterIP === "" ? [] : [clusterIP] };
}

/** An update without what the server had set for the former type and nobody changed. */
export function dropForeignFields(next: ServiceSpec, current: ServiceSpec): ServiceSpec {
  const isSame = (name: keyof ServiceSpec): boolean => deepEqual(asJson(next[name]), asJson(current[name]));
  const dropped = new Set<keyof ServiceSpec>();
  if (needsClusterIp(current) && !needsClusterIp(next)) {
    if (isSame("clusterIP") && isSame("clusterIPs")) dropped.add("clusterIP").add("clusterIPs");
    if (isSame("ipFamilies")) dropped.add("ipFamilies");
    if (isSame("ipFamilyPolicy")) dropped.add("ipFamilyPolicy");
    if (isSame("internalTrafficPolicy")) dropped.add("internalTrafficPolicy");
  }
  if (needsHealthCheck(current) && !needsHealthCheck(next) && isSame("healthCheckNodePort")) {
    dropped.add("healthCheckNodePort");
  }
  if (current.type === "LoadBalancer" && next.type !== "LoadBalancer") {
    if (isSame("allocateLoadBalancerNodePorts")) dropped.add("allocateLoadBalancerNodePorts");
    if (isSame("loadBalancerClass")) dropped.add("loadBalancerClass");
  }
  if (isExternallyAccessible(current) && !isExternallyAccessible(next) && isSame("externalTrafficPolicy")) {
    dropped.add("externalTrafficPolicy");
  }
  const kept = Object.fromEntries(
    Object.entries(next).filter(([name]) => !dropped.has(name as keyof ServiceSpec)),
  ) as ServiceSpec;
  return needsNodePort(current) && !needsNodePort(next) ? withoutNodePorts(kept, current) : kept;
}

function withoutNodePorts(spec: ServiceSpec, current: ServiceSpec): ServiceSpec {
  const before = new Set((current.ports ?? []).map(({ nodePort = 0 }) => nodePort));
  const isUnchanged = (spec.ports ?? []).every(({ nodePort = 0 }) => nodePort === 0 || before.has(nodePort));
  if (!isUnchanged || spec.ports === undefined) return spec;
  return { ...spec, ports: spec.ports.map(({ nodePort: _, ...port }) => port) };
}

function pick(spec: ServiceSpec, name: keyof ServiceSpec): ServiceSpec {
  return spec[name] === undefined ? {} : { [name]: spec[name] };
}
