/** Ports of nodes that pods have to themselves: no two pods of a node have the same one. Pure; choose-node.ts asks. */
import type { ContainerPort, Pod } from "@kubewright/api/core/v1";
import { isSidecar } from "../kubelet/script.ts";
import { type Refusal, resolvable } from "./refusal.ts";
import type { PlacedPod } from "./surroundings.ts";

const ANY_ADDRESS = "0.0.0.0";
const none: readonly ContainerPort[] = [];

/** The ports of its node that a pod asks for. */
export function hostPortsOf({ spec }: Pod): readonly ContainerPort[] {
  const containers = [...(spec?.containers ?? []), ...(spec?.initContainers ?? []).filter(isSidecar)];
  if (containers.every(({ ports }) => ports === undefined)) return none;
  return containers.flatMap(({ ports = [] }) => ports.filter(({ hostPort }) => Boolean(hostPort)));
}

/** Whether the ports that `pod` asks for are free beside the pods that have some. */
export function portFilter(pod: Pod): (hosting: readonly PlacedPod[]) => Refusal | undefined {
  const wanted = hostPortsOf(pod);
  if (wanted.length === 0) return () => undefined;
  return (hosting) => {
    const taken = hosting.flatMap((each) => hostPortsOf(each.pod));
    return wanted.some((port) => taken.some((other) => isSame(port, other))) ? NOT_FREE : undefined;
  };
}

const NOT_FREE = resolvable("node(s) didn't have free ports for the requested pod ports");

function isSame(left: ContainerPort, right: ContainerPort): boolean {
  const [here, there] = [left.hostIP || ANY_ADDRESS, right.hostIP || ANY_ADDRESS];
  const isSameAddress = here === there || here === ANY_ADDRESS || there === ANY_ADDRESS;
  return isSameAddress && left.hostPort === right.hostPort && (left.protocol ?? "TCP") === (right.protocol ?? "TCP");
}
