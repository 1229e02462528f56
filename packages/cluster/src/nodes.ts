/** Simulated nodes: the Node objects that the scheduler places pods on, and the Leases by which nodes show that they live. */
import type { Lease } from "@kubewright/api/coordination/v1";
import { type Node, type NodeCondition, Pod } from "@kubewright/api/core/v1";
import { formatMicroTime, formatTime } from "@kubewright/core/meta";
import type { ObjectKey, WatchContext } from "@kubewright/runtime";

const capacity = { cpu: "32", memory: "256Gi", pods: "1100", "ephemeral-storage": "1Ti" };

/** Of which version simulated nodes say that they are. */
const KUBELET_VERSION = "v1.36.3";

/** Nodes have addresses from 10.1.0.0/16. */
const NODES_MAX = 256 * 254;

/** Where the lease of each node is. */
export const LEASE_NAMESPACE = "kube-node-lease";
const LEASE_SECONDS = 40;

/** The node of a number: ready since `now`, with an address of its own and room for a thousand pods. */
export function simulatedNode(index: number, now: number): Node {
  if (index >= NODES_MAX) throw new RangeError(`a cluster has at most ${NODES_MAX} nodes`);
  const name = `node-${index}`;
  return {
    apiVersion: "v1",
    kind: "Node",
    metadata: {
      name,
      labels: {
        "kubernetes.io/hostname": name,
        "kubernetes.io/os": "linux",
        "kubernetes.io/arch": "amd64",
      },
    },
    status: {
      nodeInfo: {
        architecture: "amd64",
        operatingSystem: "linux",
        kubeletVersion: KUBELET_VERSION,
        kubeProxyVersion: KUBELET_VERSION,
        containerRuntimeVersion: "simulated://1",
        osImage: "Kubewright",
        kernelVersion: "simulated",
        machineID: name,
        bootID: name,
        systemUUID: name,
      },
      capacity,
      allocatable: capacity,
      conditions: conditionsSince(formatTime(now)),
      addresses: [
        { type: "InternalIP", address: `10.1.${Math.floor(index / 254)}.${1 + (index % 254)}` },
        { type: "Hostname", address: name },
      ],
    },
  };
}

/** The lease of a node, as it is when the node joins. */
export function nodeLease(node: Node, now: number): Lease {
  const { name = "", uid = "" } = node.metadata ?? {};
  return {
    metadata: {
      name,
      namespace: LEASE_NAMESPACE,
      ownerReferences: [{ apiVersion: "v1", kind: "Node", name, uid }],
    },
    spec: { holderIdentity: name, leaseDurationSeconds: LEASE_SECONDS, renewTime: formatMicroTime(now) },
  };
}

/** Where pods of the node are reached from outside it; undefined for a node that does not say. */
export function addressOfNode(node: Node | undefined): string | undefined {
  return node?.status?.addresses?.find(({ type }) => type === "InternalIP")?.address;
}

/** What the node says of its readiness: "True", "False" or "Unknown". */
export function readinessOf(node: Node | undefined): string | undefined {
  return node?.status?.conditions?.find(({ type }) => type === "Ready")?.status;
}

/** True when nothing is heard of the node: what its pods do there, nobody knows, and nobody tells them anything. */
export function isNodeUnreachable(node: Node | undefined): boolean {
  return readinessOf(node) === "Unknown";
}

/** The pods of a node, for controllers of pods that watch nodes. */
export function podsOn({ metadata }: Node, { cache }: WatchContext): readonly ObjectKey[] {
  return cache
    .list(Pod)
    .filter(({ spec }) => spec?.nodeName === metadata?.name)
    .map((pod) => ({ name: pod.metadata?.name ?? "", namespace: pod.metadata?.namespace }));
}

function conditionsSince(time: string): readonly NodeCondition[] {
  const times = { lastHeartbeatTime: time, lastTransitionTime: time };
  const well = (type: string, reason: string, message: string): NodeCondition => ({
    type,
    status: "False",
    reason,
    message,
    ...times,
  });
  return [
    well("MemoryPressure", "KubeletHasSufficientMemory", "kubelet has sufficient memory available"),
    well("DiskPressure", "KubeletHasNoDiskPressure", "kubelet has no disk pressure"),
    well("PIDPressure", "KubeletHasSufficientPID", "kubelet has sufficient PID available"),
    { type: "Ready", status: "True", reason: "KubeletReady", message: "kubelet is posting ready status", ...times },
  ];
}
