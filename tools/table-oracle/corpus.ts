/**
 * Objects whose tables are recorded from kube-apiserver: every kind with columns of its own, in the states that change
 * what its row says. `status` is written through the status endpoint. Times lie so far back that their ages are stable.
 */

type Fields = Readonly<Record<string, unknown>>;
type Named = { readonly name: string } & Fields;

/** One object of the corpus. */
export interface CorpusObject {
  /** Path of the collection. */
  readonly path: string;
  readonly object: { readonly metadata: Named } & Fields;
  readonly status?: Fields;
  /** Deleted after it was made; a finalizer keeps it. @default false */
  readonly isDeleted?: boolean;
}

const NAMESPACE = "/api/v1/namespaces/default";
const APPS = "/apis/apps/v1/namespaces/default";
const LONG_AGO = "2020-02-03T04:05:06Z";
const LATER = "2020-02-03T04:09:21Z";

const template = {
  metadata: { labels: { app: "a", tier: "web" } },
  spec: {
    containers: [
      { name: "one", image: "example.com/one:1" },
      { name: "two", image: "two" },
    ],
  },
};
const selector = {
  matchLabels: { app: "a" },
  matchExpressions: [{ key: "tier", operator: "In", values: ["web", "api"] }],
};

function pod(name: string, status: object, spec: object = {}): CorpusObject {
  const containers = [
    { name: "one", image: "one:1" },
    { name: "two", image: "two" },
  ];
  return {
    path: `${NAMESPACE}/pods`,
    object: { metadata: { name }, spec: { containers, ...spec } },
    status: { ...status },
  };
}

function container(name: string, state: object, rest: object = {}): object {
  return { name, image: name, imageID: "", ready: false, restartCount: 0, state, ...rest };
}

const running = { running: { startedAt: LONG_AGO } };
const waiting = (reason: string): object => ({ waiting: { reason } });
const terminated = (exitCode: number, rest: object = {}): object => ({ terminated: { exitCode, ...rest } });
const ready = { ready: true, started: true };
const condition = (type: string, status: string, rest: object = {}): object => ({ type, status, ...rest });
const initContainers = [
  { name: "init", image: "init" },
  { name: "sidecar", image: "sidecar", restartPolicy: "Always" },
];

const pods: readonly CorpusObject[] = [
  pod("pod-new", { phase: "Pending", nominatedNodeName: "node-b" }),
  pod("pod-gated", { phase: "Pending" }, { schedulingGates: [{ name: "example.com/gate" }] }),
  pod("pod-evicted", { phase: "Failed", reason: "Evicted" }),
  pod("pod-succeeded", {
    phase: "Succeeded",
    containerStatuses: [
      container("one", terminated(0, { reason: "Completed" })),
      container("two", terminated(0, { reason: "Completed" })),
    ],
  }),
  pod("pod-failed", {
    phase: "Failed",
    containerStatuses: [
      container("one", terminated(0, { reason: "Completed" })),
      container("two", terminated(3, { reason: "Error" })),
    ],
  }),
  pod(
    "pod-running",
    {
      phase: "Running",
      podIPs: [{ ip: "10.1.2.3" }],
      podIP: "10.1.2.3",
      conditions: [condition("Ready", "True"), condition("example.com/gate", "True")],
      containerStatuses: [
        container("one", running, { ...ready, restartCount: 2, lastState: terminated(1, { finishedAt: LONG_AGO }) }),
        container("two", running, { ...ready, restartCount: 1, lastState: terminated(1, { finishedAt: LATER }) }),
      ],
    },
    {
      nodeName: "node-a",
      readinessGates: [{ conditionType: "example.com/gate" }, { conditionType: "example.com/other" }],
    },
  ),
  pod("pod-crashing", {
    phase: "Running",
    containerStatuses: [
      container("one", running, ready),
      container("two", waiting("CrashLoopBackOff"), { restartCount: 7 }),
    ],
  }),
  pod("pod-half-complete", {
    phase: "Running",
    conditions: [condition("Ready", "True")],
    containerStatuses: [container("one", terminated(0, { reason: "Completed" })), container("two", running, ready)],
  }),
  pod("pod-not-ready", {
    phase: "Running",
    containerStatuses: [container("one", terminated(0, { reason: "Completed" })), container("two", running, ready)],
  }),
  pod("pod-signal", { phase: "Running", containerStatuses: [container("one", terminated(0, { signal: 9 }))] }),
  pod("pod-exit-code", { phase: "Running", containerStatuses: [container("one", terminated(4))] }),
  pod(
    "pod-init-progress",
    { phase: "Pending", initContainerStatuses: [container("init", waiting("PodInitializing"), { restartCount: 1 })] },
    { initContainers },
  ),
  pod(
    "pod-init-error",
    {
      phase: "Pending",
      initContainerStatuses: [
        container("init", terminated(2, { reason: "Error" }), {
          restartCount: 4,
          lastState: terminated(2, { finishedAt: LONG_AGO }),
        }),
      ],
    },
    { initContainers },
  ),
  pod(
    "pod-init-code",
    { phase: "Pending", initContainerStatuses: [container("init", terminated(2))] },
    { initContainers },
  ),
  pod(
    "pod-init-image",
    { phase: "Pending", initContainerStatuses: [container("init", waiting("ImagePullBackOff"))] },
    { initContainers },
  ),
  pod(
    "pod-sidecar",
    {
      phase: "Running",
      conditions: [condition("Initialized", "True"), condition("Ready", "True")],
      initContainerStatuses: [
        container("init", terminated(0, { reason: "Completed" }), { restartCount: 3 }),
        container("sidecar", running, { ...ready, restartCount: 2 }),
      ],
      containerStatuses: [container("one", running, ready), container("two", running, ready)],
    },
    { initContainers },
  ),
  pod(
    "pod-sidecar-starting",
    {
      phase: "Pending",
      initContainerStatuses: [
        container("init", terminated(0, { reason: "Completed" })),
        container("sidecar", running, { started: false }),
      ],
    },
    { initContainers },
  ),
  {
    path: `${NAMESPACE}/pods`,
    object: {
      metadata: { name: "pod-going", finalizers: ["example.com/hold"] },
      spec: { containers: [{ name: "one", image: "one" }] },
    },
    status: { phase: "Running" },
    isDeleted: true,
  },
];

