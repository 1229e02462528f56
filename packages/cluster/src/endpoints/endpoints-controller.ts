/** The Endpoints controller: the older form of endpoints, one object of the Service's name, which some clients read. */
import { type EndpointSubset, Endpoints, Pod, Service } from "@kubewright/api/core/v1";
import type { Endpoint } from "@kubewright/api/discovery/v1";
import { deepEqual } from "@kubewright/core/meta";
import { type Controller, defineController, watch } from "@kubewright/runtime";
import { type EndpointGroup, endpointGroups } from "./endpoint.ts";
import { hasEndpoints, servicesOfPod } from "./slice-controller.ts";

/** The most addresses that one Endpoints object tells. */
const ADDRESSES_MAX = 1000;
const HEADLESS = "service.kubernetes.io/headless";
const MANAGED_BY = "endpoints.kubernetes.io/managed-by";

/** Keeps Endpoints. */
export const endpointsController: Controller<Service> = defineController<Service>({
  name: "endpoint-controller",
  for: Service,
  watches: [
    watch(Pod, { map: servicesOfPod }),
    watch(Endpoints, { map: ({ metadata }) => [{ name: metadata?.name ?? "", namespace: metadata?.namespace }] }),
  ],
  async reconcile(service, { cache, client }) {
    if (!hasEndpoints(service)) return;
    const pods = cache.list(Pod, { namespace: service.metadata?.namespace });
    const subsets = endpointGroups(service, pods).map(toSubset).filter(hasAddresses);
    const labels = labelsOf(service);
    const { name = "", namespace = "" } = service.metadata ?? {};
    const existing = cache.get(Endpoints, { name, namespace });
    if (existing === undefined) {
      const metadata = { name, namespace, labels };
      await client.create(Endpoints, { apiVersion: "v1", kind: "Endpoints", metadata, ...subsetsField(subsets) });
      return;
    }
    if (deepEqual(existing.subsets ?? [], subsets) && deepEqual(existing.metadata?.labels ?? {}, labels)) return;
    const { subsets: _before, ...rest } = existing;
    await client.update(Endpoints, { ...rest, metadata: { ...rest.metadata, labels }, ...subsetsField(subsets) });
  },
});

function subsetsField(subsets: readonly EndpointSubset[]): { subsets?: readonly EndpointSubset[] } {
  return subsets.length === 0 ? {} : { subsets };
}

function toSubset({ ports, endpoints }: EndpointGroup): EndpointSubset {
  const told = endpoints.filter(({ conditions }) => !conditions?.terminating).slice(0, ADDRESSES_MAX);
  const ready = told.filter(({ conditions }) => conditions?.ready).map(toAddress);
  const notReady = told.filter(({ conditions }) => !conditions?.ready).map(toAddress);
  return {
    ...(ready.length === 0 ? {} : { addresses: ready }),
    ...(notReady.length === 0 ? {} : { notReadyAddresses: notReady }),
    ports: ports.map(({ name, port = 0, protocol = "TCP", appProtocol }) => ({
      ...(name ? { name } : {}),
      port,
      protocol,
      ...(appProtocol === undefined ? {} : { appProtocol }),
    })),
  };
}

function hasAddresses({ addresses, notReadyAddresses }: EndpointSubset): boolean {
  return addresses !== undefined || notReadyAddresses !== undefined;
}

function toAddress({ addresses, hostname, nodeName, targetRef }: Endpoint): {
  ip: string;
  hostname?: string;
  nodeName?: string;
  targetRef?: NonNullable<Endpoint["targetRef"]>;
} {
  return {
    ip: addresses[0] ?? "",
    ...(hostname === undefined ? {} : { hostname }),
    ...(nodeName === undefined ? {} : { nodeName }),
    ...(targetRef === undefined ? {} : { targetRef }),
  };
}

function labelsOf(service: Service): Record<string, string> {
  const headless = service.spec?.clusterIP === "None" ? { [HEADLESS]: "" } : {};
  return { ...service.metadata?.labels, ...headless, [MANAGED_BY]: "endpoint-controller" };
}
