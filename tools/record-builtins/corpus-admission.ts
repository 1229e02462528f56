/** What admission fills in and refuses: limits, quotas, priorities, tolerations, classes, nodes, certificate requests. */
import { at, type Requests, type Scenario, type Step, scenario } from "./scenario.ts";

const namespaces = at("/api/v1/namespaces");
const core = (namespace: string, plural: string): Requests => at(`/api/v1/namespaces/${namespace}/${plural}`);
const namespace = (name: string): Step => namespaces.create({ metadata: { name } });
const c = { name: "c", image: "i" };
const pod = (name: string, spec: object = {}): object => ({ metadata: { name }, spec: { containers: [c], ...spec } });
const using = (name: string, ...resources: readonly object[]): object =>
  pod(name, { containers: resources.map((own, index) => ({ name: `c${index}`, image: "i", resources: own })) });
const claim = (name: string, spec: object = {}): object => ({
  metadata: { name },
  spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } }, ...spec },
});
const isDefault = (type: string): object => ({ [`${type}.kubernetes.io/is-default-class`]: "true" });
const classes = at("/apis/storage.k8s.io/v1/storageclasses");
const priorities = at("/apis/scheduling.k8s.io/v1/priorityclasses");
const runtimeClasses = at("/apis/node.k8s.io/v1/runtimeclasses");

function quota(own: string, name: string, hard: object, spec: object = {}): readonly Step[] {
  const quotas = core(own, "resourcequotas");
  const used = Object.fromEntries(Object.keys(hard).map((resource) => [resource, "0"]));
  const status = { hard, used };
  return [
    quotas.create({ metadata: { name }, spec: { hard, ...spec } }),
    { ...quotas.merge(`${name}/status`, { status }) },
  ];
}

const limited = core("limited", "pods");
const limits: Scenario = {
  ...scenario(
    "limit ranges",
    limited.create(using("filled", {}, { limits: { cpu: "200m" } })),
    limited.create(using("requests", { requests: { cpu: "200m" } })),
    limited.create(using("too-much", { limits: { memory: "2Gi" } })),
    limited.create(using("too-little", { requests: { cpu: "1m" }, limits: { cpu: "1m" } })),
    limited.create(using("ratio", { requests: { cpu: "20m" }, limits: { cpu: "900m" } })),
    limited.create(using("several", { requests: { cpu: "1m" }, limits: { cpu: "2" } })),
    limited.create(using("of-pod", ...[1, 2, 3].map(() => ({ limits: { memory: "900Mi" } })))),
    limited.create(pod("init", { initContainers: [{ ...c, name: "i", resources: { limits: { memory: "3Gi" } } }] })),
    limited.merge("filled", { metadata: { labels: { a: "b" } } }),
    core("limited", "persistentvolumeclaims").create(claim("small", { resources: { requests: { storage: "1Mi" } } })),
    core("limited", "persistentvolumeclaims").create(claim("large", { resources: { requests: { storage: "9Gi" } } })),
    core("limited", "persistentvolumeclaims").create(claim("fits")),
  ),
  setup: [
    namespace("limited"),
    core("limited", "limitranges").create({
      metadata: { name: "l" },
      spec: {
        limits: [
          {
            type: "Container",
            max: { memory: "1Gi", cpu: "1" },
            min: { cpu: "10m" },
            default: { memory: "512Mi" },
            defaultRequest: { memory: "256Mi", cpu: "100m" },
            maxLimitRequestRatio: { cpu: "20" },
          },
          { type: "Pod", max: { memory: "2Gi" }, min: { memory: "1Mi" } },
          { type: "PersistentVolumeClaim", min: { storage: "10Mi" }, max: { storage: "5Gi" } },
        ],
      },
    }),
  ],
};