const workloads: readonly CorpusObject[] = [
  { path: `${NAMESPACE}/podtemplates`, object: { metadata: { name: "template" }, template } },
  {
    path: `${NAMESPACE}/replicationcontrollers`,
    object: { metadata: { name: "controller" }, spec: { replicas: 2, selector: { app: "a", tier: "web" }, template } },
    status: { replicas: 2, readyReplicas: 1 },
  },
  {
    path: `${APPS}/replicasets`,
    object: { metadata: { name: "set" }, spec: { replicas: 3, selector, template } },
    status: { replicas: 2, readyReplicas: 1 },
  },
  {
    path: `${APPS}/deployments`,
    object: { metadata: { name: "deployment" }, spec: { replicas: 3, selector, template } },
    status: { replicas: 3, readyReplicas: 1, updatedReplicas: 2, availableReplicas: 1 },
  },
  {
    path: `${APPS}/statefulsets`,
    object: { metadata: { name: "stateful" }, spec: { serviceName: "s", replicas: 2, selector, template } },
    status: { replicas: 2, readyReplicas: 2 },
  },
  {
    path: `${APPS}/daemonsets`,
    object: {
      metadata: { name: "daemon" },
      spec: { selector, template: { ...template, spec: { ...template.spec, nodeSelector: { disk: "ssd", a: "b" } } } },
    },
    status: {
      desiredNumberScheduled: 5,
      currentNumberScheduled: 4,
      numberReady: 3,
      updatedNumberScheduled: 2,
      numberAvailable: 1,
      numberMisscheduled: 0,
    },
  },
  {
    path: `${APPS}/controllerrevisions`,
    object: {
      metadata: {
        name: "revision",
        ownerReferences: [{ apiVersion: "apps/v1", kind: "StatefulSet", name: "s", uid: "1", controller: true }],
      },
      revision: 4,
      data: {},
    },
  },
  { path: `${APPS}/controllerrevisions`, object: { metadata: { name: "revision-alone" }, revision: 1, data: {} } },
  ...jobs(),
  {
    path: "/apis/batch/v1/namespaces/default/cronjobs",
    object: {
      metadata: { name: "cron" },
      spec: {
        schedule: "*/5 * * * *",
        timeZone: "Europe/Berlin",
        suspend: true,
        jobTemplate: { spec: { template: { spec: { ...template.spec, restartPolicy: "Never" } } } },
      },
    },
    status: { lastScheduleTime: LONG_AGO, active: [{ kind: "Job", name: "x", namespace: "default" }] },
  },
  {
    path: "/apis/batch/v1/namespaces/default/cronjobs",
    object: {
      metadata: { name: "cron-idle" },
      spec: {
        schedule: "@hourly",
        jobTemplate: { spec: { template: { spec: { ...template.spec, restartPolicy: "Never" } } } },
      },
    },
  },
];

