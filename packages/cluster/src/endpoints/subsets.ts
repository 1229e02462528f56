/** The Endpoints object of a service, the older form of its EndpointSlices. Pure; endpoints-controller.ts writes it. */
import type { EndpointAddress, EndpointPort, EndpointSubset, Pod, Service } from "@kubewright/api/core/v1";
import { isPodReady } from "../workload/pod-state.ts";
import { hostnameUnder, podAddresses } from "./selected-pods.ts";
import { portsOf } from "./target-port.ts";

/** The most addresses in one Endpoints object; more are left out, those that are not ready first. */
export const ADDRESSES_MAX = 1000;

/** Addresses with the same ports make one subset; an address that is ready for some ports only is in several. */
export function subsetsOf(service: Service, pods: readonly Pod[]): readonly EndpointSubset[] {
  const groups = new Map<
    string,
    { ports: readonly EndpointPort[]; ready: EndpointAddress[]; others: EndpointAddress[] }
  >();
  for (const pod of pods) {
    const address = addressOf(service, pod);
    const ports = portsOf(service, pod).map(withoutEmptyName).toSorted(byText);
    if (address === undefined || (ports.length === 0 && (service.spec?.ports ?? []).length > 0)) continue;
    const group = groups.get(JSON.stringify(ports)) ?? { ports, ready: [], others: [] };
    groups.set(JSON.stringify(ports), group);
    const isReady = isPodReady(pod) || service.spec?.publishNotReadyAddresses === true;
    (isReady ? group.ready : group.others).push(address);
  }
  return Array.from(groups.values(), toSubset).toSorted(byText);
}

function toSubset({
  ports,
  ready,
  others,
}: {
  readonly ports: readonly EndpointPort[];
  readonly ready: readonly EndpointAddress[];
  readonly others: readonly EndpointAddress[];
}): EndpointSubset {
  const addresses = ready.toSorted(byAddress).slice(0, ADDRESSES_MAX);
  const notReadyAddresses = others.toSorted(byAddress).slice(0, ADDRESSES_MAX - addresses.length);
  return {
    ...(addresses.length === 0 ? {} : { addresses }),
    ...(notReadyAddresses.length === 0 ? {} : { notReadyAddresses }),
    ...(ports.length === 0 ? {} : { ports }),
  };
}

/** Of several addresses, the first of the service's family. */
function addressOf(service: Service, pod: Pod): EndpointAddress | undefined {
  const isIPv6 = service.spec?.ipFamilies?.[0] === "IPv6";
  const ip = podAddresses(pod).find((address) => address.includes(":") === isIPv6);
  if (ip === undefined) return undefined;
  const { name = "", namespace = "", uid = "" } = pod.metadata ?? {};
  const hostname = hostnameUnder(service, pod);
  return {
    ip,
    ...(hostname === undefined ? {} : { hostname }),
    ...(pod.spec?.nodeName ? { nodeName: pod.spec.nodeName } : {}),
    targetRef: { kind: "Pod", namespace, name, uid },
  };
}

function withoutEmptyName({
  name,
  port = 0,
  ...rest
}: {
  name?: string;
  port?: number;
  protocol?: string;
}): EndpointPort {
  return { ...(name === undefined || name === "" ? {} : { name }), port, ...rest } as EndpointPort;
}

function byText(left: object, right: object): number {
  return JSON.stringify(left) < JSON.stringify(right) ? -1 : 1;
}

function byAddress(left: EndpointAddress, right: EndpointAddress): number {
  return left.ip < right.ip ? -1 : 1;
}
