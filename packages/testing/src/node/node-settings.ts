/**
 * The settings of a real node: containerd, CNI and kubelet, as texts of their configuration files. Pure. The node has
 * network, mount and process namespaces of its own, so addresses and ports are fixed and collide with nobody.
 */
import { join } from "node:path";

/** The node's name. */
export const NODE_NAME = "node-0";
/** The node's address: the bridge that its pods are connected to. */
export const NODE_ADDRESS = "10.88.0.1";
/** The ClusterIP of the API server: the first address of the service range. */
export const SERVICE_ADDRESS = "10.0.0.1";
/** The name under which the image of a pod's first container is imported. */
export const PAUSE_IMAGE = "localhost/pause:1";

/** Where things of one node are. */
export interface NodePlaces {
  /** The folder of the node. */
  readonly folder: string;
  /** The folder with containerd, runc, kubelet and the CNI plugins. */
  readonly programs: string;
  /** Name of the control group that holds all pods. */
  readonly controlGroup: string;
}

/** Where containerd listens. */
export function containerdSocket(folder: string): string {
  return join(folder, "containerd.sock");
}

/** containerd's configuration, as TOML. Strings of TOML's basic kind are JSON strings. */
export function containerdSettings({ folder, programs }: NodePlaces): string {
  const text = (value: string): string => JSON.stringify(value);
  const runtime = "plugins.'io.containerd.cri.v1.runtime'";
  return `version = 3
root = ${text(join(folder, "containerd"))}
state = "/run/containerd"
disabled_plugins = ["io.containerd.nri.v1.nri", "io.containerd.internal.v1.opt"]
[grpc]
address = ${text(containerdSocket(folder))}
[plugins.'io.containerd.cri.v1.images'.pinned_images]
sandbox = ${text(PAUSE_IMAGE)}
[${runtime}]
# Without CAP_SYS_RESOURCE nobody may lower the score, and no container would start.
restrict_oom_score_adj = true
[${runtime}.cni]
bin_dirs = [${text(programs)}]
conf_dir = ${text(join(folder, "cni"))}
[${runtime}.containerd.runtimes.runc]
runtime_type = "io.containerd.runc.v2"
[${runtime}.containerd.runtimes.runc.options]
BinaryName = ${text(join(programs, "runc"))}
SystemdCgroup = false
`;
}

/** The network of pods, as a list of CNI plugins: a bridge without a way out. */
export function networkSettings({ folder }: NodePlaces): string {
  const addresses = {
    type: "host-local",
    ranges: [[{ subnet: "10.88.0.0/16", gateway: NODE_ADDRESS }]],
    routes: [{ dst: "0.0.0.0/0" }],
    dataDir: join(folder, "cni-addresses"),
  };
  const bridge = { type: "bridge", bridge: "cni0", isGateway: true, hairpinMode: true, ipam: addresses };
  return JSON.stringify({ cniVersion: "1.0.0", name: "pods", plugins: [bridge] });
}

/** kubelet's configuration. */
export function kubeletSettings({ folder, controlGroup }: NodePlaces): string {
  return JSON.stringify({
    apiVersion: "kubelet.config.k8s.io/v1beta1",
    kind: "KubeletConfiguration",
    containerRuntimeEndpoint: `unix://${containerdSocket(folder)}`,
    address: NODE_ADDRESS,
    authentication: {
      anonymous: { enabled: false },
      webhook: { enabled: true },
      x509: { clientCAFile: join(folder, "kubelet-clients.crt") },
    },
    authorization: { mode: "Webhook" },
    cgroupDriver: "cgroupfs",
    cgroupRoot: `/${controlGroup}`,
    failCgroupV1: false,
    failSwapOn: false,
    enforceNodeAllocatable: [],
    oomScoreAdj: 0,
    // Nothing answers there, but without an address every pod gets a warning.
    clusterDNS: ["10.0.0.10"],
    clusterDomain: "cluster.local",
    resolvConf: "",
    podLogsDir: join(folder, "pod-logs"),
    volumePluginDir: join(folder, "volume-plugins"),
    // A machine whose disk is nearly full still runs tests.
    imageGCHighThresholdPercent: 100,
    evictionHard: { "imagefs.available": "0%", "nodefs.available": "0%", "nodefs.inodesFree": "0%" },
    serializeImagePulls: false,
    syncFrequency: "10s",
  });
}