function jobs(): readonly CorpusObject[] {
  const path = "/apis/batch/v1/namespaces/default/jobs";
  const spec = { template: { spec: { ...template.spec, restartPolicy: "Never" } } };
  const done = [
    condition("SuccessCriteriaMet", "True", { lastTransitionTime: LATER }),
    condition("Complete", "True", { lastTransitionTime: LATER }),
  ];
  return [
    { path, object: { metadata: { name: "job-new" }, spec } },
    {
      path,
      object: { metadata: { name: "job-running" }, spec: { ...spec, completions: 3 } },
      status: { startTime: LONG_AGO, succeeded: 1 },
    },
    {
      path,
      object: { metadata: { name: "job-done" }, spec },
      status: { startTime: LONG_AGO, completionTime: LATER, succeeded: 1, conditions: done },
    },
    { path, object: { metadata: { name: "job-queue" }, spec: { ...spec, parallelism: 4 } }, status: { succeeded: 0 } },
    {
      path,
      object: { metadata: { name: "job-suspended" }, spec: { ...spec, suspend: true } },
      status: { conditions: [condition("Suspended", "True", { lastTransitionTime: LATER })] },
    },
  ];
}

const scaling: readonly CorpusObject[] = [
  {
    path: "/apis/policy/v1/namespaces/default/poddisruptionbudgets",
    object: { metadata: { name: "budget" }, spec: { minAvailable: "50%", selector } },
    status: { disruptionsAllowed: 2, currentHealthy: 0, desiredHealthy: 0, expectedPods: 0 },
  },
  {
    path: "/apis/policy/v1/namespaces/default/poddisruptionbudgets",
    object: { metadata: { name: "budget-max" }, spec: { maxUnavailable: 1, selector } },
  },
  autoscaler("autoscaler-default", undefined),
  autoscaler("autoscaler-many", [
    { type: "Resource", resource: { name: "memory", target: { type: "AverageValue", averageValue: "100Mi" } } },
    { type: "Pods", pods: { metric: { name: "p" }, target: { type: "AverageValue", averageValue: "7" } } },
    { type: "External", external: { metric: { name: "e" }, target: { type: "Value", value: "30" } } },
  ]),
  autoscaler(
    "autoscaler-measured",
    [
      { type: "Resource", resource: { name: "cpu", target: { type: "Utilization", averageUtilization: 60 } } },
      { type: "External", external: { metric: { name: "e" }, target: { type: "AverageValue", averageValue: "30" } } },
    ],
    {
      currentReplicas: 4,
      currentMetrics: [
        { type: "Resource", resource: { name: "cpu", current: { averageUtilization: 33, averageValue: "10m" } } },
        { type: "External", external: { metric: { name: "e" }, current: { averageValue: "12" } } },
      ],
    },
  ),
];

function autoscaler(name: string, metrics: unknown, status: Record<string, unknown> = {}): CorpusObject {
  return {
    path: "/apis/autoscaling/v2/namespaces/default/horizontalpodautoscalers",
    object: {
      metadata: { name },
      spec: { scaleTargetRef: { apiVersion: "apps/v1", kind: "Deployment", name: "a" }, maxReplicas: 9, metrics },
    },
    status: { currentReplicas: 0, desiredReplicas: 1, ...status },
  };
}

const ports = [
  { name: "http", port: 80 },
  { name: "dns", port: 53, protocol: "UDP" },
];

