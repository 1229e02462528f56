/** What PodSecurity makes of pods, workloads and the labels of namespaces. */
import { at, type Scenario, type Step, scenario } from "./scenario.ts";

const namespaces = at("/api/v1/namespaces");
const pods = (namespace: string) => at(`/api/v1/namespaces/${namespace}/pods`);
const label = (name: string): string => `pod-security.kubernetes.io/${name}`;

function namespace(name: string, labels: Readonly<Record<string, string>>): Step {
  const named = Object.fromEntries(Object.entries(labels).map(([key, value]) => [label(key), value]));
  return namespaces.create({ metadata: { name, labels: named } });
}

/** Of pods that are let in, no more than that is worth keeping. */
const METADATA = "application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1";

const c = { name: "c", image: "i" };
const good = {
  securityContext: { runAsNonRoot: true, seccompProfile: { type: "RuntimeDefault" } },
  containers: [{ ...c, securityContext: { allowPrivilegeEscalation: false, capabilities: { drop: ["ALL"] } } }],
};
const container = (part: object): object => ({ containers: [{ ...c, ...part }] });
const context = (securityContext: object): object => container({ securityContext });
const ofPod = (securityContext: object): object => ({ containers: [c], securityContext });
const volumes = (...list: readonly object[]): object => ({ containers: [c], volumes: list });

/** Specs of pods, most of them bad, by name. */
const SPECS: Readonly<Record<string, object>> = {
  good,
  plain: container({}),
  "host-namespaces": { containers: [c], hostNetwork: true, hostPID: true, hostIPC: true },
  "host-paths": volumes({ name: "a", hostPath: { path: "/" } }, { name: "b", hostPath: { path: "/b" } }),
  "host-port": container({
    ports: [
      { containerPort: 1, hostPort: 10 },
      { containerPort: 2, hostPort: 9 },
    ],
  }),
  privileged: { containers: [c], initContainers: [{ ...c, name: "a", securityContext: { privileged: true } }] },
  capabilities: context({ capabilities: { add: ["SYS_ADMIN", "NET_ADMIN", "CHOWN"] } }),
  "dropped-some": context({ capabilities: { drop: ["CHOWN"], add: ["NET_BIND_SERVICE"] } }),
  "proc-mount-own-users": { hostUsers: false, ...context({ procMount: "Unmasked" }) },
  "root-own-users": { hostUsers: false, ...context({ runAsUser: 0, runAsNonRoot: false }) },
  root: { containers: [{ ...c, securityContext: { runAsUser: 0 } }], securityContext: { runAsUser: 0 } },
  "may-be-root": ofPod({ runAsNonRoot: false }),
  "one-may-be-root": {
    securityContext: { runAsNonRoot: true },
    containers: [
      { ...c, securityContext: { runAsNonRoot: false } },
      { ...c, name: "d" },
    ],
  },
  "each-not-root": {
    containers: [
      { ...c, securityContext: { runAsNonRoot: true } },
      { ...c, name: "d" },
    ],
  },
  unconfined: {
    securityContext: { seccompProfile: { type: "Unconfined" } },
    containers: [{ ...c, securityContext: { seccompProfile: { type: "Unconfined" } } }],
  },
  "each-confined": {
    containers: [
      { ...c, securityContext: { seccompProfile: { type: "RuntimeDefault" } } },
      { ...c, name: "d" },
    ],
  },
  "app-armor": {
    securityContext: { appArmorProfile: { type: "Unconfined" } },
    containers: [{ ...c, securityContext: { appArmorProfile: { type: "Unconfined" } } }],
  },
  "app-armor-allowed": ofPod({ appArmorProfile: { type: "RuntimeDefault" } }),
  selinux: {
    securityContext: { seLinuxOptions: { type: "spc_t", user: "u" } },
    containers: [{ ...c, securityContext: { seLinuxOptions: { type: "other_t", role: "r" } } }],
  },
  "selinux-engine": ofPod({ seLinuxOptions: { type: "container_engine_t", level: "s0" } }),
  sysctls: ofPod({
    sysctls: [
      { name: "kernel.msgmax", value: "1" },
      { name: "net.ipv4.tcp_syncookies", value: "1" },
      { name: "net.ipv4.tcp_rmem", value: "1" },
      { name: "net.ipv4.tcp_keepalive_time", value: "1" },
      { name: "net.ipv4.ip_local_reserved_ports", value: "1" },
    ],
  }),
  probes: {
    containers: [
      {
        ...c,
        livenessProbe: { httpGet: { port: 80, host: "example.com" } },
        readinessProbe: { tcpSocket: { port: 80, host: "10.1.2.3" } },
        lifecycle: { preStop: { httpGet: { port: 80, host: "example.org" } } },
      },
      { ...c, name: "b", startupProbe: { tcpSocket: { port: 80, host: "127.0.0.1" } } },
    ],
  },
  windows: {
    os: { name: "windows" },
    hostNetwork: true,
    securityContext: { windowsOptions: { hostProcess: true, runAsUserName: "u" } },
    containers: [c],
  },
  "windows-good": { os: { name: "windows" }, securityContext: { runAsNonRoot: true }, containers: [c] },
  volumes: volumes(
    { name: "a", nfs: { server: "s", path: "/" } },
    { name: "b", hostPath: { path: "/" } },
    { name: "c", emptyDir: {} },
    { name: "d", projected: { sources: [] } },
  ),
  everything: {
    hostNetwork: true,
    volumes: [{ name: "a", hostPath: { path: "/" } }],
    containers: [
      { ...c, securityContext: { privileged: true, capabilities: { add: ["ALL"] } } },
      { ...c, name: "d", ports: [{ containerPort: 7, hostPort: 7 }], securityContext: { runAsUser: 0 } },
    ],
  },
};

