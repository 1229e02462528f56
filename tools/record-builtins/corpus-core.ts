/** Namespaces, Nodes, ConfigMaps, Secrets, ServiceAccounts, Events, quotas. */
import { at, creates, type Scenario, scenario } from "./scenario.ts";

const core = (plural: string) => at(`/api/v1/namespaces/default/${plural}`);
const namespaces = at("/api/v1/namespaces");
const nodes = at("/api/v1/nodes");
const configMaps = core("configmaps");
const secrets = core("secrets");
const events = core("events");
const newEvents = at("/apis/events.k8s.io/v1/namespaces/default/events");
const regarding = { kind: "Pod", namespace: "default", name: "p" };
const newEvent = {
  metadata: { name: "new" },
  regarding,
  eventTime: "2020-01-02T03:04:05.000006Z",
  reportingController: "example.com/c",
  reportingInstance: "c-1",
  action: "Acting",
  reason: "Reason",
  note: "something happened",
  type: "Normal",
};

/** Scenarios about the core kinds. */
export const coreScenarios: readonly Scenario[] = [
  scenario(
    "a namespace from beginning to end",
    namespaces.create({ metadata: { name: "life" } }),
    namespaces.update("life", { metadata: { name: "life", labels: { a: "b" } }, spec: { finalizers: ["other.io/x"] } }),
    namespaces.list("fieldSelector=status.phase=Active,metadata.name=life"),
    namespaces.remove("life"),
    namespaces.get("life"),
    namespaces.remove("life"),
    { method: "PUT", path: "/api/v1/namespaces/life/finalize", body: { metadata: { name: "life" }, spec: {} } },
    namespaces.get("life"),
  ),
  ...creates(namespaces, {
    "a namespace with finalizers": { metadata: { name: "finalized" }, spec: { finalizers: ["example.com/f"] } },
    "a namespace with a wrong label": {
      metadata: { name: "label", labels: { "kubernetes.io/metadata.name": "other" } },
    },
    "a namespace with dots": { metadata: { name: "a.b" } },
    "a namespace with a status": { metadata: { name: "phase" }, status: { phase: "Terminating" } },
  }),
  scenario(
    "nodes",
    nodes.create({ metadata: { name: "n1" }, status: { capacity: { cpu: "4", memory: "1024Mi" } } }),
    nodes.merge("n1", { spec: { podCIDR: "10.1.0.0/24", podCIDRs: ["10.1.0.0/24"], providerID: "a" } }),
    nodes.merge("n1", { spec: { providerID: "b" } }),
    nodes.merge("n1", { spec: { podCIDR: "10.2.0.0/24" } }),
    nodes.merge("n1", { spec: { taints: [{ key: "a b", effect: "NoSchedule" }] } }),
    nodes.merge("n1", { spec: { taints: [{ key: "a", effect: "NoSchedule" }] } }),
    nodes.merge("n1", { spec: { taints: [{ key: "a", effect: "Sometimes" }] } }),
    nodes.merge("n1", { spec: { unschedulable: true } }),
    nodes.list("fieldSelector=spec.unschedulable=true"),
    {
      method: "PATCH",
      path: "/api/v1/nodes/n1/status",
      contentType: "application/merge-patch+json",
      body: { status: { conditions: [{ type: "Ready", status: "True" }] }, spec: { unschedulable: false } },
    },
    nodes.remove("n1"),
  ),
  ...creates(configMaps, {
    "a config map": { metadata: { name: "plain" }, data: { a: "1" }, binaryData: { b: "AAE=" } },
    "an empty config map": { metadata: { name: "empty" } },
    "a bad key": { metadata: { name: "x" }, data: { "a b": "1" } },
    "a key in both": { metadata: { name: "x" }, data: { a: "1" }, binaryData: { a: "AAE=" } },
    "bytes that are none": { metadata: { name: "x" }, binaryData: { a: "?" } },
    "a number as data": { metadata: { name: "x" }, data: { a: 1 } },
  }),
  scenario(
    "an immutable config map",
    configMaps.create({ metadata: { name: "frozen" }, data: { a: "1" }, immutable: true }),
    configMaps.merge("frozen", { data: { a: "2" } }),
    configMaps.merge("frozen", { immutable: false }),
    configMaps.merge("frozen", { metadata: { labels: { a: "b" } } }),
    configMaps.remove("frozen"),
  ),
  ...creates(secrets, {
    "a secret of text": { metadata: { name: "text" }, stringData: { a: "b" }, data: { c: "ZA==" } },
    "a secret of both": { metadata: { name: "both" }, stringData: { a: "b" }, data: { a: "ZA==" } },
    "an incomplete tls secret": { metadata: { name: "x" }, type: "kubernetes.io/tls", data: { "tls.crt": "" } },
    "an empty basic auth": { metadata: { name: "x" }, type: "kubernetes.io/basic-auth" },
    "an empty ssh auth": { metadata: { name: "x" }, type: "kubernetes.io/ssh-auth" },
    "an empty docker config": { metadata: { name: "x" }, type: "kubernetes.io/dockerconfigjson" },
    "a token without account": { metadata: { name: "x" }, type: "kubernetes.io/service-account-token" },
    "a bad key": { metadata: { name: "x" }, data: { "a b": "" } },
  }),
  scenario(
    "what changes in a secret and what does not",
    secrets.create({ metadata: { name: "changing" }, stringData: { a: "b" } }),
    secrets.merge("changing", { stringData: { c: "d" } }),
    secrets.merge("changing", { type: "other" }),
    secrets.merge("changing", { immutable: true }),
    secrets.merge("changing", { data: null }),
    secrets.list("fieldSelector=type=Opaque,metadata.name=changing"),
    secrets.remove("changing"),
  ),
  scenario(
    "service accounts",
    core("serviceaccounts").create({ metadata: { name: "sa" }, automountServiceAccountToken: false }),
    core("serviceaccounts").merge("sa", { imagePullSecrets: [{ name: "s" }] }),
    core("serviceaccounts").remove("sa"),
  ),
  scenario(
    "events of both groups are one",
    events.create({
      metadata: { name: "old" },
      involvedObject: regarding,
      reason: "Old",
      message: "m",
      type: "Normal",
      count: 1,
      firstTimestamp: "2020-01-02T03:04:05Z",
      source: { component: "c" },
    }),
    newEvents.get("old"),
    newEvents.create(newEvent),
    events.get("new"),
    events.list("fieldSelector=involvedObject.name=p,reason=Old"),
    newEvents.list("fieldSelector=regarding.name=p,reason=Reason"),
    newEvents.merge("new", { series: { count: 2, lastObservedTime: "2020-01-02T03:04:06.000000Z" } }),
    newEvents.merge("new", { note: "other" }),
    events.merge("old", { count: 2 }),
    events.remove("old"),
  ),
  ...creates(newEvents, {
    "an event without anything": { metadata: { name: "x" } },
    "an event without time": { ...newEvent, metadata: { name: "x" }, eventTime: undefined },
    "an event of a bad type": { ...newEvent, metadata: { name: "x" }, type: "Odd" },
    "an event without action": { ...newEvent, metadata: { name: "x" }, action: undefined },
    "an event of another namespace": { ...newEvent, metadata: { name: "x" }, regarding: { kind: "Pod", name: "p" } },
  }),
  scenario(
    "an event about another namespace",
    events.create({ metadata: { name: "x" }, involvedObject: { namespace: "other" } }),
  ),
  scenario(
    "quotas",
    core("resourcequotas").create({
      metadata: { name: "q" },
      spec: { hard: { pods: "3", cpu: "0.5" } },
      status: { hard: { pods: "1" } },
    }),
    core("resourcequotas").merge("q", { spec: { hard: { pods: "4" } } }),
    core("resourcequotas").merge("q", { spec: { scopes: ["BestEffort"] } }),
    core("resourcequotas").create({ metadata: { name: "x" }, spec: { hard: { wonders: "1" } } }),
    core("resourcequotas").create({ metadata: { name: "x" }, spec: { hard: { pods: "-1" } } }),
    core("resourcequotas").create({
      metadata: { name: "x" },
      spec: { hard: { pods: "1" }, scopes: ["BestEffort", "NotBestEffort"] },
    }),
    core("resourcequotas").remove("q"),
  ),
  scenario(
    "limit ranges",
    core("limitranges").create({
      metadata: { name: "l" },
      spec: { limits: [{ type: "Container", max: { cpu: "2" }, min: { memory: "1Mi" } }] },
    }),
    core("limitranges").create({
      metadata: { name: "x" },
      spec: { limits: [{ type: "Container", max: { cpu: "1" }, min: { cpu: "2" } }] },
    }),
    core("limitranges").create({ metadata: { name: "x" }, spec: { limits: [{ type: "Pod", default: { cpu: "1" } }] } }),
    core("limitranges").create({ metadata: { name: "x" }, spec: { limits: [{ type: "Thing" }] } }),
    core("limitranges").update("by-put", { metadata: { name: "by-put" }, spec: { limits: [] } }),
  ),
  scenario(
    "pod templates and endpoints",
    core("podtemplates").create({
      metadata: { name: "t" },
      template: { spec: { containers: [{ name: "c", image: "b" }] } },
    }),
    core("endpoints").create({
      metadata: { name: "e" },
      subsets: [{ addresses: [{ ip: "192.0.2.1" }], ports: [{ port: 80 }] }],
    }),
    core("endpoints").create({
      metadata: { name: "x" },
      subsets: [{ addresses: [{ ip: "127.0.0.1" }], ports: [{ port: 0 }] }],
    }),
    core("podtemplates").remove("t"),
  ),
];