/** Addresses and ports that the corpus chooses are of the low part of their ranges: a server gives from the high one. */
const networking: readonly CorpusObject[] = [
  service("service", { selector: { app: "a" }, ports }),
  service("service-headless", { clusterIP: "None", externalIPs: ["1.2.3.4", "1.2.3.5"] }),
  service("service-node-port", { type: "NodePort", clusterIP: "10.0.0.7", ports: [{ port: 80, nodePort: 30077 }] }),
  service("service-name", { type: "ExternalName", externalName: "example.com" }),
  service("service-pending", { type: "LoadBalancer", ports: [{ port: 81, nodePort: 30078 }] }),
  {
    ...service("service-balanced", {
      type: "LoadBalancer",
      externalIPs: ["1.2.3.4"],
      ports: [{ port: 82, nodePort: 30079 }],
    }),
    status: { loadBalancer: { ingress: [{ ip: "9.9.9.9" }, { hostname: "balancer.example.com" }] } },
  },
  {
    path: `${NAMESPACE}/endpoints`,
    object: {
      metadata: { name: "endpoints" },
      subsets: [
        {
          addresses: [{ ip: "10.1.0.1" }, { ip: "10.1.0.2" }],
          ports: [
            { name: "a", port: 80 },
            { name: "b", port: 81 },
          ],
        },
        { addresses: [{ ip: "10.1.0.3" }] },
      ],
    },
  },
  { path: `${NAMESPACE}/endpoints`, object: { metadata: { name: "endpoints-none" } } },
  {
    path: "/apis/discovery.k8s.io/v1/namespaces/default/endpointslices",
    object: {
      metadata: { name: "slice" },
      addressType: "IPv4",
      endpoints: [
        { addresses: ["10.1.0.1"] },
        { addresses: ["10.1.0.2"] },
        { addresses: ["10.1.0.3"] },
        { addresses: ["10.1.0.4"] },
      ],
      ports: [
        { name: "a", port: 80 },
        { name: "b", port: 81 },
      ],
    },
  },
  {
    path: "/apis/discovery.k8s.io/v1/namespaces/default/endpointslices",
    object: { metadata: { name: "slice-empty" }, addressType: "IPv6", endpoints: [], ports: [] },
  },
  ingress("ingress", {
    ingressClassName: "nginx",
    rules: ["a", "b", "c", "d"].map((host) => ({ host: `${host}.example.com` })),
    tls: [{ hosts: ["a.example.com"] }],
  }),
  {
    ...ingress("ingress-balanced", { defaultBackend: { service: { name: "s", port: { number: 80 } } } }),
    status: { loadBalancer: { ingress: [{ ip: "9.9.9.9" }, { hostname: "balancer.example.com" }] } },
  },
  {
    path: "/apis/networking.k8s.io/v1/ingressclasses",
    object: {
      metadata: { name: "class", annotations: { "ingressclass.kubernetes.io/is-default-class": "true" } },
      spec: { controller: "example.com/c", parameters: { apiGroup: "example.com", kind: "P", name: "p" } },
    },
  },
  {
    path: "/apis/networking.k8s.io/v1/ingressclasses",
    object: { metadata: { name: "class-plain" }, spec: { controller: "example.com/c" } },
  },
  {
    path: "/apis/networking.k8s.io/v1/namespaces/default/networkpolicies",
    object: { metadata: { name: "policy" }, spec: { podSelector: selector } },
  },
  {
    path: "/apis/networking.k8s.io/v1/namespaces/default/networkpolicies",
    object: { metadata: { name: "policy-all" }, spec: { podSelector: {} } },
  },
  {
    path: "/apis/networking.k8s.io/v1/servicecidrs",
    object: { metadata: { name: "range" }, spec: { cidrs: ["10.7.0.0/24"] } },
  },
  {
    path: "/apis/networking.k8s.io/v1/ipaddresses",
    object: {
      metadata: {
        name: "10.7.0.9",
        labels: { "ipaddress.kubernetes.io/ip-family": "IPv4", "ipaddress.kubernetes.io/managed-by": "x" },
      },
      spec: { parentRef: { group: "", resource: "services", namespace: "default", name: "s" } },
    },
  },
];

function service(name: string, spec: object): CorpusObject {
  return { path: `${NAMESPACE}/services`, object: { metadata: { name }, spec } };
}

function ingress(name: string, spec: object): CorpusObject {
  return { path: "/apis/networking.k8s.io/v1/namespaces/default/ingresses", object: { metadata: { name }, spec } };
}

