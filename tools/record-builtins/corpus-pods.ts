/** Pods: defaults, validation, updates and subresources. */
import { at, creates, type Scenario, scenario } from "./scenario.ts";

const pods = at("/api/v1/namespaces/default/pods");
const container = { name: "c", image: "nginx:1.27" };

function pod(name: string, spec: object = {}, metadata: object = {}): object {
  return {
    apiVersion: "v1",
    kind: "Pod",
    metadata: { name, ...metadata },
    spec: { containers: [container], ...spec },
  };
}

const withContainer = (name: string, fields: object): object =>
  pod(name, { containers: [{ ...container, ...fields }] });

const valid: Readonly<Record<string, object>> = {
  "a minimal pod": pod("minimal"),
  "an untagged image is pulled always": withContainer("untagged", { image: "nginx" }),
  "an image by digest": withContainer("digest", {
    image: "nginx@sha256:0000000000000000000000000000000000000000000000000000000000000000",
  }),
  "a registry with a port": withContainer("registry", { image: "localhost:5000/nginx" }),
  "limits become requests": withContainer("limits", { resources: { limits: { cpu: "0.5", memory: "1024Mi" } } }),
  "requests alone make a burstable pod": withContainer("burstable", { resources: { requests: { cpu: "100m" } } }),
  "ports and probes": withContainer("probes", {
    ports: [{ containerPort: 80 }],
    livenessProbe: { httpGet: { port: 80 } },
    readinessProbe: { tcpSocket: { port: 80 }, periodSeconds: 5 },
    startupProbe: { grpc: { port: 9000 } },
    lifecycle: { preStop: { httpGet: { port: 80 } } },
  }),
  "host network exposes ports": pod("hostnetwork", {
    hostNetwork: true,
    containers: [{ ...container, ports: [{ containerPort: 8080 }] }],
  }),
  "a token without an account": pod("x", {
    volumes: [{ name: "p", projected: { sources: [{ serviceAccountToken: { path: "token" } }] } }],
  }),
  "volumes of many types": pod("volumes", {
    serviceAccountName: "builder",
    volumes: [
      { name: "empty" },
      { name: "secret", secret: { secretName: "s" } },
      { name: "config", configMap: { name: "c", items: [{ key: "a", path: "b" }] } },
      { name: "host", hostPath: { path: "/tmp" } },
      { name: "down", downwardAPI: { items: [{ path: "n", fieldRef: { fieldPath: "metadata.name" } }] } },
      { name: "projected", projected: { sources: [{ serviceAccountToken: { path: "token" } }] } },
      { name: "claim", persistentVolumeClaim: { claimName: "p" } },
    ],
    containers: [{ ...container, volumeMounts: [{ name: "empty", mountPath: "/a" }] }],
  }),
  "environment from everywhere": withContainer("environment", {
    env: [
      { name: "A", value: "1" },
      { name: "N", valueFrom: { fieldRef: { fieldPath: "metadata.name" } } },
      { name: "R", valueFrom: { resourceFieldRef: { resource: "limits.cpu" } } },
      { name: "C", valueFrom: { configMapKeyRef: { name: "c", key: "k" } } },
      { name: "S", valueFrom: { secretKeyRef: { name: "s", key: "k" } } },
    ],
    envFrom: [{ configMapRef: { name: "c" } }, { prefix: "P_", secretRef: { name: "s" } }],
  }),
  "a service account by its old name": pod("account", { serviceAccount: "builder" }),
  "affinity, tolerations and spread": pod("placed", {
    nodeSelector: { disk: "ssd" },
    affinity: {
      nodeAffinity: {
        requiredDuringSchedulingIgnoredDuringExecution: {
          nodeSelectorTerms: [{ matchExpressions: [{ key: "zone", operator: "In", values: ["a"] }] }],
        },
      },
      podAntiAffinity: {
        preferredDuringSchedulingIgnoredDuringExecution: [
          {
            weight: 10,
            podAffinityTerm: { topologyKey: "kubernetes.io/hostname", labelSelector: { matchLabels: { a: "b" } } },
          },
        ],
      },
    },
    tolerations: [{ key: "a", operator: "Exists", effect: "NoSchedule" }],
    topologySpreadConstraints: [
      {
        maxSkew: 1,
        topologyKey: "zone",
        whenUnsatisfiable: "DoNotSchedule",
        labelSelector: { matchLabels: { a: "b" } },
      },
    ],
  }),
  "init containers and sidecars": pod("inits", {
    initContainers: [
      { name: "first", image: "busybox" },
      { name: "side", image: "busybox", restartPolicy: "Always" },
    ],
  }),
  "gated scheduling": pod("gated", { schedulingGates: [{ name: "example.com/wait" }] }),
  "a status that nobody asked for": { ...pod("nostatus"), status: { phase: "Running", podIP: "1.2.3.4" } },
  "a generated name": pod("", {}, { name: undefined, generateName: "Generated-" }),
  "a variable that hides another": withContainer("hiding", {
    env: [
      { name: "A", value: "1" },
      { name: "A", value: "2" },
    ],
  }),
  "a port defined twice": withContainer("twoports", { ports: [{ containerPort: 80 }, { containerPort: 80 }] }),
};

