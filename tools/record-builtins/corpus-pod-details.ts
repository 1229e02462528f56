/** Rules of pod specs beyond the common ones: security, names and addresses, devices, windows, what containers may say. */
import { at, creates, type Scenario, scenario } from "./scenario.ts";

const pods = at("/api/v1/namespaces/default/pods");
const c = { name: "c", image: "i" };
const pod = (spec: object, metadata: object = {}): object => ({
  metadata: { name: "x", ...metadata },
  spec: { containers: [c], ...spec },
});
const container = (part: object): object => pod({ containers: [{ ...c, ...part }] });
const context = (securityContext: object): object => container({ securityContext });
const ofPod = (securityContext: object): object => pod({ securityContext });

/** The scenarios. All but the last are refused, or deleted at once. */
export const podDetailScenarios: readonly Scenario[] = [
  ...creates(pods, {
    "seccomp of no type": context({ seccompProfile: { type: "X" } }),
    "seccomp without a type": context({ seccompProfile: {} }),
    "seccomp without a file": context({ seccompProfile: { type: "Localhost" } }),
    "seccomp with a file too many": ofPod({ seccompProfile: { type: "RuntimeDefault", localhostProfile: "a" } }),
    "seccomp with a bad file": ofPod({ seccompProfile: { type: "Localhost", localhostProfile: "/a/../b" } }),
    "seccomp against its annotation": pod(
      { securityContext: { seccompProfile: { type: "RuntimeDefault" } } },
      { annotations: { "seccomp.security.alpha.kubernetes.io/pod": "unconfined" } },
    ),
    "app armor of no type": context({ appArmorProfile: { type: "X" } }),
    "app armor without a profile": context({ appArmorProfile: { type: "Localhost" } }),
    "app armor with an empty profile": context({ appArmorProfile: { type: "Localhost", localhostProfile: " " } }),
    "app armor with a profile too many": ofPod({ appArmorProfile: { type: "Unconfined", localhostProfile: "a" } }),
    "app armor against its annotation": container({ securityContext: { appArmorProfile: { type: "RuntimeDefault" } } }),
    "proc mount without users": context({ procMount: "Unmasked" }),
    "proc mount of no type": context({ procMount: "X" }),
    sysctls: ofPod({
      sysctls: [
        { name: "kernel.shm_rmid_forced", value: "1" },
        { name: "a b", value: "" },
        { name: "kernel.shm_rmid_forced", value: "1" },
      ],
    }),
    "sysctls without a name": ofPod({ sysctls: [{ name: "", value: "1" }] }),
    "selinux change policy": ofPod({ seLinuxChangePolicy: "X" }),
    "group ids": ofPod({ fsGroup: -1, supplementalGroups: [-2], runAsGroup: 3_000_000_000 }),
    "windows options": ofPod({ windowsOptions: { gmsaCredentialSpecName: "A_B", runAsUserName: "a\\b\\c" } }),
    "windows user names": ofPod({ windowsOptions: { runAsUserName: "" } }),
    "a host process without a network": ofPod({ windowsOptions: { hostProcess: true } }),
    "windows and linux": pod({
      os: { name: "windows" },
      hostPID: true,
      securityContext: { runAsUser: 1, seLinuxOptions: {} },
    }),
    "linux and windows": pod({ os: { name: "linux" }, securityContext: { windowsOptions: {} } }),
    "linux containers and windows": pod({
      os: { name: "linux" },
      containers: [{ ...c, securityContext: { windowsOptions: {} } }],
    }),
    "another system": pod({ os: { name: "plan9" } }),
    "no system": pod({ os: {} }),
    "host network with another port": pod({
      hostNetwork: true,
      containers: [{ ...c, ports: [{ containerPort: 80, hostPort: 81 }] }],
    }),
    "shared processes": pod({ hostPID: true, shareProcessNamespace: true }),
    "host users with a host network": pod({ hostUsers: false, hostNetwork: true }),
    "host users with host processes": pod({ hostUsers: false, hostPID: true, hostIPC: true }),
    "host aliases": pod({ hostAliases: [{ ip: "1.2.3", hostnames: ["a_b"] }, { hostnames: ["ok"] }] }),
    "dns config": pod({
      dnsConfig: {
        nameservers: ["a", "1.1.1.1", "1.1.1.2", "1.1.1.3"],
        searches: ["A_B!", "ok."],
        options: [{ value: "1" }],
      },
    }),
    "image pull secrets": pod({ imagePullSecrets: [{ name: "" }, {}] }),
    "a bad restart policy": pod({ restartPolicy: "Sometimes" }),
    "a bad dns policy": pod({ dnsPolicy: "Sometimes" }),
    "a bad preemption policy": pod({ preemptionPolicy: "Sometimes" }),
    overhead: pod({ overhead: { cpu: "-1" } }),
    "a bad node name": pod({ nodeName: "A_B" }),
    "a hostname too long": pod({ hostname: "a".repeat(64) }),
    "an override of the hostname": pod({ hostnameOverride: "A_b" }),
    "an override and a host network": pod({ hostnameOverride: "a.b", hostNetwork: true }),
    "an override and fqdn": pod({ hostnameOverride: "a.b", setHostnameAsFQDN: true }),
    "a negative grace period": pod({ terminationGracePeriodSeconds: -1 }),
    "a bad pull policy": container({ imagePullPolicy: "X" }),
    "a bad message policy": container({ terminationMessagePolicy: "X" }),
    "a bad protocol": container({ ports: [{ containerPort: 1, protocol: "ICMP" }] }),
    "a bad host address": container({ ports: [{ containerPort: 1, hostPort: 1, hostIP: "x" }] }),
    "resize policies": container({
      resizePolicy: [
        { resourceName: "cpu", restartPolicy: "X" },
        { resourceName: "disk", restartPolicy: "NotRequired" },
      ],
    }),
    "resize policies twice": container({
      resizePolicy: [
        { resourceName: "cpu", restartPolicy: "NotRequired" },
        { resourceName: "cpu", restartPolicy: "NotRequired" },
      ],
    }),
    "resize policies never": pod({
      restartPolicy: "Never",
      containers: [{ ...c, resizePolicy: [{ resourceName: "cpu", restartPolicy: "RestartContainer" }] }],
    }),
    "restart rules": container({
      restartPolicy: "Never",
      restartPolicyRules: [{ action: "Restart", exitCodes: { operator: "In", values: [42] } }],
    }),
    "a restart policy of an init container": pod({ initContainers: [{ ...c, name: "i", restartPolicy: "Sometimes" }] }),
    devices: container({
      volumeDevices: [
        { name: "v", devicePath: "/a" },
        { name: "v", devicePath: "a/../b" },
      ],
    }),
    "devices of no claim": pod({
      volumes: [{ name: "v", emptyDir: {} }],
      containers: [{ ...c, volumeDevices: [{ name: "v", devicePath: "/a" }] }],
    }),
    "mount propagation": pod({
      volumes: [{ name: "v", emptyDir: {} }],
      containers: [{ ...c, volumeMounts: [{ name: "v", mountPath: "/a", mountPropagation: "Bidirectional" }] }],
    }),
    "mount propagation of no kind": pod({
      volumes: [{ name: "v", emptyDir: {} }],
      containers: [{ ...c, volumeMounts: [{ name: "v", mountPath: "/a", mountPropagation: "X" }] }],
    }),
    "recursive read only": pod({
      volumes: [{ name: "v", emptyDir: {} }],
      containers: [{ ...c, volumeMounts: [{ name: "v", mountPath: "/a", recursiveReadOnly: "Enabled" }] }],
    }),
    "a colon in a mount path": pod({
      volumes: [{ name: "v", emptyDir: {} }],
      containers: [{ ...c, volumeMounts: [{ name: "v", mountPath: "/a:b" }] }],
    }),
    "huge pages": container({ resources: { limits: { "hugepages-2Mi": "3Mi" } } }),
    "huge pages alone": container({ resources: { limits: { "hugepages-2Mi": "2Mi" } } }),
    "huge page requests": container({
      resources: { requests: { "hugepages-2Mi": "2Mi", cpu: "1" }, limits: { "hugepages-2Mi": "4Mi" } },
    }),
    "an extended resource": container({ resources: { limits: { "example.com/gpu": "1.5" } } }),
    "an extended resource by request": container({ resources: { requests: { "example.com/gpu": "1" } } }),
    "an unknown resource": container({ resources: { limits: { gpu: "1" } } }),
    "resources of the pod": pod({ resources: { requests: { cpu: "2" }, limits: { cpu: "1" } } }),
    "resources of the pod below its containers": pod({
      resources: { requests: { cpu: "1" } },
      containers: [{ ...c, resources: { requests: { cpu: "2" } } }],
    }),
    "an unsupported resource of the pod": pod({ resources: { limits: { "ephemeral-storage": "1Gi" } } }),
    "a probe of the wrong time": container({
      livenessProbe: { exec: { command: ["a"] }, successThreshold: 2, timeoutSeconds: -1 },
    }),
    "a probe with a grace": container({
      readinessProbe: { exec: { command: ["a"] }, terminationGracePeriodSeconds: 5 },
    }),
    "an http probe": container({
      livenessProbe: { httpGet: { port: 80, httpHeaders: [{ name: "a b", value: "x" }] } },
    }),
    "a scheme of a probe": container({ livenessProbe: { httpGet: { port: 80, scheme: "FTP" } } }),
    "windows containers and linux": pod({
      os: { name: "windows" },
      containers: [{ ...c, securityContext: { privileged: true, capabilities: {}, runAsUser: 1 } }],
    }),
    "a spread": pod({
      topologySpreadConstraints: [{ maxSkew: 0, topologyKey: "a", whenUnsatisfiable: "DoNotSchedule", minDomains: 0 }],
    }),
    "a spread with domains": pod({
      topologySpreadConstraints: [{ maxSkew: 1, topologyKey: "a", whenUnsatisfiable: "ScheduleAnyway", minDomains: 1 }],
    }),
    "a limit above the pod's": pod({
      resources: { limits: { cpu: "1" } },
      containers: [{ ...c, resources: { limits: { cpu: "2" } } }],
    }),
    "a grpc probe": container({ livenessProbe: { grpc: { port: 0 } } }),
    "a stop signal": container({ lifecycle: { stopSignal: "SIGTERM" } }),
    "a stop signal of linux": pod({ os: { name: "linux" }, containers: [{ ...c, lifecycle: { stopSignal: "SIGX" } }] }),
    "an image volume": pod({ volumes: [{ name: "v", image: {} }] }),
    "an ephemeral volume": pod({ volumes: [{ name: "v", ephemeral: {} }] }),
    "a csi volume": pod({ volumes: [{ name: "v", csi: { driver: "" } }] }),
    "an empty dir on huge pages": pod({ volumes: [{ name: "v", emptyDir: { medium: "X", sizeLimit: "-1" } }] }),
    "a host path of no type": pod({ volumes: [{ name: "v", hostPath: { path: "/a", type: "X" } }] }),
    "items of a config map": pod({
      volumes: [{ name: "v", configMap: { name: "c", items: [{ key: "", path: "../a" }], defaultMode: 4096 } }],
    }),
    "a projected token": pod({
      serviceAccountName: "a",
      volumes: [{ name: "v", projected: { sources: [{ serviceAccountToken: { path: "", expirationSeconds: 1 } }] } }],
    }),
    "projected twice": pod({
      volumes: [{ name: "v", projected: { sources: [{ secret: { name: "s" }, configMap: { name: "c" } }] } }],
    }),
    "scheduling gates twice": pod({ schedulingGates: [{ name: "example.com/a" }, { name: "example.com/a" }] }),
    "a node affinity": pod({
      affinity: {
        nodeAffinity: {
          requiredDuringSchedulingIgnoredDuringExecution: {
            nodeSelectorTerms: [{ matchExpressions: [{ key: "a b", operator: "Gt", values: ["1", "2"] }] }],
          },
        },
      },
    }),
    "a weight of an affinity": pod({
      affinity: {
        podAntiAffinity: {
          preferredDuringSchedulingIgnoredDuringExecution: [{ weight: 0, podAffinityTerm: { topologyKey: "" } }],
        },
      },
    }),
    "a toleration": pod({
      tolerations: [
        { operator: "Exists", key: "a", value: "b" },
        { key: "", operator: "Equal" },
        { key: "a", effect: "X" },
        { key: "a", tolerationSeconds: 5 },
      ],
    }),
    "a toleration by number": pod({ tolerations: [{ key: "a", operator: "Gt", value: "5" }] }),
    "an ephemeral container at birth": pod({ ephemeralContainers: [{ name: "e", image: "i" }] }),
    "a working directory and a command": container({ workingDir: "a", command: [""], args: [], stdinOnce: true }),
    "a long name": { metadata: { name: "a".repeat(254) }, spec: { containers: [c] } },
    "a long name of a container": pod({ containers: [{ ...c, name: "a".repeat(64) }] }),
    "a label of a pod": pod({}, { labels: { "a b": "c" }, annotations: { "a b": "c" } }),
  }),
  scenario(
    "resources of a pod are filled in",
    pods.create({
      metadata: { name: "limited" },
      spec: { containers: [c], resources: { limits: { cpu: "1", memory: "1Gi" } } },
    }),
    pods.create({
      metadata: { name: "asking" },
      spec: {
        containers: [
          { ...c, resources: { requests: { cpu: "500m" } } },
          { ...c, name: "d", resources: { limits: { cpu: "0.25" } } },
        ],
        resources: { limits: { cpu: "1" }, requests: { memory: "1Mi" } },
      },
    }),
  ),
  scenario(
    "stop signals are not served",
    pods.create({
      metadata: { name: "stopped" },
      spec: { os: { name: "linux" }, containers: [{ ...c, lifecycle: { stopSignal: "SIGX" } }] },
    }),
  ),
  scenario(
    "warnings about pods",
    pods.create({
      metadata: { name: "warned" },
      spec: {
        nodeSelector: { "beta.kubernetes.io/arch": "a" },
        containers: [
          { ...c, ports: [{ containerPort: 80, name: "http" }], resources: { limits: { memory: "0.5" } } },
          {
            ...c,
            name: "d",
            ports: [
              { containerPort: 81, name: "http" },
              { containerPort: 80, hostPort: 8 },
            ],
          },
        ],
        hostAliases: [{ ip: "1.1.1.1" }, { ip: "1.1.1.1" }],
        volumes: [{ name: "v", gitRepo: { repository: "r" } }],
        topologySpreadConstraints: [
          { maxSkew: 1, topologyKey: "failure-domain.beta.kubernetes.io/zone", whenUnsatisfiable: "DoNotSchedule" },
        ],
        affinity: { podAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [{ topologyKey: "a" }] } },
      },
    }),
    pods.merge("warned", { metadata: { labels: { a: "b" } } }),
  ),
  scenario(
    "app armor by annotation",
    pods.create({
      metadata: { name: "armoured", annotations: { "container.apparmor.security.beta.kubernetes.io/c": "unconfined" } },
      spec: { containers: [c] },
    }),
    pods.merge("armoured", {
      metadata: { annotations: { "container.apparmor.security.beta.kubernetes.io/c": "runtime/default" } },
    }),
    pods.create({
      metadata: { name: "x", annotations: { "container.apparmor.security.beta.kubernetes.io/d": "x" } },
      spec: { containers: [c] },
    }),
  ),
  scenario(
    "what of a pod's spec is added to",
    pods.create({
      metadata: { name: "changed" },
      spec: { containers: [c], schedulingGates: [{ name: "example.com/a" }], nodeSelector: { a: "b" } },
    }),
    pods.merge("changed", { spec: { nodeSelector: { c: "d" } } }),
    pods.merge("changed", { spec: { nodeSelector: { a: "x" } } }),
    pods.merge("changed", { spec: { schedulingGates: [{ name: "example.com/b" }] } }),
    pods.merge("changed", { spec: { activeDeadlineSeconds: 10 } }),
    pods.merge("changed", { spec: { activeDeadlineSeconds: 20 } }),
    pods.merge("changed", { spec: { activeDeadlineSeconds: null } }),
    pods.merge("changed", { spec: { tolerations: [{ key: "a", operator: "Exists" }] } }),
    pods.merge("changed", { spec: { tolerations: [] } }),
    pods.merge("changed", { spec: { terminationGracePeriodSeconds: 5 } }),
    pods.merge("changed", { spec: { containers: [{ ...c, image: "j" }] } }),
    pods.merge("changed", { spec: { containers: [{ ...c, image: "" }] } }),
    pods.merge("changed", { spec: { containers: [c, { ...c, name: "d" }] } }),
    pods.merge("changed", { spec: { schedulingGates: [] } }),
    pods.merge("changed", { spec: { nodeSelector: { e: "f" } } }),
    pods.remove("changed"),
  ),
];