const storage: readonly CorpusObject[] = [
  {
    path: "/api/v1/persistentvolumes",
    object: {
      metadata: { name: "volume" },
      spec: {
        capacity: { storage: "1024Mi" },
        accessModes: ["ReadOnlyMany", "ReadWriteOnce"],
        hostPath: { path: "/x" },
        storageClassName: "fast",
        claimRef: { namespace: "default", name: "claim" },
      },
    },
    status: { phase: "Released", reason: "Why" },
  },
  {
    path: `${NAMESPACE}/persistentvolumeclaims`,
    object: {
      metadata: { name: "claim" },
      spec: {
        accessModes: ["ReadWriteOncePod"],
        resources: { requests: { storage: "1Gi" } },
        storageClassName: "fast",
      },
    },
  },
  {
    path: `${NAMESPACE}/persistentvolumeclaims`,
    object: {
      metadata: { name: "claim-bound", annotations: { "volume.beta.kubernetes.io/storage-class": "old" } },
      spec: {
        accessModes: ["ReadWriteMany"],
        resources: { requests: { storage: "1Gi" } },
        volumeName: "volume",
        volumeMode: "Block",
      },
    },
    status: { phase: "Bound", accessModes: ["ReadWriteMany"], capacity: { storage: "2Gi" } },
  },
  {
    path: "/apis/storage.k8s.io/v1/storageclasses",
    object: {
      metadata: { name: "fast", annotations: { "storageclass.kubernetes.io/is-default-class": "true" } },
      provisioner: "example.com/p",
      reclaimPolicy: "Retain",
      volumeBindingMode: "WaitForFirstConsumer",
      allowVolumeExpansion: true,
    },
  },
  {
    path: "/apis/storage.k8s.io/v1/storageclasses",
    object: { metadata: { name: "slow" }, provisioner: "example.com/p" },
  },
  {
    path: "/apis/storage.k8s.io/v1/volumeattributesclasses",
    object: { metadata: { name: "attributes" }, driverName: "example.com", parameters: { a: "b" } },
  },
  {
    path: "/apis/storage.k8s.io/v1/volumeattachments",
    object: {
      metadata: { name: "attachment" },
      spec: { attacher: "example.com", nodeName: "node-a", source: { persistentVolumeName: "volume" } },
    },
    status: { attached: true },
  },
  {
    path: "/apis/storage.k8s.io/v1/csinodes",
    object: { metadata: { name: "node-a" }, spec: { drivers: [{ name: "d", nodeID: "n", topologyKeys: null }] } },
  },
  {
    path: "/apis/storage.k8s.io/v1/csidrivers",
    object: {
      metadata: { name: "driver" },
      spec: {
        attachRequired: false,
        tokenRequests: [{ audience: "a" }, { audience: "b" }],
        volumeLifecycleModes: ["Persistent", "Ephemeral"],
      },
    },
  },
  { path: "/apis/storage.k8s.io/v1/csidrivers", object: { metadata: { name: "driver-plain" }, spec: {} } },
  {
    path: "/apis/storage.k8s.io/v1/namespaces/default/csistoragecapacities",
    object: { metadata: { name: "capacity" }, storageClassName: "fast", capacity: "3Gi" },
  },
];

const core: readonly CorpusObject[] = [
  { path: "/api/v1/namespaces", object: { metadata: { name: "other" } } },
  {
    path: `${NAMESPACE}/configmaps`,
    object: { metadata: { name: "config" }, data: { a: "1" }, binaryData: { b: "AA==" } },
  },
  { path: `${NAMESPACE}/configmaps`, object: { metadata: { name: "config-empty" } } },
  { path: `${NAMESPACE}/secrets`, object: { metadata: { name: "secret" }, stringData: { a: "1", b: "2" } } },
  { path: `${NAMESPACE}/serviceaccounts`, object: { metadata: { name: "account" } } },
  {
    path: "/api/v1/nodes",
    object: {
      metadata: {
        name: "node-a",
        labels: { "node-role.kubernetes.io/worker": "", "kubernetes.io/role": "edge" },
      },
      spec: { unschedulable: true },
    },
    status: {
      conditions: [condition("Ready", "True")],
      addresses: [
        { type: "Hostname", address: "h" },
        { type: "InternalIP", address: "10.9.9.9" },
      ],
      nodeInfo: {
        kubeletVersion: "v1.36.3",
        osImage: "Linux",
        kernelVersion: "6.1",
        containerRuntimeVersion: "containerd://2",
        architecture: "amd64",
        bootID: "",
        kubeProxyVersion: "",
        machineID: "",
        operatingSystem: "linux",
        systemUUID: "",
      },
    },
  },
  { path: "/api/v1/nodes", object: { metadata: { name: "node-b" } } },
  {
    path: "/api/v1/nodes",
    object: { metadata: { name: "node-c" } },
    status: { conditions: [condition("Ready", "Unknown")] },
  },
  {
    path: "/api/v1/namespaces/other/resourcequotas",
    object: { metadata: { name: "quota" }, spec: { hard: { pods: "5", "limits.cpu": "2", "requests.cpu": "1" } } },
    status: { hard: { pods: "5", "limits.cpu": "2", "requests.cpu": "1" }, used: { pods: "1", "limits.cpu": "500m" } },
  },
  { path: `${NAMESPACE}/limitranges`, object: { metadata: { name: "limits" }, spec: { limits: [] } } },
  {
    path: "/apis/coordination.k8s.io/v1/namespaces/default/leases",
    object: { metadata: { name: "lease" }, spec: { holderIdentity: "me" } },
  },
  {
    path: "/apis/scheduling.k8s.io/v1/priorityclasses",
    object: { metadata: { name: "high" }, value: 1000, globalDefault: false },
  },
  { path: "/apis/node.k8s.io/v1/runtimeclasses", object: { metadata: { name: "runtime" }, handler: "gvisor" } },
  event("event", { count: 3, firstTimestamp: LONG_AGO, lastTimestamp: LATER, source: { component: "c", host: "h" } }),
  event("event-once", { source: { component: "c" }, firstTimestamp: LONG_AGO }),
  event("event-new", {
    eventTime: "2020-02-03T04:05:06.000000Z",
    reportingComponent: "r",
    reportingInstance: "i",
    action: "a",
    series: { count: 9, lastObservedTime: "2020-02-03T04:09:06.000000Z" },
  }),
];

