/** `@kubewright/testing`: a cluster per test, and real control planes behind the same API. */
export { type ControlPlane, type ControlPlaneOptions, startControlPlane } from "./real/control-plane.ts";
export { type RealClusterOptions, startRealCluster } from "./real/controllers.ts";
export type { Program } from "./real/program.ts";
export { startCluster, type TestCluster, type TestClusterOptions } from "./start-cluster.ts";
export { VirtualClock } from "./virtual-clock.ts";