const minimal: Scenario = {
  ...scenario(
    "limit ranges that ask for what is not told",
    core("asked", "pods").create(pod("silent")),
    core("asked", "pods").create(using("told", { requests: { "ephemeral-storage": "1Gi" } })),
  ),
  setup: [
    namespace("asked"),
    core("asked", "limitranges").create({
      metadata: { name: "l" },
      spec: { limits: [{ type: "Pod", min: { cpu: "100m" }, max: { "ephemeral-storage": "1Gi" } }] },
    }),
  ],
};

const quotas: Scenario = {
  ...scenario(
    "quotas",
    core("counted", "configmaps").create({ metadata: { name: "a" } }),
    core("counted", "configmaps").create({ metadata: { name: "b" } }),
    core("counted", "secrets").create({ metadata: { name: "a" } }),
    core("counted", "services").create({
      metadata: { name: "a" },
      spec: { type: "LoadBalancer", ports: [{ port: 80 }] },
    }),
    core("counted", "services").create({ metadata: { name: "b" }, spec: { type: "NodePort", ports: [{ port: 80 }] } }),
    core("counted", "persistentvolumeclaims").create(claim("a")),
    core("counted", "persistentvolumeclaims").create(claim("b")),
    core("counted", "persistentvolumeclaims").create(claim("c", { storageClassName: "gold" })),
    at("/apis/apps/v1/namespaces/counted/deployments").create({
      metadata: { name: "d" },
      spec: {
        selector: { matchLabels: { a: "b" } },
        template: { metadata: { labels: { a: "b" } }, spec: { containers: [c] } },
      },
    }),
    core("counted", "resourcequotas").get("q"),
    core("counted", "configmaps").remove("a"),
    core("metered", "pods").create(pod("silent")),
    core("metered", "pods").create(
      using("greedy", { requests: { cpu: "600m", memory: "1Gi" }, limits: { cpu: "2", memory: "1Gi" } }),
    ),
    core("metered", "pods").create(
      using("modest", { requests: { cpu: "500m", memory: "1Gi" }, limits: { cpu: "1", memory: "1Gi" } }),
    ),
    core("metered", "pods").create(
      using("one-more", { requests: { cpu: "600m", memory: "1Gi" }, limits: { cpu: "1", memory: "1Gi" } }),
    ),
    core("metered", "resourcequotas").get("q"),
    core("scoped", "pods").create(pod("best-effort")),
    core("scoped", "pods").create(using("burstable", { requests: { cpu: "1m" } })),
    core("scoped", "pods").create(pod("important", { priorityClassName: "system-node-critical" })),
    core("ending", "pods").create(pod("ending", { activeDeadlineSeconds: 5 })),
    core("ending", "pods").create(pod("lasting")),
  ),
  setup: [
    namespace("counted"),
    namespace("metered"),
    namespace("scoped"),
    ...quota("counted", "q", {
      configmaps: "1",
      secrets: "0",
      services: "2",
      "services.loadbalancers": "1",
      "services.nodeports": "1",
      persistentvolumeclaims: "2",
      "requests.storage": "3Gi",
      "gold.storageclass.storage.k8s.io/requests.storage": "0",
      "count/deployments.apps": "0",
    }),
    ...quota("metered", "q", {
      cpu: "1",
      "limits.cpu": "2",
      "requests.memory": "2Gi",
      "limits.memory": "2Gi",
      pods: "3",
    }),
    ...quota("scoped", "best-effort", { pods: "0" }, { scopes: ["BestEffort"] }),
    ...quota("scoped", "not-best-effort", { pods: "0" }, { scopes: ["NotBestEffort"] }),
    namespace("ending"),
    ...quota("ending", "terminating", { pods: "0" }, { scopes: ["Terminating"] }),
  ],
};