function event(name: string, rest: object): CorpusObject {
  const involvedObject = { kind: "Pod", namespace: "default", name: "p", fieldPath: "spec.containers{one}" };
  return {
    path: `${NAMESPACE}/events`,
    object: { metadata: { name }, involvedObject, type: "Normal", reason: "R", message: " text \n", ...rest },
  };
}

const REQUEST =
  "LS0tLS1CRUdJTiBDRVJUSUZJQ0FURSBSRVFVRVNULS0tLS0KTUlITE1IUUNBUUF3RWpFUU1BNEdBMVVFQXd3SGMyOXRaVzl1WlRCWk1CTUdCeXFHU000OUFnRUdDQ3FHU000OQpBd0VIQTBJQUJPcWpNTzRiVWo4M2dFUi9Bdzc3THNZbmVCMERNbkJrY2N3QnJFVEZhaCt0eVk5STlFOUlaWHloCitBM2wrbHgrUFBNR3IrV1RSNHFZZlMyOG1oSGh4dEdnQURBS0JnZ3Foa2pPUFFRREFnTkhBREJFQWlCYzVTNGgKdlFsU1JvSTdrMWh0emRjL2Z2VHNjcVd2NHNIUmc2R1pvc1pKN1FJZ2R4dkY3bnp2dU9LRmIybE9hU25XdW1RMwoyTmFsVngzSnQwOEtkTGc2K3VZPQotLS0tLUVORCBDRVJUSUZJQ0FURSBSRVFVRVNULS0tLS0K";
const ADMISSION = "/apis/admissionregistration.k8s.io/v1";
const RBAC = "/apis/rbac.authorization.k8s.io/v1";
const subjects = [
  { kind: "User", name: "u", apiGroup: "rbac.authorization.k8s.io" },
  { kind: "User", name: "v", apiGroup: "rbac.authorization.k8s.io" },
  { kind: "Group", name: "g", apiGroup: "rbac.authorization.k8s.io" },
  { kind: "ServiceAccount", name: "s", namespace: "default" },
];
const webhook = {
  name: "a.example.com",
  admissionReviewVersions: ["v1"],
  sideEffects: "None",
  clientConfig: { url: "https://127.0.0.1:1" },
  rules: [],
};
const matchConstraints = {
  resourceRules: [
    { apiGroups: ["none.example.com"], apiVersions: ["v1"], operations: ["CREATE"], resources: ["none"] },
  ],
};