/** Namespaces with one standard each. */
const STANDARDS: Readonly<Record<string, readonly [string, string]>> = {
  baseline: ["baseline", "latest"],
  restricted: ["restricted", "latest"],
  "restricted-1-0": ["restricted", "v1.0"],
  "restricted-1-24": ["restricted", "v1.24"],
  "baseline-1-30": ["baseline", "v1.30"],
  "restricted-1-34": ["restricted", "v1.34"],
};

function underStandard(name: string, [level, version]: readonly [string, string]): Scenario {
  const own = `security-${name}`;
  const creates = Object.entries(SPECS).map(([pod, spec]) => pods(own).create({ metadata: { name: pod }, spec }));
  return {
    ...scenario(`pods under ${level} ${version}`, ...creates.map((step) => ({ ...step, accept: METADATA }))),
    setup: [namespace(own, { enforce: level, "enforce-version": version })],
  };
}

const deployments = at("/apis/apps/v1/namespaces/security-warned/deployments");
const deployment = (name: string, spec: object): object => ({
  metadata: { name },
  spec: { selector: { matchLabels: { a: "b" } }, template: { metadata: { labels: { a: "b" } }, spec } },
});

/** The scenarios. */
export const podSecurityScenarios: readonly Scenario[] = [
  ...Object.entries(STANDARDS).map(([name, standard]) => underStandard(name, standard)),
  {
    ...scenario(
      "warnings about pods and workloads",
      pods("security-warned").create({ metadata: { name: "plain" }, spec: SPECS["plain"] }),
      deployments.create(deployment("plain", container({}))),
      deployments.merge("plain", { metadata: { annotations: { a: "b" } } }),
      deployments.merge("plain", { spec: { replicas: 2 } }),
      deployments.create(deployment("bad", SPECS["everything"] ?? {})),
      at("/apis/batch/v1/namespaces/security-warned/jobs").create({
        metadata: { name: "j" },
        spec: { template: { spec: { restartPolicy: "Never", ...container({}) } } },
      }),
      at("/apis/batch/v1/namespaces/security-warned/cronjobs").create({
        metadata: { name: "j" },
        spec: {
          schedule: "* * * * *",
          jobTemplate: { spec: { template: { spec: { restartPolicy: "Never", ...container({}) } } } },
        },
      }),
      at("/api/v1/namespaces/security-warned/podtemplates").create({
        metadata: { name: "t" },
        template: { spec: container({}) },
      }),
      at("/api/v1/namespaces/security-warned/replicationcontrollers").create({
        metadata: { name: "r" },
        spec: { selector: { a: "b" } },
      }),
    ),
    setup: [namespace("security-warned", { enforce: "baseline", warn: "restricted", "warn-version": "v1.25" })],
  },
  {
    ...scenario(
      "updates of pods count when an image changes",
      pods("security-updated").create({ metadata: { name: "p" }, spec: SPECS["host-port"] }),
      namespaces.merge("security-updated", { metadata: { labels: { [label("enforce")]: "baseline" } } }),
      pods("security-updated").merge("p", { metadata: { labels: { a: "b" } } }),
    ),
    setup: [namespace("security-updated", {})],
  },
  scenario(
    "labels of namespaces",
    namespace("security-bad-level", { enforce: "strict" }),
    namespace("security-bad-version", {
      enforce: "baseline",
      "enforce-version": "v2.0",
      warn: "x",
      "audit-version": "1",
    }),
    namespace("security-labelled", { enforce: "privileged", warn: "baseline", "warn-version": "latest" }),
    namespaces.merge("security-labelled", { metadata: { labels: { [label("warn")]: "none" } } }),
    namespaces.merge("security-labelled", { metadata: { labels: { [label("enforce-version")]: "v1.01" } } }),
  ),
  {
    ...scenario(
      "pods that are there when a namespace becomes stricter",
      namespaces.merge("security-tightened", { metadata: { labels: { [label("enforce")]: "baseline" } } }),
      namespaces.merge("security-tightened", { metadata: { labels: { [label("enforce")]: "restricted" } } }),
      namespaces.merge("security-tightened", { metadata: { labels: { [label("enforce")]: "baseline" } } }),
      namespaces.merge("security-tightened", { metadata: { labels: { [label("enforce-version")]: "v1.20" } } }),
      namespaces.merge("security-tightened", { metadata: { labels: { [label("enforce")]: "privileged" } } }),
    ),
    setup: [
      namespace("security-tightened", {}),
      ...["a", "b", "c", "d"].map((name) =>
        pods("security-tightened").create({ metadata: { name }, spec: SPECS[name === "d" ? "root" : "host-port"] }),
      ),
      pods("security-tightened").create({ metadata: { name: "good" }, spec: good }),
    ],
  },
];