const own = core("admitted", "pods");
const pods: Scenario = {
  ...scenario(
    "priorities, tolerations and runtime classes of pods",
    own.create(pod("plain")),
    own.create(pod("high", { priorityClassName: "high" })),
    own.create(pod("agreeing", { priorityClassName: "high", priority: 1000 })),
    own.create(pod("disagreeing", { priorityClassName: "high", priority: 5 })),
    own.create(pod("number", { priority: 5 })),
    own.create(pod("zero", { priority: 0 })),
    own.create(pod("never", { priorityClassName: "never" })),
    own.create(pod("never-against", { priorityClassName: "never", preemptionPolicy: "PreemptLowerPriority" })),
    own.create(pod("unknown", { priorityClassName: "unknown" })),
    own.create(pod("critical", { priorityClassName: "system-cluster-critical" })),
    own.create(
      pod("tolerant", {
        tolerations: [
          { key: "node.kubernetes.io/not-ready", operator: "Exists", effect: "NoExecute", tolerationSeconds: 5 },
        ],
      }),
    ),
    own.create(pod("all-tolerant", { tolerations: [{ operator: "Exists" }] })),
    own.create(
      pod("other-effect", {
        tolerations: [{ key: "node.kubernetes.io/unreachable", operator: "Exists", effect: "NoSchedule" }],
      }),
    ),
    own.create(pod("runtime", { runtimeClassName: "heavy" })),
    own.create(pod("runtime-scheduled", { runtimeClassName: "placed", nodeSelector: { a: "b" } })),
    own.create(pod("runtime-conflict", { runtimeClassName: "placed", nodeSelector: { disk: "slow" } })),
    own.create(pod("runtime-unknown", { runtimeClassName: "unknown" })),
    own.create(pod("overhead", { overhead: { cpu: "1" } })),
    own.create(pod("overhead-wrong", { runtimeClassName: "heavy", overhead: { cpu: "1" } })),
    own.create(pod("overhead-right", { runtimeClassName: "heavy", overhead: { cpu: "250m" } })),
    own.merge("plain", { metadata: { labels: { a: "b" } } }),
  ),
  setup: [
    namespace("admitted"),
    priorities.create({ metadata: { name: "high" }, value: 1000 }),
    priorities.create({ metadata: { name: "never" }, value: 10, preemptionPolicy: "Never" }),
    runtimeClasses.create({ metadata: { name: "heavy" }, handler: "h", overhead: { podFixed: { cpu: "250m" } } }),
    runtimeClasses.create({
      metadata: { name: "placed" },
      handler: "h",
      scheduling: { nodeSelector: { disk: "fast" }, tolerations: [{ key: "t", operator: "Exists" }] },
    }),
  ],
};

const globalPriority: Scenario = {
  ...scenario(
    "a global default priority",
    own.create(pod("by-default")),
    priorities.create({ metadata: { name: "usual-too" }, value: 8, globalDefault: true }),
    priorities.merge("usual", { globalDefault: false }),
  ),
  setup: [priorities.create({ metadata: { name: "usual" }, value: 7, globalDefault: true, preemptionPolicy: "Never" })],
};

const claims = core("stored", "persistentvolumeclaims");
const volumes = at("/api/v1/persistentvolumes");
const storage: Scenario = {
  ...scenario(
    "classes and protection of volumes and claims",
    claims.create(claim("by-default")),
    claims.create(claim("none", { storageClassName: "" })),
    claims.create(claim("other", { storageClassName: "fixed" })),
    claims.create({
      ...claim("annotated"),
      metadata: { name: "annotated", annotations: { "volume.beta.kubernetes.io/storage-class": "fixed" } },
    }),
    volumes.create({
      metadata: { name: "protected" },
      spec: { capacity: { storage: "1Gi" }, accessModes: ["ReadWriteOnce"], hostPath: { path: "/x" } },
    }),
    { ...claims.merge("by-default/status", { status: { phase: "Bound", capacity: { storage: "1Gi" } } }) },
    { ...claims.merge("other/status", { status: { phase: "Bound", capacity: { storage: "1Gi" } } }) },
    claims.merge("by-default", { spec: { resources: { requests: { storage: "2Gi" } } } }),
    claims.merge("other", { spec: { resources: { requests: { storage: "2Gi" } } } }),
    claims.merge("none", { spec: { resources: { requests: { storage: "2Gi" } } } }),
  ),
  setup: [
    namespace("stored"),
    classes.create({
      metadata: { name: "older", annotations: isDefault("storageclass") },
      provisioner: "p",
      allowVolumeExpansion: true,
    }),
    classes.create({ metadata: { name: "fixed" }, provisioner: "p" }),
  ],
};

