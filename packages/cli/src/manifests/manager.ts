/** The operator in the cluster: its namespace and Deployment, and how its metrics are reached. */
import type { JsonObject } from "@kubewright/core/meta";
import type { LoadedConfig } from "../project/load-config.ts";
import { DEBUG_PORT, installationNames } from "./installation-names.ts";

const HEALTH_PORT = 8081;
const METRICS_PORT = 8443;
/** No user of any base image; the same that distroless images use. */
const USER = 65532;
/** Longer than the operator itself waits for running reconciles. */
const GRACE_SECONDS = 40;

/** The namespace, in which only pods run that meet the restricted standard. */
export function namespaceObject(config: LoadedConfig): JsonObject {
  const { namespace, labels } = installationNames(config);
  return {
    apiVersion: "v1",
    kind: "Namespace",
    metadata: { name: namespace, labels: { ...labels, "pod-security.kubernetes.io/enforce": "restricted" } },
  };
}

/** The Deployment that runs the operator. */
export function managerObject(config: LoadedConfig): JsonObject {
  const names = installationNames(config);
  return {
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata: { name: names.manager, namespace: names.namespace, labels: { ...names.labels, ...names.podLabels } },
    spec: {
      replicas: config.replicas,
      selector: { matchLabels: names.podLabels },
      template: {
        metadata: {
          labels: names.podLabels,
          annotations: { "kubectl.kubernetes.io/default-container": "manager" },
        },
        spec: {
          serviceAccountName: names.manager,
          terminationGracePeriodSeconds: GRACE_SECONDS,
          securityContext: {
            runAsNonRoot: true,
            runAsUser: USER,
            runAsGroup: USER,
            seccompProfile: { type: "RuntimeDefault" },
          },
          containers: [container(config)],
        },
      },
    },
  };
}

function container(config: LoadedConfig): JsonObject {
  const watch = config.scope === "namespaced" ? [fieldVariable("WATCH_NAMESPACE", "metadata.namespace")] : [];
  return {
    name: "manager",
    image: config.image,
    args: [
      "--leader-elect",
      `--leader-election-id=${config.name}`,
      `--health-probe-bind-address=:${HEALTH_PORT}`,
      `--metrics-bind-address=:${METRICS_PORT}`,
      "--metrics-secure",
      `--debug-bind-address=127.0.0.1:${DEBUG_PORT}`,
    ],
    env: [fieldVariable("POD_NAMESPACE", "metadata.namespace"), ...watch],
    ports: [
      { name: "health", containerPort: HEALTH_PORT, protocol: "TCP" },
      { name: "metrics", containerPort: METRICS_PORT, protocol: "TCP" },
    ],
    livenessProbe: { httpGet: { path: "/healthz", port: "health" }, initialDelaySeconds: 15, periodSeconds: 20 },
    readinessProbe: { httpGet: { path: "/readyz", port: "health" }, initialDelaySeconds: 2, periodSeconds: 10 },
    resources: { limits: { cpu: "500m", memory: "256Mi" }, requests: { cpu: "10m", memory: "96Mi" } },
    securityContext: {
      allowPrivilegeEscalation: false,
      capabilities: { drop: ["ALL"] },
      readOnlyRootFilesystem: true,
    },
  };
}

function fieldVariable(name: string, fieldPath: string): JsonObject {
  return { name, valueFrom: { fieldRef: { fieldPath } } };
}

/** The Service in front of the metrics. */
export function metricsService(config: LoadedConfig): JsonObject {
  const names = installationNames(config);
  return {
    apiVersion: "v1",
    kind: "Service",
    metadata: {
      name: names.metricsService,
      namespace: names.namespace,
      labels: { ...names.labels, ...names.podLabels },
    },
    spec: {
      selector: names.podLabels,
      ports: [{ name: "https", port: METRICS_PORT, targetPort: "metrics", protocol: "TCP" }],
    },
  };
}

/** Nobody reaches the operator's pods, but namespaces with the label `metrics: enabled` their metrics. */
export function networkPolicy(config: LoadedConfig): JsonObject {
  const names = installationNames(config);
  return {
    apiVersion: "networking.k8s.io/v1",
    kind: "NetworkPolicy",
    metadata: { name: `${config.name}-allow-metrics`, namespace: names.namespace, labels: names.labels },
    spec: {
      podSelector: { matchLabels: names.podLabels },
      policyTypes: ["Ingress"],
      ingress: [
        {
          from: [{ namespaceSelector: { matchLabels: { metrics: "enabled" } } }],
          ports: [{ port: METRICS_PORT, protocol: "TCP" }],
        },
      ],
    },
  };
}

/** How the Prometheus operator finds the metrics. The operator's certificate is its own, so it is not verified. */
export function serviceMonitor(config: LoadedConfig): JsonObject {
  const names = installationNames(config);
  return {
    apiVersion: "monitoring.coreos.com/v1",
    kind: "ServiceMonitor",
    metadata: { name: names.metricsService, namespace: names.namespace, labels: names.labels },
    spec: {
      endpoints: [
        {
          path: "/metrics",
          port: "https",
          scheme: "https",
          bearerTokenFile: "/var/run/secrets/kubernetes.io/serviceaccount/token",
          tlsConfig: { insecureSkipVerify: true },
        },
      ],
      selector: { matchLabels: names.podLabels },
    },
  };
}
