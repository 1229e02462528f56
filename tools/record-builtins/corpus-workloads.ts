/** Deployments, ReplicaSets, StatefulSets, DaemonSets, ControllerRevisions, ReplicationControllers. */
import { at, creates, type Scenario, scenario } from "./scenario.ts";

const apps = (plural: string) => at(`/apis/apps/v1/namespaces/default/${plural}`);
const deployments = apps("deployments");
const template = { metadata: { labels: { app: "a" } }, spec: { containers: [{ name: "c", image: "nginx" }] } };
const selector = { matchLabels: { app: "a" } };

function workload(name: string, spec: object = {}): object {
  return { metadata: { name }, spec: { selector, template, ...spec } };
}

const badDeployments: Readonly<Record<string, object>> = {
  "a deployment without selector": { metadata: { name: "x" }, spec: { template } },
  "a deployment without anything": { metadata: { name: "x" } },
  "an empty selector": workload("x", { selector: {} }),
  "a selector that misses": workload("x", { selector: { matchLabels: { app: "b" } } }),
  "a selector with a bad operator": workload("x", { selector: { matchExpressions: [{ key: "a", operator: "Is" }] } }),
  "a selector without values": workload("x", { selector: { matchExpressions: [{ key: "app", operator: "In" }] } }),
  "negative replicas": workload("x", { replicas: -1 }),
  "recreate with parameters": workload("x", { strategy: { type: "Recreate", rollingUpdate: { maxSurge: 1 } } }),
  "an unknown strategy": workload("x", { strategy: { type: "Magic" } }),
  "neither surge nor unavailable": workload("x", { strategy: { rollingUpdate: { maxSurge: 0, maxUnavailable: 0 } } }),
  "more than all unavailable": workload("x", { strategy: { rollingUpdate: { maxUnavailable: "150%" } } }),
  "a percentage without sign": workload("x", { strategy: { rollingUpdate: { maxUnavailable: "many" } } }),
  "a deadline before readiness": workload("x", { progressDeadlineSeconds: 5, minReadySeconds: 10 }),
  "a template that ends": workload("x", {
    template: { ...template, spec: { ...template.spec, restartPolicy: "Never" } },
  }),
  "a template with a deadline": workload("x", {
    template: { ...template, spec: { ...template.spec, activeDeadlineSeconds: 5 } },
  }),
  "a template without containers": workload("x", { template: { metadata: { labels: { app: "a" } } } }),
};

const scalePath = "/apis/apps/v1/namespaces/default/deployments/scaled/scale";
const merge = "application/merge-patch+json";

