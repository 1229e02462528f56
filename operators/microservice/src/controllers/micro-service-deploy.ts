/**
 * Keeps everything around one version of a microservice: account, configuration, pods, service, quota, autoscaler,
 * ingress and, where asked for, a password. All of it is named after the microservice and its version.
 */
import {
  type CacheReader,
  contentHash,
  defineController,
  type Observed,
  parseKeyValues,
  podQuota,
  rolloutConditions,
  watch,
} from "kubewright";
import { Deployment } from "kubewright/apps/v1";
import { HorizontalPodAutoscaler } from "kubewright/autoscaling/v2";
import { ConfigMap, ResourceQuota, Secret, Service, ServiceAccount } from "kubewright/core/v1";
import { Ingress } from "kubewright/networking/v1";
import { MicroServiceDeploy } from "../api/v1/micro-service-deploy.ts";
import { passwordFile } from "../password-file.ts";

const PORT = 8080;
/** How many times the replicas an autoscaler may reach. */
const AUTOSCALING_FACTOR = 3;
/** Annotation with the size from before the service was idle. */
const SIZE_BEFORE_IDLE = "custom.ops/size-before-idle";

/** The controller of MicroServiceDeploy. */
export const microServiceController = defineController({
  for: MicroServiceDeploy,
  owns: [ServiceAccount, ConfigMap, Deployment, Service, ResourceQuota, HorizontalPodAutoscaler, Ingress, Secret],
  // The quotas of a namespace count all services in it, so that versions can run side by side.
  watches: [
    watch(MicroServiceDeploy, {
      map: (service, { cache }) => neighbours(service, cache).map(({ metadata }) => metadata),
    }),
  ],
  recordsSynced: true,
  children: (service, observed) => [
    { apiVersion: "v1", kind: "ServiceAccount", metadata: metadataOf(service) },
    { apiVersion: "v1", kind: "ConfigMap", metadata: metadataOf(service), data: parseKeyValues(service.spec.config) },
    deploymentFor(service, observed.get(Deployment, instanceOf(service))),
    serviceFor(service),
    quotaFor(service, neighbours(service, observed.cache)),
    ...(service.spec.autoscaling && !service.spec.idle ? [autoscalerFor(service)] : []),
    ingressFor(service),
    ...(service.spec.needAuth ? [secretFor(service, observed)] : []),
  ],
  status: (service, observed) => {
    const deployment = observed.get(Deployment, instanceOf(service));
    return {
      replicas: deployment?.status?.replicas ?? 0,
      host: hostOf(service),
      conditions: rolloutConditions(deployment, observed.problems),
    };
  },
});

/** The Deployment; while autoscaling or idle its size is not the spec's. */
export function deploymentFor(service: MicroServiceDeploy, current: Deployment | undefined): Deployment {
  const { image, config, resourceRequirements } = service.spec;
  const labels = labelsOf(service);
  const name = instanceOf(service);
  const { replicas, annotations } = sizeOf(service, current);
  const container = {
    name: "service",
    image,
    envFrom: [{ configMapRef: { name } }],
    ports: [{ name: "http", containerPort: PORT }],
    resources: resourceRequirements,
  };
  const template = {
    metadata: { labels, annotations: { "custom.ops/config": contentHash(config) } },
    spec: { serviceAccountName: name, containers: [container] },
  };
  return {
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata: { ...metadataOf(service), annotations },
    spec: { replicas, selector: { matchLabels: labels }, template },
  };
}

/** An idle service has no pods and remembers how many it had; an autoscaled one keeps what the autoscaler set. */
function sizeOf({ spec }: MicroServiceDeploy, current: Deployment | undefined) {
  const running = current?.spec?.replicas ?? 0;
  const before = Number(current?.metadata?.annotations?.[SIZE_BEFORE_IDLE] ?? 0);
  if (spec.idle) return { replicas: 0, annotations: { [SIZE_BEFORE_IDLE]: `${running || before || spec.replicas}` } };
  return { replicas: spec.autoscaling ? running || before || spec.replicas : spec.replicas, annotations: {} };
}

