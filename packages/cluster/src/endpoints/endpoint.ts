/** From the pods that a Service selects to endpoints: addresses, conditions and the ports they answer on. Pure. */
import type { Pod, Service, ServicePort } from "@kubewright/api/core/v1";
import type { Endpoint, EndpointPort } from "@kubewright/api/discovery/v1";
import { labelsToRequirements, matchesLabels } from "@kubewright/core/meta";
import { isPodFinished, isPodReady, isPodTerminating } from "../workload/pod-state.ts";

/** Endpoints that answer on the same ports. */
export interface EndpointGroup {
  readonly ports: readonly EndpointPort[];
  readonly endpoints: readonly Endpoint[];
}

/** Pods of the service: selected by it, with an address, and not ended. */
export function podsOf(service: Service, pods: readonly Pod[]): readonly Pod[] {
  const requirements = labelsToRequirements(service.spec?.selector ?? {});
  return pods.filter(
    (pod) =>
      pod.status?.podIP !== undefined && !isPodFinished(pod) && matchesLabels(requirements, pod.metadata?.labels),
  );
}

/** The endpoints of a service, grouped by ports: a named port may be another number in each pod. */
export function endpointGroups(service: Service, pods: readonly Pod[]): readonly EndpointGroup[] {
  const groups = new Map<string, { ports: readonly EndpointPort[]; endpoints: Endpoint[] }>();
  for (const pod of podsOf(service, pods)) {
    const ports = portsOf(service, pod);
    const key = JSON.stringify(ports);
    const group = groups.get(key) ?? { ports, endpoints: [] };
    group.endpoints.push(endpointOf(service, pod));
    groups.set(key, group);
  }
  return [...groups.values()];
}

/** One pod as an endpoint. */
function endpointOf(service: Service, pod: Pod): Endpoint {
  const serving = isPodReady(pod);
  const terminating = isPodTerminating(pod);
  const ready = (service.spec?.publishNotReadyAddresses === true || serving) && !terminating;
  const { name = "", namespace = "", uid = "" } = pod.metadata ?? {};
  const { nodeName, hostname, subdomain } = pod.spec ?? {};
  const named = hostname !== undefined && subdomain === service.metadata?.name ? { hostname } : {};
  return {
    addresses: [pod.status?.podIP ?? ""],
    conditions: { ready, serving, terminating },
    targetRef: { kind: "Pod", namespace, name, uid },
    ...(nodeName === undefined ? {} : { nodeName }),
    ...named,
  };
}

/** The ports of the service as numbers of this pod. A named port that the pod lacks is left out. */
function portsOf(service: Service, pod: Pod): EndpointPort[] {
  return (service.spec?.ports ?? []).flatMap((port): EndpointPort[] => {
    const number = portNumber(port, pod);
    if (number === undefined) return [];
    const { name = "", protocol = "TCP", appProtocol } = port;
    return [{ name, port: number, protocol, ...(appProtocol === undefined ? {} : { appProtocol }) }];
  });
}

function portNumber({ targetPort, port, protocol = "TCP" }: ServicePort, pod: Pod): number | undefined {
  if (targetPort === undefined || targetPort === 0 || targetPort === "") return port;
  if (typeof targetPort === "number") return targetPort;
  return (pod.spec?.containers ?? [])
    .flatMap(({ ports = [] }) => ports)
    .find((each) => each.name === targetPort && (each.protocol ?? "TCP") === protocol)?.containerPort;
}
