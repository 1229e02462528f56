/** From a service's port to the number that a pod listens on. Pure. */
import type { Container, Pod, Service, ServicePort } from "@kubewright/api/core/v1";
import type { EndpointPort } from "@kubewright/api/discovery/v1";

/** The ports of a service as one pod offers them; a named port that the pod lacks is left out. */
export function portsOf(service: Service, pod: Pod): readonly EndpointPort[] {
  return (service.spec?.ports ?? []).flatMap((port) => {
    const number = targetPortOf(port, pod);
    if (number === undefined) return [];
    const { name = "", protocol = "TCP", appProtocol } = port;
    return [{ name, port: number, protocol, ...(appProtocol === undefined ? {} : { appProtocol }) }];
  });
}

/** The number of the port on the pod: given, or that of the container port with the given name. */
function targetPortOf({ port, targetPort, protocol = "TCP" }: ServicePort, { spec }: Pod): number | undefined {
  if (targetPort === undefined || targetPort === "" || targetPort === 0) return port;
  if (typeof targetPort === "number") return targetPort;
  const sidecars = (spec?.initContainers ?? []).filter(({ restartPolicy }) => restartPolicy === "Always");
  const containers: readonly Container[] = [...(spec?.containers ?? []), ...sidecars];
  return containers
    .flatMap(({ ports = [] }) => ports)
    .find(({ name, protocol: own = "TCP" }) => name === targetPort && own === protocol)?.containerPort;
}
