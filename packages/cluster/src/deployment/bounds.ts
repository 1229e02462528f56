/** How many replicas a Deployment wants, and how far its rollout may stray from that. */
import type { Deployment } from "@kubewright/api/apps/v1";
import { type Fenceposts, fencepostsOf } from "./rolling.ts";

/** The wanted number of replicas and how far the rollout may stray from it. */
export interface Bounds extends Fenceposts {
  readonly desired: number;
}

/** The bounds of a Deployment; a Recreate strategy allows no surge and needs no availability. */
export function boundsOf(deployment: Deployment): Bounds {
  const desired = deployment.spec?.replicas ?? 1;
  const strategy = deployment.spec?.strategy;
  if (strategy?.type === "Recreate") return { desired, surge: 0, unavailable: 0 };
  const rolling = strategy?.rollingUpdate;
  return { desired, ...fencepostsOf(rolling?.maxSurge ?? "25%", rolling?.maxUnavailable ?? "25%", desired) };
}
