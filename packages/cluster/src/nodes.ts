/** Simulated nodes: the Node objects that the scheduler places pods on. */
import type { Node } from "@kubewright/api/core/v1";
import { formatTime } from "@kubewright/core/meta";

const capacity = { cpu: "32", memory: "256Gi", pods: "1100", "ephemeral-storage": "1Ti" };

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