const networking = "/apis/networking.k8s.io/v1";
const ingresses = at(`${networking}/namespaces/stored/ingresses`);
const backend = { service: { name: "s", port: { number: 80 } } };
const ingressClass: Scenario = {
  ...scenario(
    "the default ingress class",
    ingresses.create({ metadata: { name: "a" }, spec: { defaultBackend: backend } }),
    ingresses.create({ metadata: { name: "b" }, spec: { defaultBackend: backend, ingressClassName: "own" } }),
    ingresses.create({
      metadata: { name: "c", annotations: { "kubernetes.io/ingress.class": "old" } },
      spec: { defaultBackend: backend },
    }),
  ),
  setup: [
    at(`${networking}/ingressclasses`).create({
      metadata: { name: "usual", annotations: isDefault("ingressclass") },
      spec: { controller: "example.com/c" },
    }),
  ],
};

const nodes = at("/api/v1/nodes");
const node: Scenario = {
  ...scenario(
    "nodes are not ready at first, and lend their topology to pods",
    nodes.create({ metadata: { name: "n" } }),
    nodes.create({
      metadata: {
        name: "tainted",
        labels: {
          "topology.kubernetes.io/zone": "z",
          "topology.kubernetes.io/region": "r",
          "kubernetes.io/hostname": "h",
        },
      },
      spec: { taints: [{ key: "a", effect: "NoSchedule" }] },
    }),
    nodes.create({
      metadata: { name: "again" },
      spec: { taints: [{ key: "node.kubernetes.io/not-ready", effect: "NoSchedule" }] },
    }),
    own.create(pod("placed", { nodeName: "tainted" })),
    own.create(pod("bound")),
    {
      method: "POST",
      path: "/api/v1/namespaces/admitted/pods/bound/binding",
      body: { metadata: { name: "bound" }, target: { kind: "Node", name: "tainted" } },
    },
    own.get("bound"),
  ),
};

const lifecycle: Scenario = scenario(
  "namespaces",
  core("not-there", "configmaps").create({ metadata: { name: "a" } }),
  namespaces.remove("default"),
  namespaces.remove("kube-system"),
  namespaces.remove("kube-public"),
  namespaces.create({ metadata: { name: "leaving" } }),
  core("leaving", "configmaps").create({ metadata: { name: "a" } }),
  namespaces.remove("leaving"),
  core("leaving", "configmaps").create({ metadata: { generateName: "late-" } }),
  core("leaving", "configmaps").merge("a", { data: { a: "b" } }),
  core("leaving", "configmaps").remove("a"),
  {
    method: "POST",
    path: "/apis/authorization.k8s.io/v1/namespaces/leaving/localsubjectaccessreviews",
    body: { spec: { user: "u", resourceAttributes: { verb: "get", resource: "pods", namespace: "leaving" } } },
  },
  {
    method: "POST",
    path: "/apis/authorization.k8s.io/v1/namespaces/not-there/localsubjectaccessreviews",
    body: { spec: { user: "u", resourceAttributes: { verb: "get", resource: "pods", namespace: "not-there" } } },
  },
);

/** The scenarios. Those with defaults for all namespaces come last. */
export const admissionScenarios: readonly Scenario[] = [
  lifecycle,
  limits,
  minimal,
  quotas,
  pods,
  node,
  storage,
  ingressClass,
  globalPriority,
];
