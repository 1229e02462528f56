/** `@kubewright/testing`: a cluster per test, and real control planes behind the same API. */
export { comparableState } from "./kill/comparable-state.ts";
export { type KillOptions, killAfterEveryWrite } from "./kill/kill-after-every-write.ts";
export { MortalTransport } from "./kill/mortal-transport.ts";
export {
  managerOf,
  type ProgramLife,
  type ProgramLifeOptions,
  type ProgramPorts,
  type RunningProgram,
  startProgramLife,
} from "./kill/program-life.ts";
export { type ControlPlane, type ControlPlaneOptions, startControlPlane } from "./real/control-plane.ts";
export { type RealClusterOptions, startRealCluster } from "./real/controllers.ts";
export type { RealLevel } from "./real/find-programs.ts";
export type { Program } from "./real/program.ts";
export { startCluster } from "./start-cluster.ts";
export type { Provider, TestCluster, TestClusterOptions } from "./test-cluster.ts";
export { VirtualClock } from "./virtual-clock.ts";