/** Scenarios about workloads. */
export const workloadScenarios: readonly Scenario[] = [
  ...creates(deployments, {
    "a minimal deployment": workload("minimal"),
    "a deployment that recreates": workload("recreating", { strategy: { type: "Recreate" }, replicas: 0 }),
    "a deployment with a status": { ...workload("statusful"), status: { replicas: 5 } },
    ...badDeployments,
  }),
  scenario(
    "generations of a deployment",
    deployments.create(workload("generations")),
    deployments.merge("generations", { metadata: { labels: { a: "b" } } }),
    deployments.merge("generations", { metadata: { annotations: { a: "b" } } }),
    deployments.merge("generations", { spec: { replicas: 2 } }),
    deployments.merge("generations", { status: { replicas: 2 } }),
    deployments.merge("generations", { spec: { selector: { matchLabels: { app: "b" } } } }),
    deployments.merge("generations", {
      spec: { selector: { matchLabels: { app: "b" } }, template: { metadata: { labels: { app: "b" } } } },
    }),
    {
      method: "PATCH",
      path: "/apis/apps/v1/namespaces/default/deployments/generations/status",
      contentType: merge,
      body: { status: { replicas: 2, readyReplicas: 1 }, metadata: { labels: { z: "z" } } },
    },
    {
      method: "PATCH",
      path: "/apis/apps/v1/namespaces/default/deployments/generations/status",
      contentType: merge,
      body: { status: { replicas: -1, readyReplicas: 5 } },
    },
    deployments.remove("generations"),
  ),
  scenario(
    "the scale of a deployment",
    deployments.create(workload("scaled")),
    { method: "GET", path: scalePath },
    { method: "PUT", path: scalePath, body: { metadata: { name: "scaled" }, spec: { replicas: 3 } } },
    { method: "PATCH", path: scalePath, contentType: merge, body: { spec: { replicas: 0 } } },
    { method: "PUT", path: scalePath, body: { metadata: { name: "scaled" }, spec: { replicas: -3 } } },
    { method: "PUT", path: scalePath, body: { metadata: { name: "other" }, spec: { replicas: 3 } } },
    deployments.get("scaled"),
    { method: "GET", path: "/apis/apps/v1/namespaces/default/deployments/absent/scale" },
  ),
  ...creates(apps("replicasets"), {
    "a minimal replica set": workload("minimal"),
    "a replica set without selector": { metadata: { name: "x" }, spec: { template } },
    "a replica set that misses": workload("x", { selector: { matchLabels: { app: "b" } } }),
  }),
  scenario(
    "a replica set keeps its selector",
    apps("replicasets").create(workload("kept")),
    apps("replicasets").merge("kept", { spec: { replicas: 4 } }),
    apps("replicasets").merge("kept", {
      spec: { selector: { matchLabels: { app: "b" } }, template: { metadata: { labels: { app: "b" } } } },
    }),
    apps("replicasets").list("fieldSelector=status.replicas=0&labelSelector=none"),
    { method: "GET", path: "/apis/apps/v1/namespaces/default/replicasets/kept/scale" },
  ),
  ...creates(apps("statefulsets"), {
    "a minimal stateful set": workload("minimal"),
    "a stateful set with claims": workload("claims", {
      serviceName: "svc",
      volumeClaimTemplates: [
        {
          metadata: { name: "data" },
          spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } } },
        },
      ],
      template: {
        ...template,
        spec: { containers: [{ name: "c", image: "nginx", volumeMounts: [{ name: "data", mountPath: "/data" }] }] },
      },
    }),
    "a stateful set on delete": workload("ondelete", { updateStrategy: { type: "OnDelete" } }),
    "a stateful set with a dotted name": workload("a.b"),
    "a bad pod management": workload("x", { podManagementPolicy: "Chaos" }),
    "a bad service name": workload("x", { serviceName: "A_B" }),
    "a bad update strategy": workload("x", { updateStrategy: { type: "Magic" } }),
    "on delete with parameters": workload("x", {
      updateStrategy: { type: "OnDelete", rollingUpdate: { partition: 1 } },
    }),
    "a stateful set without selector": { metadata: { name: "x" }, spec: { template } },
    "a claim without size": workload("x", {
      volumeClaimTemplates: [{ metadata: { name: "data" }, spec: { accessModes: ["ReadWriteOnce"] } }],
    }),
  }),
  scenario(
    "what changes in a stateful set and what does not",
    apps("statefulsets").create(workload("fixed", { serviceName: "svc" })),
    apps("statefulsets").merge("fixed", { spec: { replicas: 2, minReadySeconds: 3 } }),
    apps("statefulsets").merge("fixed", { spec: { serviceName: "other" } }),
    apps("statefulsets").merge("fixed", { spec: { podManagementPolicy: "Parallel" } }),
    { method: "GET", path: "/apis/apps/v1/namespaces/default/statefulsets/fixed/scale" },
  ),
  ...creates(apps("daemonsets"), {
    "a minimal daemon set": workload("minimal"),
    "a daemon set on delete": workload("ondelete", { updateStrategy: { type: "OnDelete" } }),
    "a daemon set without selector": { metadata: { name: "x" }, spec: { template } },
    "a daemon set with an empty selector": workload("x", { selector: {} }),
    "surge and unavailable at once": workload("x", {
      updateStrategy: { rollingUpdate: { maxSurge: 1, maxUnavailable: 1 } },
    }),
    "neither of both": workload("x", { updateStrategy: { rollingUpdate: { maxSurge: 0, maxUnavailable: 0 } } }),
  }),
  scenario(
    "templates of a daemon set are counted",
    apps("daemonsets").create(workload("counted")),
    apps("daemonsets").merge("counted", { metadata: { labels: { a: "b" } } }),
    apps("daemonsets").merge("counted", { spec: { template: { spec: { priorityClassName: "high" } } } }),
    apps("daemonsets").merge("counted", {
      spec: { selector: { matchLabels: { app: "b" } }, template: { metadata: { labels: { app: "b" } } } },
    }),
  ),
  scenario(
    "controller revisions",
    apps("controllerrevisions").create({ metadata: { name: "r1" }, data: { spec: {} }, revision: 1 }),
    apps("controllerrevisions").merge("r1", { revision: 2 }),
    apps("controllerrevisions").merge("r1", { data: { other: 1 } }),
    apps("controllerrevisions").create({ metadata: { name: "r2" }, revision: 1 }),
    apps("controllerrevisions").create({ metadata: { name: "r3" }, data: {}, revision: -1 }),
  ),
  scenario(
    "replication controllers",
    at("/api/v1/namespaces/default/replicationcontrollers").create({
      metadata: { name: "minimal" },
      spec: { template },
    }),
    at("/api/v1/namespaces/default/replicationcontrollers").create({ metadata: { name: "x" }, spec: {} }),
    { method: "GET", path: "/api/v1/namespaces/default/replicationcontrollers/minimal/scale" },
  ),
];
