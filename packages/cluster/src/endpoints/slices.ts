/**
 * The EndpointSlices of a service: from the pods behind it and the slices there are to the slices to write. Pure; slice-controller.ts
 * carries it out. An endpoint stays in the slice that it is in; new ones go where there is room, so that few slices change.
 */
import type { Node, Pod, Service } from "@kubewright/api/core/v1";
import type { Endpoint, EndpointPort, EndpointSlice } from "@kubewright/api/discovery/v1";
import { deepEqual } from "@kubewright/core/meta";
import { isPodReady, isPodTerminating } from "../workload/pod-state.ts";
import { hostnameUnder, isHeadless, podAddresses } from "./selected-pods.ts";
import { portsOf } from "./target-port.ts";

/** The most endpoints of one slice. */
export const ENDPOINTS_MAX = 100;

/** Who these slices belong to. */
export const MANAGED_BY = "endpointslice-controller.k8s.io";

const SERVICE_NAME_LABEL = "kubernetes.io/service-name";
const MANAGED_BY_LABEL = "endpointslice.kubernetes.io/managed-by";
const HEADLESS_LABEL = "service.kubernetes.io/headless";
const ZONE_LABEL = "topology.kubernetes.io/zone";

type AddressType = EndpointSlice["addressType"];

/** What there is. */
export interface SliceInput {
  readonly service: Service;
  readonly pods: readonly Pod[];
  /** The slices of the service that this controller manages. */
  readonly slices: readonly EndpointSlice[];
  nodeOf(name: string): Node | undefined;
}

/** What to write. New slices have no metadata but labels. */
export interface SliceChanges {
  readonly create: readonly EndpointSlice[];
  readonly update: readonly EndpointSlice[];
  readonly remove: readonly EndpointSlice[];
}

/** The writes that make the slices tell of the pods. */
export function planSlices(input: SliceInput): SliceChanges {
  const labels = sliceLabels(input.service);
  const wanted = addressTypesOf(input.service).flatMap((addressType) => groupsOf(input, addressType));
  const changes = wanted.map((group) => planGroup(group, input.slices, labels));
  const used = new Set(changes.flatMap(({ kept, update }) => [...kept, ...update].map(nameOf)));
  return {
    create: changes.flatMap(({ create }) => create),
    update: changes.flatMap(({ update }) => update),
    remove: input.slices.filter((slice) => !used.has(nameOf(slice))),
  };
}

/** The labels of every slice of a service: the service's own, and those that say whose slice it is. */
export function sliceLabels(service: Service): Readonly<Record<string, string>> {
  const { [HEADLESS_LABEL]: _, ...own } = service.metadata?.labels ?? {};
  return {
    ...own,
    ...(isHeadless(service) ? { [HEADLESS_LABEL]: "" } : {}),
    [SERVICE_NAME_LABEL]: service.metadata?.name ?? "",
    [MANAGED_BY_LABEL]: MANAGED_BY,
  };
}

/** True for slices of this controller. */
export function isManaged(slice: EndpointSlice): boolean {
  return slice.metadata?.labels?.[MANAGED_BY_LABEL] === MANAGED_BY;
}

/** Endpoints that share a slice: the same kind of address and the same ports. */
interface Group {
  readonly addressType: AddressType;
  readonly ports: readonly EndpointPort[];
  readonly endpoints: readonly Endpoint[];
}

function addressTypesOf({ spec }: Service): readonly AddressType[] {
  const families = spec?.ipFamilies ?? [];
  return families.length === 0 ? ["IPv4"] : families.map((family) => (family === "IPv6" ? "IPv6" : "IPv4"));
}

/** A service without endpoints has one empty slice, so that it can be told from one that was not looked at yet. */
function groupsOf({ service, pods, nodeOf }: SliceInput, addressType: AddressType): readonly Group[] {
  const groups = new Map<string, { ports: readonly EndpointPort[]; endpoints: Endpoint[] }>();
  for (const pod of pods) {
    const endpoint = endpointOf(service, pod, addressType);
    const ports = portsOf(service, pod);
    if (endpoint === undefined || (ports.length === 0 && !mayLackPorts(service))) continue;
    const key = JSON.stringify(ports);
    const group = groups.get(key) ?? { ports, endpoints: [] };
    group.endpoints.push(withZone(endpoint, nodeOf(pod.spec?.nodeName ?? "")));
    groups.set(key, group);
  }
  if (groups.size === 0) return [{ addressType, ports: [], endpoints: [] }];
  return Array.from(groups.values(), (group) => ({ addressType, ...group }));
}