const invalid: Readonly<Record<string, object>> = {
  "no containers": pod("x", { containers: [] }),
  "no spec": { apiVersion: "v1", kind: "Pod", metadata: { name: "x" } },
  "a bad name": pod("Bad_Name"),
  "no name": { apiVersion: "v1", kind: "Pod", metadata: {}, spec: { containers: [container] } },
  "a bad label": pod("x", {}, { labels: { "a b": "c d" } }),
  "a container without name and image": pod("x", { containers: [{}] }),
  "a bad container name": withContainer("x", { name: "A" }),
  "two containers of one name": pod("x", { containers: [container, container] }),
  "an image with spaces": withContainer("x", { image: " nginx" }),
  "a port out of range": withContainer("x", { ports: [{ containerPort: 70_000 }] }),
  "a bad port name": withContainer("x", { ports: [{ containerPort: 80, name: "Web_Port_Of_Mine" }] }),
  "a bad protocol": withContainer("x", { ports: [{ containerPort: 80, protocol: "HTTP" }] }),
  "a host port taken twice": pod("x", {
    containers: [
      { ...container, ports: [{ containerPort: 80, hostPort: 80 }] },
      { name: "d", image: "b", ports: [{ containerPort: 81, hostPort: 80 }] },
    ],
  }),
  "a mount without its volume": withContainer("x", { volumeMounts: [{ name: "v", mountPath: "/a" }] }),
  "two mounts at one path": pod("x", {
    volumes: [{ name: "v" }, { name: "w" }],
    containers: [
      {
        ...container,
        volumeMounts: [
          { name: "v", mountPath: "/a" },
          { name: "w", mountPath: "/a" },
        ],
      },
    ],
  }),
  "two volumes of one name": pod("x", { volumes: [{ name: "v" }, { name: "v" }] }),
  "a volume of two types": pod("x", { volumes: [{ name: "v", emptyDir: {}, hostPath: { path: "/a" } }] }),
  "a secret volume without secret": pod("x", { volumes: [{ name: "v", secret: {} }] }),
  "requests above limits": withContainer("x", { resources: { requests: { cpu: "2" }, limits: { cpu: "1" } } }),
  "a negative request": withContainer("x", { resources: { requests: { cpu: "-1" } } }),
  "an unknown resource": withContainer("x", { resources: { requests: { gpus: "1" } } }),
  "an extended resource without limit": withContainer("x", { resources: { requests: { "example.com/gpu": "1" } } }),
  "a quantity that is none": withContainer("x", { resources: { requests: { cpu: "much" } } }),
  "a bad restart policy": pod("x", { restartPolicy: "Sometimes" }),
  "a bad pull policy": withContainer("x", { imagePullPolicy: "Maybe" }),
  "a bad DNS policy": pod("x", { dnsPolicy: "Whatever" }),
  "no name servers": pod("x", { dnsPolicy: "None" }),
  "a probe without handler": withContainer("x", { livenessProbe: {} }),
  "a probe with two handlers": withContainer("x", {
    livenessProbe: { exec: { command: ["a"] }, tcpSocket: { port: 80 } },
  }),
  "a liveness probe with a threshold": withContainer("x", {
    livenessProbe: { tcpSocket: { port: 80 }, successThreshold: 2 },
  }),
  "a negative probe delay": withContainer("x", {
    readinessProbe: { tcpSocket: { port: 80 }, initialDelaySeconds: -1 },
  }),
  "an environment variable without name": withContainer("x", { env: [{ value: "1" }] }),
  "an environment variable named with =": withContainer("x", { env: [{ name: "a=b" }] }),
  "a value and a source": withContainer("x", {
    env: [{ name: "A", value: "1", valueFrom: { fieldRef: { fieldPath: "metadata.name" } } }],
  }),
  "a source of nothing": withContainer("x", { env: [{ name: "A", valueFrom: {} }] }),
  "a field that is not exposed": withContainer("x", {
    env: [{ name: "A", valueFrom: { fieldRef: { fieldPath: "spec.containers" } } }],
  }),
  "a bad toleration": pod("x", { tolerations: [{ operator: "Equal", value: "a" }] }),
  "seconds for the wrong effect": pod("x", {
    tolerations: [{ key: "a", operator: "Exists", effect: "NoSchedule", tolerationSeconds: 3 }],
  }),
  "a bad node selector": pod("x", { nodeSelector: { "a b": "c" } }),
  "affinity without terms": pod("x", {
    affinity: { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [] } } },
  }),
  "a spread without skew": pod("x", {
    topologySpreadConstraints: [
      { maxSkew: 0, topologyKey: "zone", whenUnsatisfiable: "ScheduleAnyway", labelSelector: {} },
    ],
  }),
  "a bad hostname": pod("x", { hostname: "a.b" }),
  "a deadline of nothing": pod("x", { activeDeadlineSeconds: 0 }),
  "a lifecycle for an init container": pod("x", {
    initContainers: [{ name: "i", image: "b", lifecycle: { preStop: { exec: { command: ["a"] } } } }],
  }),
  "a user below zero": pod("x", { securityContext: { runAsUser: -1 } }),
  "privileged without escalation": withContainer("x", {
    securityContext: { privileged: true, allowPrivilegeEscalation: false },
  }),
  "a field that is not there": { ...pod("unknown-field"), spec: { containers: [container], colour: "red" } },
  "a value of the wrong type": pod("x", { hostNetwork: "yes" }),
};