function serviceFor(service: MicroServiceDeploy): Service {
  const ports = [{ name: "http", port: 80, targetPort: "http" }];
  return {
    apiVersion: "v1",
    kind: "Service",
    metadata: metadataOf(service),
    spec: { selector: labelsOf(service), ports },
  };
}

/**
 * A ResourceQuota speaks of all pods of its namespace, so each service's quota has room for all services there: every version
 * may run, and nothing beyond what they need.
 */
function quotaFor(service: MicroServiceDeploy, services: readonly MicroServiceDeploy[]): ResourceQuota {
  const groups = services.map(({ spec }) => ({ count: podsMax(spec), resources: spec.resourceRequirements }));
  return { apiVersion: "v1", kind: "ResourceQuota", metadata: metadataOf(service), spec: { hard: podQuota(groups) } };
}

/** The most pods at once: all replicas, and a quarter more while a rollout replaces them. */
function podsMax({ replicas, autoscaling }: MicroServiceDeploy["spec"]): number {
  const running = autoscaling ? Math.max(1, replicas) * AUTOSCALING_FACTOR : replicas;
  return running + Math.max(1, Math.ceil(running / 4));
}

function autoscalerFor(service: MicroServiceDeploy): HorizontalPodAutoscaler {
  const minReplicas = Math.max(1, service.spec.replicas);
  const target = { type: "Utilization", averageUtilization: 80 };
  return {
    apiVersion: "autoscaling/v2",
    kind: "HorizontalPodAutoscaler",
    metadata: metadataOf(service),
    spec: {
      scaleTargetRef: { apiVersion: "apps/v1", kind: "Deployment", name: instanceOf(service) },
      minReplicas,
      maxReplicas: minReplicas * AUTOSCALING_FACTOR,
      metrics: [{ type: "Resource", resource: { name: "cpu", target } }],
    },
  };
}

function ingressFor(service: MicroServiceDeploy): Ingress {
  const name = instanceOf(service);
  const annotations = service.spec.needAuth
    ? {
        "nginx.ingress.kubernetes.io/auth-type": "basic",
        "nginx.ingress.kubernetes.io/auth-secret": name,
        "nginx.ingress.kubernetes.io/auth-realm": service.spec.fullName,
      }
    : {};
  const backend = { service: { name, port: { name: "http" } } };
  const rule = { host: hostOf(service), http: { paths: [{ path: "/", pathType: "Prefix" as const, backend }] } };
  return {
    apiVersion: "networking.k8s.io/v1",
    kind: "Ingress",
    metadata: { ...metadataOf(service), annotations },
    spec: { rules: [rule] },
  };
}

/** The password is made once and kept from then on. */
function secretFor(service: MicroServiceDeploy, observed: Observed): Secret {
  const kept = observed.get(Secret, instanceOf(service))?.data;
  const data = kept ?? passwordFile(observed.random);
  return { apiVersion: "v1", kind: "Secret", type: "Opaque", metadata: metadataOf(service), data };
}

/** All services of the same namespace, this one included. */
function neighbours({ metadata: { namespace } }: MicroServiceDeploy, cache: CacheReader) {
  return cache.list(MicroServiceDeploy, { namespace });
}

function metadataOf(service: MicroServiceDeploy) {
  return { name: instanceOf(service), labels: labelsOf(service) };
}

/** Dots are fine in versions, not in names of services. */
function instanceOf({ spec: { msName, version } }: MicroServiceDeploy): string {
  return `${msName}-${version.replaceAll(".", "-")}`;
}

function labelsOf({ spec: { msName, version } }: MicroServiceDeploy): Record<string, string> {
  return { "app.kubernetes.io/name": msName, "app.kubernetes.io/version": version };
}

function hostOf({ spec: { path, version } }: MicroServiceDeploy): string {
  return `${path}.${version.replaceAll(".", "-")}.example.com`;
}
