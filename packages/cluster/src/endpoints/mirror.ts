/**
 * The mirroring controller: Endpoints that somebody wrote for a service without a selector, as EndpointSlices, which is what
 * proxies read. slice-groups.ts decides what to write.
 */
import { type EndpointAddress, Endpoints, Service } from "@kubewright/api/core/v1";
import { type Endpoint, EndpointSlice } from "@kubewright/api/discovery/v1";
import { setController } from "@kubewright/core/meta";
import { type Controller, defineController, watch } from "@kubewright/runtime";
import { type AddressType, type EndpointGroup, planGroups } from "./slice-groups.ts";
import { MANAGED_BY_LABEL, SERVICE_NAME_LABEL } from "./slices.ts";

const MANAGED_BY = "endpointslicemirroring-controller.k8s.io";
const SKIP_LABEL = "endpointslice.kubernetes.io/skip-mirror";
const LEADER_ANNOTATION = "control-plane.alpha.kubernetes.io/leader";

/** Keeps the mirrors of Endpoints. */
export const mirroringController: Controller<Endpoints> = defineController<Endpoints>({
  name: "endpointslice-mirroring-controller",
  for: Endpoints,
  owns: [EndpointSlice],
  watches: [
    watch(Service, { map: ({ metadata }) => [{ name: metadata?.name ?? "", namespace: metadata?.namespace }] }),
  ],
  async reconcile(endpoints, { client, cache }) {
    const service = cache.get(Service, endpoints.metadata?.name ?? "");
    const slices = cache
      .list(EndpointSlice, { controlledBy: endpoints })
      .filter(({ metadata }) => metadata?.labels?.[MANAGED_BY_LABEL] === MANAGED_BY);
    const groups = isMirrored(endpoints, service) ? mirroredGroups(endpoints) : [];
    const { create, update, remove } = planGroups(groups, slices, labelsOf(endpoints));
    const { name = "", namespace = "" } = endpoints.metadata ?? {};
    await Promise.all([
      ...create.map((slice) => {
        const metadata = { ...slice.metadata, generateName: `${name}-`, namespace };
        return client.create(EndpointSlice, setController({ ...slice, metadata }, endpoints));
      }),
      ...update.map((slice) => client.update(EndpointSlice, slice)),
      ...remove.map((slice) => client.delete(EndpointSlice, slice)),
    ]);
  },
});

function isMirrored({ metadata }: Endpoints, service: Service | undefined): boolean {
  const isLeft = metadata?.labels?.[SKIP_LABEL] === "true" || metadata?.annotations?.[LEADER_ANNOTATION] !== undefined;
  return !isLeft && service !== undefined && service.spec?.selector === undefined;
}

/** The addresses of Endpoints by ports and family; without any, one group that tells so. */
export function mirroredGroups({ subsets = [] }: Endpoints): readonly EndpointGroup[] {
  const told = subsets.flatMap(({ addresses = [], notReadyAddresses = [], ports = [] }) => {
    const numbers = ports.map(({ name = "", protocol = "TCP", ...port }) => ({ name, ...port, protocol }));
    return [
      ...addresses.map((address) => ({ ports: numbers, endpoint: toEndpoint(address, true) })),
      ...notReadyAddresses.map((address) => ({ ports: numbers, endpoint: toEndpoint(address, false) })),
    ];
  });
  if (told.length === 0) return [{ addressType: "IPv4", ports: [], endpoints: [] }];
  const groups = Map.groupBy(told, ({ ports, endpoint }) => JSON.stringify([familyOf(endpoint), ports]));
  return Array.from(groups.values(), (members) => ({
    addressType: familyOf(members[0]?.endpoint),
    ports: members[0]?.ports ?? [],
    endpoints: members.map(({ endpoint }) => endpoint),
  }));
}

function toEndpoint({ ip, hostname, nodeName, targetRef }: EndpointAddress, ready: boolean): Endpoint {
  return {
    addresses: [ip],
    conditions: { ready },
    ...(hostname ? { hostname } : {}),
    ...(nodeName === undefined ? {} : { nodeName }),
    ...(targetRef === undefined ? {} : { targetRef }),
  };
}

function familyOf(endpoint: Endpoint | undefined): AddressType {
  return endpoint?.addresses[0]?.includes(":") ? "IPv6" : "IPv4";
}

function labelsOf({ metadata }: Endpoints): Readonly<Record<string, string>> {
  return { ...metadata?.labels, [SERVICE_NAME_LABEL]: metadata?.name ?? "", [MANAGED_BY_LABEL]: MANAGED_BY };
}
