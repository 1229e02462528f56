/** The workload controllers of a cluster: what runs pods and tells who they are, in one list for cluster.ts. */
import type { AnyController } from "@kubewright/runtime";
import { cronJobController } from "./cronjob/controller.ts";
import { deploymentController } from "./deployment/controller.ts";
import { endpointsController } from "./endpoints/endpoints-controller.ts";
import { endpointSliceController } from "./endpoints/slice-controller.ts";
import { jobController } from "./job/controller.ts";
import { jobOrphanController } from "./job/orphans.ts";
import { ttlController } from "./job/ttl.ts";
import { createKubelet, type KubeletOptions } from "./kubelet/kubelet.ts";
import { replicaSetController } from "./replicaset/controller.ts";
import { createScheduler } from "./scheduler/scheduler.ts";
import { createRootCertificatesController, serviceAccountController } from "./serviceaccount/controllers.ts";

/** What they are made of. */
export interface WorkloadOptions extends KubeletOptions {
  /** Certificates of the API server, as PEM, for pods to trust it by. @default none: nothing listens with TLS */
  readonly rootCertificates?: string;
}

/** All of them. */
export function workloadControllers(options: WorkloadOptions): readonly AnyController[] {
  return [
    deploymentController,
    replicaSetController,
    jobController,
    jobOrphanController,
    ttlController,
    cronJobController,
    endpointSliceController,
    endpointsController,
    serviceAccountController,
    createRootCertificatesController(options.rootCertificates ?? ""),
    createScheduler(),
    createKubelet(options),
  ];
}