const access: readonly CorpusObject[] = [
  { path: `${RBAC}/namespaces/default/roles`, object: { metadata: { name: "role" }, rules: [] } },
  { path: `${RBAC}/clusterroles`, object: { metadata: { name: "cluster-role" }, rules: [] } },
  {
    path: `${RBAC}/namespaces/default/rolebindings`,
    object: {
      metadata: { name: "binding" },
      roleRef: { kind: "Role", name: "role", apiGroup: "rbac.authorization.k8s.io" },
      subjects,
    },
  },
  {
    path: `${RBAC}/clusterrolebindings`,
    object: {
      metadata: { name: "cluster-binding" },
      roleRef: { kind: "ClusterRole", name: "cluster-role", apiGroup: "rbac.authorization.k8s.io" },
    },
  },
  {
    path: `${ADMISSION}/mutatingwebhookconfigurations`,
    object: { metadata: { name: "mutating" }, webhooks: [webhook, { ...webhook, name: "b.example.com" }] },
  },
  { path: `${ADMISSION}/validatingwebhookconfigurations`, object: { metadata: { name: "validating" }, webhooks: [] } },
  {
    path: `${ADMISSION}/validatingadmissionpolicies`,
    object: {
      metadata: { name: "policy" },
      spec: {
        matchConstraints,
        paramKind: { apiVersion: "v1", kind: "ConfigMap" },
        validations: [{ expression: "true" }],
      },
    },
  },
  {
    path: `${ADMISSION}/validatingadmissionpolicies`,
    object: { metadata: { name: "policy-plain" }, spec: { matchConstraints, validations: [{ expression: "true" }] } },
  },
  {
    path: `${ADMISSION}/mutatingadmissionpolicies`,
    object: {
      metadata: { name: "policy" },
      spec: {
        matchConstraints,
        reinvocationPolicy: "Never",
        mutations: [{ patchType: "ApplyConfiguration", applyConfiguration: { expression: "Object{}" } }],
      },
    },
  },
  {
    path: `${ADMISSION}/mutatingadmissionpolicybindings`,
    object: { metadata: { name: "binding" }, spec: { policyName: "policy" } },
  },
  ...policyBindings(),
  signingRequest("request", {}),
  signingRequest("request-long", { expirationSeconds: 86_400 }),
  {
    path: "/apis/flowcontrol.apiserver.k8s.io/v1/flowschemas",
    object: {
      metadata: { name: "flow" },
      spec: { priorityLevelConfiguration: { name: "nothing" }, matchingPrecedence: 9999, rules: [] },
    },
  },
  {
    path: "/apis/flowcontrol.apiserver.k8s.io/v1/prioritylevelconfigurations",
    object: {
      metadata: { name: "level" },
      spec: { type: "Limited", limited: { nominalConcurrencyShares: 5, limitResponse: { type: "Reject" } } },
    },
  },
  {
    path: "/apis/apiregistration.k8s.io/v1/apiservices",
    object: {
      metadata: { name: "v1.none.example.com" },
      spec: {
        group: "none.example.com",
        version: "v1",
        groupPriorityMinimum: 10,
        versionPriority: 10,
        insecureSkipTLSVerify: true,
        service: { namespace: "default", name: "nothing" },
      },
    },
  },
];

/** A request of "someone", made with OpenSSL; nobody keeps its key. */
function signingRequest(name: string, rest: object): CorpusObject {
  return {
    path: "/apis/certificates.k8s.io/v1/certificatesigningrequests",
    object: {
      metadata: { name },
      spec: { request: REQUEST, signerName: "example.com/s", usages: ["client auth"], ...rest },
    },
  };
}

function policyBindings(): readonly CorpusObject[] {
  const path = `${ADMISSION}/validatingadmissionpolicybindings`;
  const binding = (name: string, paramRef?: object): CorpusObject => ({
    path,
    object: { metadata: { name }, spec: { policyName: "policy", validationActions: ["Deny"], paramRef } },
  });
  const action = { parameterNotFoundAction: "Allow" };
  return [
    binding("binding"),
    binding("binding-named", { name: "p", namespace: "default", ...action }),
    binding("binding-anywhere", { name: "p", ...action }),
    binding("binding-selector", { selector, ...action }),
  ];
}

const devices: readonly CorpusObject[] = [
  { path: "/apis/resource.k8s.io/v1/deviceclasses", object: { metadata: { name: "class" }, spec: {} } },
  {
    path: "/apis/resource.k8s.io/v1/namespaces/default/resourceclaims",
    object: { metadata: { name: "claim" }, spec: {} },
  },
  {
    path: "/apis/resource.k8s.io/v1/namespaces/default/resourceclaimtemplates",
    object: { metadata: { name: "template" }, spec: { spec: {} } },
  },
  {
    path: "/apis/resource.k8s.io/v1/resourceslices",
    object: {
      metadata: { name: "slice" },
      spec: { driver: "d.example.com", nodeName: "node-a", pool: { name: "p", generation: 1, resourceSliceCount: 1 } },
    },
  },
];