const bindingOf = (name: string, node: string): object => ({
  apiVersion: "v1",
  kind: "Binding",
  metadata: { name },
  target: { apiVersion: "v1", kind: "Node", name: node },
});
const evictionOf = (name: string): object => ({ apiVersion: "policy/v1", kind: "Eviction", metadata: { name } });
const path = "/api/v1/namespaces/default/pods";

/** Scenarios about pods. */
export const podScenarios: readonly Scenario[] = [
  ...creates(pods, valid),
  ...creates(pods, invalid),
  scenario(
    "what changes in a pod and what does not",
    pods.create(pod("changing", { tolerations: [{ key: "a", operator: "Exists" }] })),
    pods.merge("changing", { spec: { containers: [{ ...container, image: "nginx:2" }] } }),
    pods.merge("changing", { spec: { activeDeadlineSeconds: 100 } }),
    pods.merge("changing", { spec: { activeDeadlineSeconds: 200 } }),
    pods.merge("changing", { spec: { hostname: "other" } }),
    pods.merge("changing", { spec: { tolerations: [] } }),
    pods.merge("changing", { spec: { containers: [container, { name: "d", image: "b" }] } }),
    pods.merge("changing", { metadata: { labels: { a: "b" } }, status: { phase: "Running" } }),
  ),
  scenario(
    "a pod is bound once",
    pods.create(pod("bound")),
    { method: "POST", path: `${path}/bound/binding`, body: bindingOf("bound", "node-1") },
    pods.get("bound"),
    { method: "POST", path: `${path}/bound/binding`, body: bindingOf("bound", "node-2") },
    { method: "POST", path: `${path}/bound/binding`, body: bindingOf("other", "node-2") },
    pods.list("fieldSelector=spec.nodeName=node-1"),
    pods.list("fieldSelector=spec.nodename=node-1"),
  ),
  scenario(
    "a pod bound through bindings",
    pods.create(pod("bound-old-way")),
    { method: "POST", path: "/api/v1/namespaces/default/bindings", body: bindingOf("bound-old-way", "node-1") },
    { method: "POST", path: "/api/v1/namespaces/default/bindings", body: bindingOf("absent", "node-1") },
  ),
  scenario(
    "a gated pod is not bound",
    pods.create(pod("gated-2", { schedulingGates: [{ name: "example.com/wait" }] })),
    { method: "POST", path: `${path}/gated-2/binding`, body: bindingOf("gated-2", "node-1") },
    pods.merge("gated-2", { spec: { nodeSelector: { a: "b" } } }),
    pods.merge("gated-2", { spec: { schedulingGates: [{ name: "example.com/other" }] } }),
    pods.merge("gated-2", { spec: { schedulingGates: [] } }),
  ),
  scenario(
    "the status of a pod",
    pods.create(pod("reported")),
    {
      method: "PATCH",
      path: `${path}/reported/status`,
      contentType: "application/merge-patch+json",
      body: {
        status: { phase: "Running", podIP: "10.1.2.3", conditions: [{ type: "Ready", status: "True" }] },
        spec: { nodeName: "ignored" },
      },
    },
    { method: "GET", path: `${path}/reported/status` },
  ),
  scenario("an unscheduled pod goes at once", pods.create(pod("gone")), pods.remove("gone"), pods.get("gone")),
  scenario(
    "a scheduled pod goes in grace",
    pods.create(pod("graceful")),
    { method: "POST", path: `${path}/graceful/binding`, body: bindingOf("graceful", "node-1") },
    pods.remove("graceful"),
    pods.remove("graceful", { gracePeriodSeconds: 5 }),
    { method: "POST", path: `${path}/graceful/binding`, body: bindingOf("graceful", "node-1") },
    pods.remove("graceful", { gracePeriodSeconds: 0 }),
    pods.get("graceful"),
  ),
  scenario(
    "evictions",
    pods.create(pod("evicted", {}, { labels: { app: "evicted" } })),
    { method: "POST", path: `${path}/evicted/eviction`, body: evictionOf("other") },
    { method: "POST", path: `${path}/evicted/eviction`, body: evictionOf("evicted") },
    { method: "POST", path: `${path}/absent/eviction`, body: evictionOf("absent") },
  ),
  scenario(
    "a budget against an eviction",
    at("/apis/policy/v1/namespaces/default/poddisruptionbudgets").create({
      metadata: { name: "guard" },
      spec: { minAvailable: 1, selector: { matchLabels: { app: "guarded" } } },
    }),
    pods.create(pod("guarded", {}, { labels: { app: "guarded" } })),
    {
      method: "PATCH",
      path: `${path}/guarded/status`,
      contentType: "application/merge-patch+json",
      body: { status: { phase: "Running" } },
    },
    { method: "POST", path: `${path}/guarded/eviction`, body: evictionOf("guarded") },
    {
      method: "PATCH",
      path: "/apis/policy/v1/namespaces/default/poddisruptionbudgets/guard/status",
      contentType: "application/merge-patch+json",
      body: {
        status: { observedGeneration: 1, disruptionsAllowed: 0, desiredHealthy: 1, currentHealthy: 1, expectedPods: 1 },
      },
    },
    {
      method: "PATCH",
      path: `${path}/guarded/status`,
      contentType: "application/merge-patch+json",
      body: { status: { conditions: [{ type: "Ready", status: "True" }] } },
    },
    { method: "POST", path: `${path}/guarded/eviction`, body: evictionOf("guarded") },
  ),
  scenario(
    "ephemeral containers",
    pods.create(pod("debugged")),
    {
      method: "PATCH",
      path: `${path}/debugged/ephemeralcontainers`,
      contentType: "application/merge-patch+json",
      body: { spec: { ephemeralContainers: [{ name: "debug", image: "busybox", targetContainerName: "c" }] } },
    },
    {
      method: "PATCH",
      path: `${path}/debugged/ephemeralcontainers`,
      contentType: "application/merge-patch+json",
      body: { spec: { ephemeralContainers: [] } },
    },
  ),
  scenario(
    "a pod is resized",
    pods.create(pod("resized", { containers: [{ ...container, resources: { requests: { cpu: "100m" } } }] })),
    {
      method: "PATCH",
      path: `${path}/resized/resize`,
      contentType: "application/strategic-merge-patch+json",
      body: { spec: { containers: [{ name: "c", resources: { requests: { cpu: "200m" } } }] } },
    },
  ),
  scenario(
    "logs of pods that run nowhere",
    pods.create(pod("silent", { containers: [container, { name: "d", image: "b" }] })),
    { method: "GET", path: `${path}/silent/log` },
    { method: "GET", path: `${path}/silent/log?container=c` },
    { method: "GET", path: `${path}/silent/log?container=z` },
    { method: "GET", path: `${path}/silent/log?container=c&tailLines=-1` },
    { method: "GET", path: `${path}/absent/log` },
    { method: "POST", path: `${path}/silent/exec?container=c&command=ls&stdout=true` },
    { method: "POST", path: `${path}/silent/portforward` },
  ),
];
