/** `@kubewright/cluster`: the embedded cluster. */
export type { MetricQuery, ReadMetric } from "./autoscaling/metrics.ts";
export { type Cluster, type ClusterOptions, createCluster } from "./cluster.ts";
export type { InfrastructureOptions } from "./infrastructure.ts";
export type { KubeletOptions } from "./kubelet/kubelet.ts";
export type {
  ContainerScript,
  ExecInput,
  ExecResult,
  PortRequest,
  PortResponse,
  PortScript,
} from "./kubelet/script.ts";
