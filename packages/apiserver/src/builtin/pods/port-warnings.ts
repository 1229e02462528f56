/** What is odd about the ports of a pod: the same port, or the same name, in two places. */
import type { ContainerPort, PodSpec } from "@kubewright/api/core/v1";
import { containersWithPaths } from "../validation/fields.ts";

interface PlacedPort {
  readonly place: string;
  readonly port: ContainerPort;
}

/** Warnings about the ports of a spec at `field`. */
export function portWarnings(field: string, spec: PodSpec): readonly string[] {
  const ports = containersWithPaths(field, spec).flatMap(([at, container]) =>
    (container.ports ?? []).map((port, index) => ({ place: `${at}.ports[${index}]`, port })),
  );
  return [
    ...ports.flatMap((each, index) => ports.slice(0, index).flatMap((other) => overlap(each, other))),
    ...ports.flatMap((each, index) => sameName(each, ports.slice(0, index))),
  ];
}

function overlap({ place, port }: PlacedPort, other: PlacedPort): readonly string[] {
  if (port.containerPort !== other.port.containerPort || port.protocol !== other.port.protocol) return [];
  const [hostPort, otherHostPort] = [port.hostPort ?? 0, other.port.hostPort ?? 0];
  const [hostIp, otherHostIp] = [port.hostIP ?? "", other.port.hostIP ?? ""];
  if (hostIp === otherHostIp && hostPort === otherHostPort) {
    return [`${place}: duplicate port definition with ${other.place}`];
  }
  if (hostPort === 0 || otherHostPort === 0) return [`${place}: overlapping port definition with ${other.place}`];
  const isAmbiguous = hostPort === otherHostPort && (hostIp === "") !== (otherHostIp === "");
  return isAmbiguous ? [`${place}: dangerously ambiguous port definition with ${other.place}`] : [];
}

function sameName({ place, port: { name = "" } }: PlacedPort, before: readonly PlacedPort[]): readonly string[] {
  const first = name === "" ? undefined : before.find(({ port }) => port.name === name)?.place;
  if (first === undefined) return [];
  const text = `duplicate port name ${JSON.stringify(name)} with ${first}, services and probes that select ports by name will use ${first}`;
  return [`${place}: ${text}`];
}