const widgetSpec = {
  type: "object",
  properties: {
    metadata: { type: "object" },
    spec: { type: "object", "x-kubernetes-preserve-unknown-fields": true },
  },
};

function columns(...defined: readonly (readonly [name: string, type: string, jsonPath: string])[]): object[] {
  return defined.map(([name, type, jsonPath]) => ({ name, type, jsonPath }));
}

const customColumns = [
  ...columns(
    ["Size", "integer", ".spec.size"],
    ["Whole", "integer", ".spec.ratio"],
    ["Not a number", "integer", ".spec.note"],
    ["Ratio", "number", ".spec.ratio"],
    ["Enabled", "boolean", ".spec.enabled"],
    ["Since", "date", ".spec.since"],
    ["Bad date", "date", ".spec.note"],
    ["Text of number", "string", ".spec.ratio"],
    ["Text of large", "string", ".spec.large"],
    ["Text of flag", "string", ".spec.enabled"],
    ["Text of list", "string", ".spec.tags"],
    ["First tag", "string", ".spec.tags[0]"],
    ["Last tag", "string", ".spec.tags[-1]"],
    ["All tags", "string", ".spec.tags[*]"],
    ["Far tag", "string", ".spec.tags[9]"],
    ["Object", "string", ".spec.object"],
    ["Null", "string", ".spec.nothing"],
    ["Null integer", "integer", ".spec.nothing"],
    ["Ready", "string", '.spec.conditions[?(@.type=="Ready")].status'],
    ["Ready reason", "string", ".spec.conditions[?(@.type=='Ready')].reason"],
    ["Large count", "string", ".spec.conditions[?(@.count>3)].type"],
    ["Wrong filter", "string", ".spec.object[?(@.a)]"],
    ["Escaped", "string", ".metadata.annotations.example\\.com/x"],
    ["Brackets", "string", ".metadata.annotations['example.com/x']"],
    ["Escaped brackets", "string", ".metadata.annotations['example\\.com/x']"],
    ["Descent", "string", "..deep"],
    ["Union", "string", ".spec['note','size']"],
    ["Slice", "string", ".spec.tags[1:3]"],
  ),
  { name: "Note", type: "string", jsonPath: ".spec.note", description: "The note.", priority: 1, format: "byte" },
];

function definition(plural: string, kind: string, additionalPrinterColumns?: object[]): CorpusObject {
  const version = { name: "v1", served: true, storage: true, schema: { openAPIV3Schema: widgetSpec } };
  return {
    path: "/apis/apiextensions.k8s.io/v1/customresourcedefinitions",
    object: {
      metadata: { name: `${plural}.table.example.com` },
      spec: {
        group: "table.example.com",
        scope: "Cluster",
        names: { plural, singular: plural.slice(0, -1), kind },
        versions: [{ ...version, additionalPrinterColumns }],
      },
    },
  };
}

const widget = { apiVersion: "table.example.com/v1", kind: "Widget" };

const custom: readonly CorpusObject[] = [
  definition("widgets", "Widget", customColumns),
  definition("gears", "Gear"),
  {
    path: "/apis/table.example.com/v1/widgets",
    object: {
      ...widget,
      metadata: { name: "full", annotations: { "example.com/x": "annotated" } },
      spec: {
        size: 3,
        ratio: 1.5,
        large: 12345678.5,
        enabled: true,
        since: LONG_AGO,
        note: "noted",
        nothing: null,
        tags: ["a", "b<", "c"],
        object: { z: 1, a: { deep: "found", list: [1.5, true, null] } },
        conditions: [
          { type: "Synced", status: "False", count: 2 },
          { type: "Ready", status: "True", reason: "Because", count: 5 },
        ],
      },
    },
  },
  { path: "/apis/table.example.com/v1/widgets", object: { ...widget, metadata: { name: "empty" } } },
  {
    path: "/apis/table.example.com/v1/widgets",
    object: {
      ...widget,
      metadata: { name: "odd" },
      spec: { size: "3", ratio: 4, tags: "x", conditions: {}, since: 5, object: [] },
    },
  },
  { path: "/apis/table.example.com/v1/gears", object: { ...widget, kind: "Gear", metadata: { name: "plain" } } },
];

/** All objects; later ones may need earlier ones. */
export const corpus: readonly CorpusObject[] = [
  ...core,
  ...pods,
  ...workloads,
  ...scaling,
  ...networking,
  ...storage,
  ...access,
  ...devices,
  ...custom,
];
