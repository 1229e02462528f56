/** Simulated nodes: the Node objects that the scheduler places pods on. */
import type { Node } from "@kubewright/api/core/v1";
import { formatTime } from "@kubewright/core/meta";

const capacity = { cpu: "32", memory: "256Gi", pods: "1100", "ephemeral-storage": "1Ti" };

/** Of which version simulated nodes say that they are. */
const KUBELET_VERSION = "v1.36.3";

/** A node that is ready since `now` and offers room for a thousand pods. */
export function simulatedNode(name: string, now: number): Node {
  const time = formatTime(now);
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
      conditions: [
        {
          type: "Ready",
          status: "True",
          reason: "KubeletReady",
          message: "the simulated kubelet is ready",
          lastHeartbeatTime: time,
          lastTransitionTime: time,
        },
      ],
      addresses: [{ type: "Hostname", address: name }],
    },
  };
}