function mayLackPorts({ spec }: Service): boolean {
  return (spec?.ports ?? []).length === 0 && spec?.clusterIP === "None";
}

function endpointOf(service: Service, pod: Pod, addressType: AddressType): Endpoint | undefined {
  const addresses = podAddresses(pod).filter((address) => address.includes(":") === (addressType === "IPv6"));
  if (addresses.length === 0) return undefined;
  const [serving, terminating] = [isPodReady(pod), isPodTerminating(pod)];
  const ready = service.spec?.publishNotReadyAddresses === true || (serving && !terminating);
  const { name = "", namespace = "", uid = "" } = pod.metadata ?? {};
  const hostname = hostnameUnder(service, pod);
  return {
    addresses,
    conditions: { ready, serving, terminating },
    ...(hostname === undefined ? {} : { hostname }),
    ...(pod.spec?.nodeName ? { nodeName: pod.spec.nodeName } : {}),
    targetRef: { kind: "Pod", namespace, name, uid },
  };
}

function withZone(endpoint: Endpoint, node: Node | undefined): Endpoint {
  const zone = node?.metadata?.labels?.[ZONE_LABEL];
  return zone === undefined || zone === "" ? endpoint : { ...endpoint, zone };
}

interface GroupChanges {
  readonly kept: readonly EndpointSlice[];
  readonly create: readonly EndpointSlice[];
  readonly update: readonly EndpointSlice[];
}

function planGroup(
  group: Group,
  slices: readonly EndpointSlice[],
  labels: Readonly<Record<string, string>>,
): GroupChanges {
  const { addressType, ports } = group;
  const missing = new Map(group.endpoints.map((endpoint) => [keyOf(endpoint), endpoint]));
  const existing = slices.filter((slice) => slice.addressType === addressType && deepEqual(slice.ports ?? [], ports));
  const trimmed = existing.map((slice) => ({ slice, endpoints: takeKnown(slice, missing) }));
  const fresh = [...missing.values()];
  const filled = trimmed.map(({ slice, endpoints }) => ({
    slice,
    endpoints: [...endpoints, ...fresh.splice(0, Math.max(0, ENDPOINTS_MAX - endpoints.length))],
  }));
  const isPlaceholder = group.endpoints.length === 0;
  const used = filled.filter(({ endpoints }, index) => endpoints.length > 0 || (isPlaceholder && index === 0));
  const next = used.map(({ slice, endpoints }) => ({ slice, next: rewritten(slice, endpoints, labels) }));
  return {
    kept: next.flatMap(({ slice, next: same }) => (same === slice ? [slice] : [])),
    update: next.flatMap(({ slice, next: changed }) => (changed === slice ? [] : [changed])),
    create: newSlices(group, fresh, isPlaceholder && used.length === 0, labels),
  };
}

/** The endpoints of a slice that are still wanted, as they are now; they are taken out of `missing`. */
function takeKnown({ endpoints = [] }: EndpointSlice, missing: Map<string, Endpoint>): readonly Endpoint[] {
  return endpoints.flatMap((endpoint) => {
    const key = keyOf(endpoint);
    const wanted = missing.get(key);
    missing.delete(key);
    return wanted ?? [];
  });
}

/** The slice itself when nothing about it changed. */
function rewritten(
  slice: EndpointSlice,
  endpoints: readonly Endpoint[],
  labels: Readonly<Record<string, string>>,
): EndpointSlice {
  if (deepEqual(slice.endpoints ?? [], endpoints) && deepEqual(slice.metadata?.labels ?? {}, labels)) return slice;
  return { ...slice, metadata: { ...slice.metadata, labels }, endpoints };
}

function newSlices(
  { addressType, ports }: Group,
  endpoints: readonly Endpoint[],
  withPlaceholder: boolean,
  labels: Readonly<Record<string, string>>,
): readonly EndpointSlice[] {
  const count = withPlaceholder ? 1 : Math.ceil(endpoints.length / ENDPOINTS_MAX);
  return Array.from({ length: count }, (_, index) => ({
    addressType,
    metadata: { labels },
    endpoints: endpoints.slice(index * ENDPOINTS_MAX, (index + 1) * ENDPOINTS_MAX),
    ports,
  }));
}

function keyOf({ targetRef, addresses }: Endpoint): string {
  return targetRef?.uid ?? addresses.join();
}

function nameOf({ metadata }: EndpointSlice): string {
  return metadata?.name ?? "";
}
