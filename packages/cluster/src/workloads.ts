/** The workload controllers of a cluster: what runs pods, in one list for cluster.ts. */
import type { AnyController } from "@kubewright/runtime";
import { createCronJobController } from "./cronjob/controller.ts";
import { daemonSetController } from "./daemonset/controller.ts";
import { deploymentController } from "./deployment/controller.ts";
import { createJobController } from "./job/controller.ts";
import { jobOrphanController } from "./job/orphans.ts";
import { ttlController } from "./job/ttl.ts";
import { createKubelet, type KubeletOptions } from "./kubelet/kubelet.ts";
import { nodeLeaseController } from "./kubelet/node-leases.ts";
import { replicaSetController, replicationController } from "./replicaset/controller.ts";
import { createScheduler } from "./scheduler/scheduler.ts";
import { statefulSetController } from "./statefulset/controller.ts";

/** All of them. */
export function workloadControllers(options: KubeletOptions): readonly AnyController[] {
  return [
    deploymentController,
    replicaSetController,
    replicationController,
    statefulSetController,
    daemonSetController,
    createJobController(),
    jobOrphanController,
    ttlController,
    createCronJobController(),
    createScheduler(),
    createKubelet(options),
    nodeLeaseController,
  ];
}
