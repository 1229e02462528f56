/**
 * Where a webhook that is named by its Service is reached: at the name that the Service stands for, or at an endpoint that is
 * ready. Simulated pods listen nowhere, so only endpoints that somebody else wrote count. A program on this machine is
 * reached by a Service of type ExternalName for "localhost". The API server asks before it calls; cluster.ts wires it.
 */

import { Service } from "@kubewright/api/core/v1";
import { type EndpointPort, EndpointSlice } from "@kubewright/api/discovery/v1";
import type { ResolveService } from "@kubewright/apiserver";
import type { Client } from "@kubewright/runtime";

const SERVICE_NAME = "kubernetes.io/service-name";
const PORT_DEFAULT = 443;

/** Where something listens. */
export interface ServiceAddress {
  readonly host: string;
  readonly port: number;
}

/** Finds addresses of services through the API. */
export function createServiceResolver(client: Client): ResolveService {
  return async ({ name, namespace, port = PORT_DEFAULT }) => {
    const service = await client.find(Service, { name, namespace });
    if (service === undefined) return undefined;
    const { items } = await client.list(EndpointSlice, { namespace, labelSelector: { [SERVICE_NAME]: name } });
    return serviceAddress(service, items, port);
  };
}

/**
 * The name that a Service stands for, or the first ready endpoint behind its port that is no simulated pod; undefined when there is
 * neither.
 */
export function serviceAddress(
  service: Service,
  slices: readonly EndpointSlice[],
  port: number,
): ServiceAddress | undefined {
  const { type, externalName } = service.spec ?? {};
  if (type === "ExternalName" && externalName !== undefined) return { host: externalName, port };
  const servicePort = service.spec?.ports?.find((each) => each.port === port);
  if (servicePort === undefined) return undefined;
  for (const { endpoints, ports } of slices) {
    const target = (ports ?? []).find((each: EndpointPort) => (each.name ?? "") === (servicePort.name ?? ""));
    const endpoint = (endpoints ?? []).find(
      ({ conditions, targetRef }) => conditions?.ready !== false && targetRef?.kind !== "Pod",
    );
    const [host] = endpoint?.addresses ?? [];
    if (host !== undefined && target?.port !== undefined) return { host, port: target.port };
  }
  return undefined;
}
