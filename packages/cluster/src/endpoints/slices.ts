/**
 * The EndpointSlices of a service: from the pods behind it and the slices there are to the slices to write. Pure; slice-controller.ts
 * carries it out.
 */
import type { Node, Pod, Service } from "@kubewright/api/core/v1";
import type { Endpoint, EndpointPort, EndpointSlice } from "@kubewright/api/discovery/v1";
import { isPodReady, isPodTerminating } from "../workload/pod-state.ts";
import { hostnameUnder, isHeadless, podAddresses } from "./selected-pods.ts";
import { type AddressType, type EndpointGroup, planGroups, type SliceChanges } from "./slice-groups.ts";
import { portsOf } from "./target-port.ts";

/** Who these slices belong to. */
export const MANAGED_BY = "endpointslice-controller.k8s.io";

/** Names the service of a slice. */
export const SERVICE_NAME_LABEL = "kubernetes.io/service-name";

/** Names who keeps a slice. */
export const MANAGED_BY_LABEL = "endpointslice.kubernetes.io/managed-by";

const HEADLESS_LABEL = "service.kubernetes.io/headless";
const ZONE_LABEL = "topology.kubernetes.io/zone";

/** What there is. */
export interface SliceInput {
  readonly service: Service;
  readonly pods: readonly Pod[];
  /** The slices of the service that this controller manages. */
  readonly slices: readonly EndpointSlice[];
  nodeOf(name: string): Node | undefined;
}

/** The writes that make the slices tell of the pods. */
export function planSlices(input: SliceInput): SliceChanges {
  const groups = addressTypesOf(input.service).flatMap((addressType) => groupsOf(input, addressType));
  return planGroups(groups, input.slices, sliceLabels(input.service));
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

function addressTypesOf({ spec }: Service): readonly AddressType[] {
  const families = spec?.ipFamilies ?? [];
  return families.length === 0 ? ["IPv4"] : families.map((family) => (family === "IPv6" ? "IPv6" : "IPv4"));
}

/** A service without endpoints has one empty slice, so that it can be told from one that was not looked at yet. */
function groupsOf({ service, pods, nodeOf }: SliceInput, addressType: AddressType): readonly EndpointGroup[] {
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
