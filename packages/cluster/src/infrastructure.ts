/** The infrastructure controllers of a cluster: all that run for every kind of workload, in one list for cluster.ts. */
import type { AnyController } from "@kubewright/runtime";
import { createAutoscaler } from "./autoscaling/controller.ts";
import type { ReadMetric } from "./autoscaling/metrics.ts";
import { certificateApprover } from "./certificates/approver.ts";
import { certificateCleaner } from "./certificates/cleaner.ts";
import { createCertificateSigner, type SignCertificate } from "./certificates/signer.ts";
import { createDisruptionController } from "./disruption/controller.ts";
import { endpointsCleaner, endpointsController } from "./endpoints/endpoints-controller.ts";
import { mirroringController } from "./endpoints/mirror.ts";
import { endpointSliceController } from "./endpoints/slice-controller.ts";
import type { ObjectFeed } from "./feed/object-feed.ts";
import { LOAD_BALANCER, loadBalancerController } from "./loadbalancer/controller.ts";
import { createNamespaceController } from "./namespace/controller.ts";
import { createNodeLifecycle, podReadinessController } from "./nodelifecycle/controller.ts";
import { createTaintEviction } from "./nodelifecycle/taint-eviction.ts";
import { createPodCollector } from "./podgc/controller.ts";
import { createQuotaController } from "./quota/controller.ts";
import { defaultAccountController } from "./serviceaccount/default-account.ts";
import { createRootCertificatePublisher } from "./serviceaccount/root-certificate.ts";
import { createTokenSecretController, type TokenSecretParts } from "./serviceaccount/token-secrets.ts";
import { createServiceRangeController } from "./servicecidr/controller.ts";
import { claimBinder } from "./storage/binder.ts";
import { ephemeralVolumes } from "./storage/ephemeral.ts";
import { claimProtection, volumeProtection } from "./storage/protection.ts";
import { volumeController } from "./storage/volumes.ts";

/** What users may say about them. */
export interface InfrastructureOptions {
  /** Certificates of the API server, as PEM, for pods to trust it by. @default its own, once it listens with TLS */
  readonly rootCertificates?: string;
  /** Measures what autoscalers scale by. @default nothing is measured, and they say so */
  readonly metrics?: ReadMetric;
  /** How many pods that ended are kept before the oldest are removed; 0 for all. @default 12 500, as Kubernetes does */
  readonly endedPodsMax?: number;
}

const ENDED_PODS_MAX = 12_500;

/** How tokens of service accounts and certificates are signed: by the API server. */
interface Signing extends Pick<TokenSecretParts, "issueToken"> {
  readonly signCertificate: SignCertificate;
}

/** Those that run only when they are asked for. */
export const offByDefault: readonly string[] = [LOAD_BALANCER];

/** All of them. The part of a name before "/" is what turns a controller on and off. */
export function infrastructureControllers(
  feed: ObjectFeed,
  options: InfrastructureOptions & Signing,
): readonly AnyController[] {
  const { rootCertificates = "", metrics = () => undefined, endedPodsMax = ENDED_PODS_MAX } = options;
  const { issueToken, signCertificate } = options;
  return [
    createNamespaceController(feed),
    defaultAccountController,
    createRootCertificatePublisher(rootCertificates),
    createTokenSecretController({ issueToken, rootCertificates }),
    endpointSliceController,
    endpointsController,
    endpointsCleaner,
    mirroringController,
    createDisruptionController(feed),
    createQuotaController(feed),
    createPodCollector(endedPodsMax),
    createNodeLifecycle(),
    podReadinessController,
    createTaintEviction(),
    loadBalancerController,
    claimBinder,
    volumeController,
    ephemeralVolumes,
    claimProtection,
    volumeProtection,
    createAutoscaler(feed, metrics),
    createServiceRangeController(feed),
    certificateApprover,
    createCertificateSigner(signCertificate),
    certificateCleaner,
  ];
}
