/** The objects that kube-apiserver makes when it starts, roles and flow control aside, as it would post them. */
import { builtinGroups } from "@kubewright/api/discovery";
import { formatTime, type JsonObject } from "@kubewright/core/meta";
import { SYSTEM_PRIORITIES } from "../../packages/apiserver/src/builtin/priority-classes.ts";
import type { ApiObject } from "../../packages/apiserver/src/resource/object.ts";

/** One object and where it goes. */
export interface BootstrapObject {
  readonly group: string;
  readonly version: string;
  readonly plural: string;
  readonly object: ApiObject;
  /** What is applied to its status then. @default nothing */
  readonly status?: { readonly fieldManager: string; readonly status: JsonObject };
}

const NAMESPACES = ["default", "kube-node-lease", "kube-public", "kube-system"];
const API_SERVER_PORT = 6443;
/** Where the API server is told to be; nothing in the cluster dials it. */
const API_SERVER_ADDRESS = "192.0.2.1";

/** What a server starts with, in the order in which it is made. */
export function bootstrapObjects(): readonly BootstrapObject[] {
  return [
    ...NAMESPACES.map((name) => core("namespaces", { apiVersion: "v1", kind: "Namespace", metadata: { name } })),
    core("services", kubernetesService),
    core("endpoints", kubernetesEndpoints),
    { group: "discovery.k8s.io", version: "v1", plural: "endpointslices", object: kubernetesSlice },
    {
      group: "networking.k8s.io",
      version: "v1",
      plural: "servicecidrs",
      object: serviceAddresses,
      status: rangeStatus,
    },
    ...[...SYSTEM_PRIORITIES].map(([name, { value, description }]) => ({
      group: "scheduling.k8s.io",
      version: "v1",
      plural: "priorityclasses",
      object: { apiVersion: "scheduling.k8s.io/v1", kind: "PriorityClass", metadata: { name }, value, description },
    })),
    ...apiServices(),
  ];
}

function core(plural: string, object: ApiObject): BootstrapObject {
  return { group: "", version: "v1", plural, object };
}

/** The addresses of services. */
const serviceAddresses: ApiObject = {
  apiVersion: "networking.k8s.io/v1",
  kind: "ServiceCIDR",
  metadata: { name: "kubernetes" },
  spec: { cidrs: ["10.0.0.0/24"] },
};
const rangeReady = { type: "Ready", status: "True", message: "Kubernetes default Service CIDR is ready" };
const rangeStatus = {
  fieldManager: "kubernetes-service-cidr-controller",
  status: { conditions: [{ ...rangeReady, lastTransitionTime: formatTime(0) }] },
};

const kubernetesService: ApiObject = {
  apiVersion: "v1",
  kind: "Service",
  metadata: { name: "kubernetes", namespace: "default", labels: { component: "apiserver", provider: "kubernetes" } },
  spec: {
    type: "ClusterIP",
    clusterIP: "10.0.0.1",
    ports: [{ name: "https", protocol: "TCP", port: 443, targetPort: API_SERVER_PORT }],
  },
};

const kubernetesEndpoints: ApiObject = {
  apiVersion: "v1",
  kind: "Endpoints",
  metadata: {
    name: "kubernetes",
    namespace: "default",
    labels: { "endpointslice.kubernetes.io/skip-mirror": "true" },
  },
  subsets: [
    {
      addresses: [{ ip: API_SERVER_ADDRESS }],
      ports: [{ name: "https", port: API_SERVER_PORT, protocol: "TCP" }],
    },
  ],
};

const kubernetesSlice: ApiObject = {
  apiVersion: "discovery.k8s.io/v1",
  kind: "EndpointSlice",
  metadata: { name: "kubernetes", namespace: "default", labels: { "kubernetes.io/service-name": "kubernetes" } },
  addressType: "IPv4",
  endpoints: [{ addresses: [API_SERVER_ADDRESS], conditions: { ready: true } }],
  ports: [{ name: "https", port: API_SERVER_PORT, protocol: "TCP" }],
};

/** How kube-aggregator orders the built-in groups; versions count from 15 unless told. */
const GROUP_PRIORITIES: Readonly<Record<string, number>> = {
  "": 18_000,
  apps: 17_800,
  "events.k8s.io": 17_750,
  "authentication.k8s.io": 17_700,
  "authorization.k8s.io": 17_600,
  autoscaling: 17_500,
  batch: 17_400,
  "certificates.k8s.io": 17_300,
  "networking.k8s.io": 17_200,
  policy: 17_100,
  "rbac.authorization.k8s.io": 17_000,
  "storage.k8s.io": 16_800,
  "apiextensions.k8s.io": 16_700,
  "admissionregistration.k8s.io": 16_700,
  "scheduling.k8s.io": 16_600,
  "coordination.k8s.io": 16_500,
  "node.k8s.io": 16_300,
  "discovery.k8s.io": 16_200,
  "flowcontrol.apiserver.k8s.io": 16_100,
  "internal.apiserver.k8s.io": 16_000,
  "resource.k8s.io": 15_900,
};

const VERSION_PRIORITIES: Readonly<Record<string, number>> = {
  "/v1": 1,
  "autoscaling/v2": 30,
  "flowcontrol.apiserver.k8s.io/v1": 21,
};
const VERSION_PRIORITY = 15;
const GROUP_PRIORITY = 1000;

function apiServices(): BootstrapObject[] {
  const all = builtinGroups.flatMap(({ group, versions }) => versions.map(({ version }) => ({ group, version })));
  return all
    .filter(({ group }) => group !== "apiregistration.k8s.io")
    .map(({ group, version }) => ({
      group: "apiregistration.k8s.io",
      version: "v1",
      plural: "apiservices",
      object: {
        apiVersion: "apiregistration.k8s.io/v1",
        kind: "APIService",
        metadata: {
          name: `${version}.${group}`,
          labels: { "kube-aggregator.kubernetes.io/automanaged": "onstart" },
        },
        spec: {
          ...(group === "" ? {} : { group }),
          version,
          groupPriorityMinimum: GROUP_PRIORITIES[group] ?? GROUP_PRIORITY,
          versionPriority: VERSION_PRIORITIES[`${group}/${version}`] ?? VERSION_PRIORITY,
        },
      },
    }));
}
