/**
 * The kinds of which random requests are made: where their objects live, a good object, and other values for parts of it, good
 * and bad. requests.ts draws from them.
 */
import type { Json, JsonObject } from "@kubewright/core/meta";

/** One kind. */
export interface TestedKind {
  /** Below the version, for objects of a namespace or of the cluster: `/apis/apps/v1/`, `deployments`. */
  readonly prefix: string;
  readonly plural: string;
  readonly isNamespaced: boolean;
  /** Without metadata. */
  readonly object: JsonObject;
  /** Values for places, by JSON pointer: one of them is put there, undefined removes. */
  readonly changes: Readonly<Record<string, readonly (Json | undefined)[]>>;
  readonly subresources: readonly string[];
  /** What selectors may ask for beside metadata. */
  readonly fields: readonly string[];
  /** False for custom resources, which have no strategic merge patch. */
  readonly isBuiltin: boolean;
}

const CONTAINER = {
  name: "c",
  image: "i:1",
  ports: [{ containerPort: 80, name: "http" }],
  env: [{ name: "A", value: "1" }],
};
const TEMPLATE = { metadata: { labels: { app: "a" } }, spec: { containers: [CONTAINER] } };
const SELECTOR = { matchLabels: { app: "a" } };
const TEXTS = ["x", "y-1", "", "UPPER", "a b", "a/b", "a".repeat(64), 5, null, undefined, true, {}, []] as const;
const NUMBERS = [0, 1, 2, 3, -1, "3", null, undefined] as const;
const CONTAINER_CHANGES = (at: string): TestedKind["changes"] => ({
  [`${at}/containers/0/image`]: ["i:2", "", "i", " i", undefined],
  [`${at}/containers/0/name`]: ["c", "d", "C", "", undefined],
  [`${at}/containers/0/imagePullPolicy`]: ["Always", "Never", "Sometimes", undefined],
  [`${at}/containers/0/ports`]: [
    [{ containerPort: 80 }, { containerPort: 80, protocol: "UDP" }],
    [
      { containerPort: 80, name: "http" },
      { containerPort: 81, name: "http" },
    ],
    [{ containerPort: 0 }],
    [{ containerPort: 70000 }],
    [],
    undefined,
  ],
  [`${at}/containers/0/env`]: [
    [
      { name: "A", value: "2" },
      { name: "B", valueFrom: { fieldRef: { fieldPath: "metadata.name" } } },
    ],
    [{ name: "A", valueFrom: { configMapKeyRef: { name: "x", key: "k" } } }],
    [{ name: "", value: "1" }],
    [{ name: "A" }, { name: "A", value: "3" }],
    [{ name: "A", value: "1", valueFrom: { secretKeyRef: { name: "s", key: "k" } } }],
    undefined,
  ],
  [`${at}/containers/0/resources`]: [
    { limits: { cpu: "1", memory: "1Gi" } },
    { limits: { cpu: "1000m", memory: "1024Mi" }, requests: { cpu: "0.5" } },
    { limits: { cpu: "1" }, requests: { cpu: "2" } },
    { requests: { "example.com/gpu": "1" } },
    { limits: { cpu: "one" } },
    undefined,
  ],
  [`${at}/containers/0/readinessProbe`]: [
    { httpGet: { port: 80 } },
    { httpGet: { path: "/x", port: "http" }, periodSeconds: 5 },
    { tcpSocket: { port: 80 }, exec: { command: ["a"] } },
    { exec: {} },
    {},
    undefined,
  ],
  [`${at}/containers/0/securityContext`]: [
    { runAsNonRoot: true },
    { privileged: true, allowPrivilegeEscalation: false },
    { capabilities: { drop: ["ALL"] } },
    undefined,
  ],
  [`${at}/containers/0/volumeMounts`]: [[{ name: "v", mountPath: "/v" }], [{ name: "v" }], undefined],
  [`${at}/volumes`]: [
    [{ name: "v", emptyDir: {} }],
    [{ name: "v", configMap: { name: "x" } }],
    [{ name: "v", secret: { secretName: "s" }, emptyDir: {} }],
    [{ name: "v" }],
    [{ name: "v" }, { name: "v" }],
    undefined,
  ],
  [`${at}/restartPolicy`]: ["Always", "Never", "OnFailure", "Sometimes", undefined],
  [`${at}/terminationGracePeriodSeconds`]: NUMBERS,
  [`${at}/nodeSelector`]: [{ a: "b" }, { "a b": "c" }, undefined],
  [`${at}/tolerations`]: [
    [{ key: "a", operator: "Exists" }],
    [{ key: "a", operator: "Exists", value: "b" }],
    [{ operator: "Equal" }],
    undefined,
  ],
  [`${at}/initContainers`]: [[{ name: "init", image: "i" }], [{ name: "c", image: "i" }], [], undefined],
  [`${at}/priorityClassName`]: ["system-cluster-critical", "nobody", undefined],
  [`${at}/unknownField`]: ["x", undefined],
});

const META_CHANGES: TestedKind["changes"] = {
  "/metadata/labels": [{ app: "a" }, { app: "b", tier: "web" }, { "a b": "c" }, { app: "a b" }, null, undefined],
  "/metadata/annotations": [{ note: "x" }, { "example.com/a": "y" }, { "": "z" }, undefined],
  "/metadata/finalizers": [["example.com/f"], ["example.com/f", "example.com/g"], ["bad finalizer"], [], undefined],
  "/metadata/ownerReferences": [
    [{ apiVersion: "v1", kind: "ConfigMap", name: "o", uid: "11111111-1111-1111-1111-111111111111" }],
    [{ apiVersion: "v1", kind: "ConfigMap", name: "o" }],
    undefined,
  ],
  "/metadata/name": ["a", "b", "B"],
  "/metadata/unknown": ["x", undefined],
};

function core(plural: string, kind: string, rest: Partial<TestedKind> & { readonly content?: JsonObject }): TestedKind {
  return define("/api/v1/", plural, { apiVersion: "v1", kind }, rest);
}

function grouped(
  group: string,
  plural: string,
  kind: string,
  rest: Partial<TestedKind> & { readonly content?: JsonObject },
): TestedKind {
  return define(`/apis/${group}/`, plural, { apiVersion: group, kind }, rest);
}

function define(
  prefix: string,
  plural: string,
  type: JsonObject,
  { content = {}, changes = {}, ...rest }: Partial<TestedKind> & { readonly content?: JsonObject },
): TestedKind {
  return {
    prefix,
    plural,
    isNamespaced: true,
    object: { ...type, ...content },
    subresources: [],
    fields: [],
    isBuiltin: true,
    ...rest,
    changes: { ...META_CHANGES, ...changes },
  };
}

/** Custom resources whose kinds both servers get first. */
export const CRDS: readonly JsonObject[] = [
  {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: "widgets.differ.example.com" },
    spec: {
      group: "differ.example.com",
      scope: "Namespaced",
      names: { plural: "widgets", kind: "Widget", shortNames: ["wd"] },
      versions: [
        {
          name: "v1",
          served: true,
          storage: true,
          subresources: {
            status: {},
            scale: {
              specReplicasPath: ".spec.size",
              statusReplicasPath: ".status.size",
              labelSelectorPath: ".status.selector",
            },
          },
          selectableFields: [{ jsonPath: ".spec.mode" }],
          additionalPrinterColumns: [{ name: "Size", type: "integer", jsonPath: ".spec.size" }],
          schema: {
            openAPIV3Schema: {
              type: "object",
              required: ["spec"],
              properties: {
                spec: {
                  type: "object",
                  required: ["size"],
                  "x-kubernetes-validations": [
                    { rule: "self.size < 100 || self.mode == 'Big'", message: "only Big ones are that large" },
                    { rule: "!has(oldSelf.fixed) || self.fixed == oldSelf.fixed", fieldPath: ".fixed" },
                  ],
                  properties: {
                    size: { type: "integer", minimum: 0, default: 1 },
                    mode: { type: "string", enum: ["Small", "Big"], default: "Small" },
                    fixed: { type: "string", maxLength: 20 },
                    note: { type: "string", pattern: "^[a-z]*$", nullable: true },
                    port: { "x-kubernetes-int-or-string": true },
                    tags: { type: "array", "x-kubernetes-list-type": "set", items: { type: "string" } },
                    items: {
                      type: "array",
                      "x-kubernetes-list-type": "map",
                      "x-kubernetes-list-map-keys": ["name"],
                      items: {
                        type: "object",
                        required: ["name"],
                        properties: { name: { type: "string" }, value: { type: "number", default: 1.5 } },
                      },
                    },
                    any: { type: "object", "x-kubernetes-preserve-unknown-fields": true },
                    pod: {
                      type: "object",
                      "x-kubernetes-embedded-resource": true,
                      "x-kubernetes-preserve-unknown-fields": true,
                    },
                    map: { type: "object", additionalProperties: { type: "integer" } },
                    atom: {
                      type: "object",
                      "x-kubernetes-map-type": "atomic",
                      properties: { a: { type: "string" }, b: { type: "string" } },
                    },
                  },
                },
                status: {
                  type: "object",
                  properties: { size: { type: "integer" }, selector: { type: "string" }, phase: { type: "string" } },
                },
              },
            },
          },
        },
      ],
    },
  },
];

/** All kinds. */
export const KINDS: readonly TestedKind[] = [
  core("configmaps", "ConfigMap", {
    content: { data: { a: "1" } },
    changes: {
      "/data": [{ a: "2", b: "3" }, { "a b": "x" }, { a: 1 }, {}, null, undefined],
      "/data/a": TEXTS,
      "/data/__proto__": ["x", undefined],
      "/binaryData": [{ c: "YQ==" }, { a: "YQ==" }, undefined],
      "/immutable": [true, false, undefined],
      "/unknown": [1, undefined],
    },
  }),
  core("secrets", "Secret", {
    content: { stringData: { a: "1" } },
    changes: {
      "/stringData": [{ a: "2", b: "3" }, undefined],
      "/data": [{ b: "YQ==" }, undefined],
      "/type": ["Opaque", "kubernetes.io/tls", "example.com/x", "", undefined],
      "/immutable": [true, undefined],
    },
    fields: ["type"],
  }),
  core("services", "Service", {
    content: { spec: { selector: { app: "a" }, ports: [{ port: 80 }] } },
    changes: {
      "/spec/ports": [
        [{ port: 80, targetPort: "http" }],
        [
          { port: 80, name: "a" },
          { port: 81, name: "b", targetPort: 8080 },
        ],
        [{ port: 80 }, { port: 81 }],
        [{ port: 0 }],
        [{ port: 80, protocol: "XYZ" }],
        [],
        undefined,
      ],
      "/spec/type": ["ClusterIP", "NodePort", "LoadBalancer", "ExternalName", "Other", undefined],
      "/spec/externalName": ["example.com", "", undefined],
      "/spec/clusterIP": ["None", "", "10.0.0.300", undefined],
      "/spec/sessionAffinity": ["ClientIP", "None", "X", undefined],
      "/spec/externalTrafficPolicy": ["Local", "Cluster", "X", undefined],
      "/spec/selector": [{ app: "b" }, {}, undefined],
      "/spec/publishNotReadyAddresses": [true, "x", undefined],
    },
    subresources: ["status"],
    fields: ["spec.type", "spec.clusterIP"],
  }),
  core("pods", "Pod", {
    content: { spec: TEMPLATE.spec },
    changes: {
      ...CONTAINER_CHANGES("/spec"),
      "/spec/nodeName": ["n", undefined],
      "/spec/activeDeadlineSeconds": NUMBERS,
    },
    subresources: ["status"],
    fields: ["status.phase", "spec.nodeName", "spec.restartPolicy"],
  }),
  core("serviceaccounts", "ServiceAccount", {
    changes: {
      "/secrets": [[{ name: "s" }], [{ name: "s" }, { name: "s" }], undefined],
      "/automountServiceAccountToken": [true, "x", undefined],
    },
  }),
  core("persistentvolumeclaims", "PersistentVolumeClaim", {
    content: { spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } } } },
    changes: {
      "/spec/accessModes": [["ReadWriteMany"], ["X"], [], undefined],
      "/spec/resources": [{ requests: { storage: "2Gi" } }, { requests: { storage: "1024Mi" } }, {}, undefined],
      "/spec/storageClassName": ["fast", "", undefined],
      "/spec/volumeMode": ["Block", "X", undefined],
      "/spec/volumeName": ["v", undefined],
    },
    subresources: ["status"],
  }),
  core("resourcequotas", "ResourceQuota", {
    content: { spec: { hard: { "count/nothings.example.com": "5" } } },
    changes: {
      "/spec/hard": [
        { "count/nothings.example.com": "1" },
        { cpu: "x" },
        { "a b": "1" },
        { "requests.cpu": "-1" },
        undefined,
      ],
      "/spec/scopes": [["BestEffort"], ["X"], undefined],
    },
    subresources: ["status"],
  }),
  core("events", "Event", {
    content: { involvedObject: { kind: "Pod", name: "p" }, reason: "R", message: "m", type: "Normal" },
    changes: {
      "/involvedObject/name": ["q", undefined],
      "/reason": ["S", undefined],
      "/type": ["Warning", "X", undefined],
      "/count": NUMBERS,
      "/message": ["n", undefined],
    },
    fields: ["involvedObject.name", "reason", "type"],
  }),
  grouped("apps/v1", "deployments", "Deployment", {
    content: { spec: { replicas: 1, selector: SELECTOR, template: TEMPLATE } },
    changes: {
      ...CONTAINER_CHANGES("/spec/template/spec"),
      "/spec/replicas": NUMBERS,
      "/spec/selector": [{ matchLabels: { app: "b" } }, {}, undefined],
      "/spec/template/metadata/labels": [{ app: "b" }, { app: "a", x: "y" }, undefined],
      "/spec/strategy": [
        { type: "Recreate" },
        { type: "RollingUpdate", rollingUpdate: { maxSurge: 0, maxUnavailable: 0 } },
        { type: "RollingUpdate", rollingUpdate: { maxSurge: "50%" } },
        { type: "RollingUpdate", rollingUpdate: { maxSurge: "150%", maxUnavailable: "101%" } },
        { type: "Recreate", rollingUpdate: {} },
        { type: "X" },
        undefined,
      ],
      "/spec/minReadySeconds": NUMBERS,
      "/spec/progressDeadlineSeconds": NUMBERS,
      "/spec/revisionHistoryLimit": NUMBERS,
      "/spec/paused": [true, undefined],
    },
    subresources: ["status", "scale"],
  }),
  grouped("apps/v1", "statefulsets", "StatefulSet", {
    content: { spec: { replicas: 1, selector: SELECTOR, template: TEMPLATE, serviceName: "s" } },
    changes: {
      ...CONTAINER_CHANGES("/spec/template/spec"),
      "/spec/replicas": NUMBERS,
      "/spec/serviceName": ["t", "", undefined],
      "/spec/podManagementPolicy": ["Parallel", "X", undefined],
      "/spec/updateStrategy": [
        { type: "OnDelete" },
        { type: "RollingUpdate", rollingUpdate: { partition: 2 } },
        { type: "RollingUpdate", rollingUpdate: { maxUnavailable: 2 } },
        { type: "RollingUpdate", rollingUpdate: { partition: -1 } },
        undefined,
      ],
      "/spec/volumeClaimTemplates": [
        [
          {
            metadata: { name: "d" },
            spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } } },
          },
        ],
        undefined,
      ],
      "/spec/persistentVolumeClaimRetentionPolicy": [{ whenDeleted: "Delete" }, { whenScaled: "X" }, undefined],
      "/spec/ordinals": [{ start: 3 }, { start: -1 }, undefined],
    },
    subresources: ["status", "scale"],
  }),
  grouped("apps/v1", "daemonsets", "DaemonSet", {
    content: { spec: { selector: SELECTOR, template: TEMPLATE } },
    changes: {
      ...CONTAINER_CHANGES("/spec/template/spec"),
      "/spec/updateStrategy": [
        { type: "OnDelete" },
        { rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } },
        { rollingUpdate: { maxSurge: 1 } },
        { type: "X" },
        undefined,
      ],
      "/spec/minReadySeconds": NUMBERS,
    },
    subresources: ["status"],
  }),
  grouped("apps/v1", "controllerrevisions", "ControllerRevision", {
    content: { revision: 1, data: { a: { b: 1, c: [1] } } },
    changes: { "/revision": NUMBERS, "/data": [{ a: { b: 2 } }, { x: null }, undefined] },
  }),
  grouped("batch/v1", "jobs", "Job", {
    content: { spec: { template: { spec: { ...TEMPLATE.spec, restartPolicy: "Never" } } } },
    changes: {
      ...CONTAINER_CHANGES("/spec/template/spec"),
      "/spec/parallelism": NUMBERS,
      "/spec/completions": NUMBERS,
      "/spec/backoffLimit": NUMBERS,
      "/spec/suspend": [true, false, undefined],
      "/spec/completionMode": ["Indexed", "X", undefined],
      "/spec/ttlSecondsAfterFinished": NUMBERS,
      "/spec/activeDeadlineSeconds": NUMBERS,
    },
    subresources: ["status"],
    fields: ["status.successful"],
  }),
  grouped("batch/v1", "cronjobs", "CronJob", {
    content: {
      spec: {
        schedule: "*/5 * * * *",
        jobTemplate: { spec: { template: { spec: { ...TEMPLATE.spec, restartPolicy: "Never" } } } },
      },
    },
    changes: {
      "/spec/schedule": ["@hourly", "x", "TZ=UTC * * * * *", "", "61 * * * *", undefined],
      "/spec/timeZone": ["Europe/Berlin", "Nowhere/X", "", undefined],
      "/spec/concurrencyPolicy": ["Forbid", "X", undefined],
      "/spec/suspend": [true, undefined],
      "/spec/successfulJobsHistoryLimit": NUMBERS,
      "/spec/startingDeadlineSeconds": NUMBERS,
    },
    subresources: ["status"],
  }),
  grouped("networking.k8s.io/v1", "ingresses", "Ingress", {
    content: {
      spec: {
        rules: [
          {
            host: "a.example.com",
            http: {
              paths: [{ path: "/", pathType: "Prefix", backend: { service: { name: "s", port: { number: 80 } } } }],
            },
          },
        ],
      },
    },
    changes: {
      "/spec/rules/0/host": ["*.example.com", "UPPER.com", "1.2.3.4", "", undefined],
      "/spec/rules/0/http/paths/0/path": ["/x", "x", "", "/a//b", undefined],
      "/spec/rules/0/http/paths/0/pathType": ["Exact", "ImplementationSpecific", "X", undefined],
      "/spec/rules/0/http/paths/0/backend": [
        { service: { name: "s", port: { name: "http" } } },
        { service: { name: "s", port: { name: "http", number: 80 } } },
        { service: { name: "s" } },
        {},
        undefined,
      ],
      "/spec/ingressClassName": ["c", "C D", undefined],
      "/spec/tls": [[{ hosts: ["a.example.com"], secretName: "t" }], [{ hosts: ["A B"] }], undefined],
      "/spec/rules": [[], undefined],
      "/spec/defaultBackend": [{ service: { name: "s", port: { number: 80 } } }, {}, undefined],
    },
    subresources: ["status"],
  }),
  grouped("networking.k8s.io/v1", "networkpolicies", "NetworkPolicy", {
    content: { spec: { podSelector: {}, ingress: [{ from: [{ podSelector: SELECTOR }] }] } },
    changes: {
      "/spec/policyTypes": [["Ingress", "Egress"], ["X"], [], undefined],
      "/spec/egress": [
        [{ to: [{ ipBlock: { cidr: "10.0.0.0/8", except: ["10.1.0.0/16"] } }] }],
        [{ to: [{ ipBlock: { cidr: "x" } }] }],
        undefined,
      ],
      "/spec/ingress/0/ports": [
        [{ port: 80 }],
        [{ port: "http", protocol: "UDP" }],
        [{ port: 80, endPort: 70 }],
        undefined,
      ],
    },
  }),
  grouped("policy/v1", "poddisruptionbudgets", "PodDisruptionBudget", {
    content: { spec: { minAvailable: 1, selector: SELECTOR } },
    changes: {
      "/spec/minAvailable": [...NUMBERS, "50%", "x%"],
      "/spec/maxUnavailable": [...NUMBERS, "50%"],
      "/spec/selector": [{}, { matchLabels: { app: "b" } }, undefined],
      "/spec/unhealthyPodEvictionPolicy": ["AlwaysAllow", "X", undefined],
    },
    subresources: ["status"],
  }),
  grouped("autoscaling/v2", "horizontalpodautoscalers", "HorizontalPodAutoscaler", {
    content: { spec: { scaleTargetRef: { apiVersion: "apps/v1", kind: "Deployment", name: "a" }, maxReplicas: 3 } },
    changes: {
      "/spec/minReplicas": NUMBERS,
      "/spec/maxReplicas": NUMBERS,
      "/spec/metrics": [
        [{ type: "Resource", resource: { name: "cpu", target: { type: "Utilization", averageUtilization: 50 } } }],
        [{ type: "Resource" }],
        [{ type: "X" }],
        [],
        undefined,
      ],
      "/spec/behavior": [
        { scaleUp: { stabilizationWindowSeconds: 10 } },
        { scaleDown: { policies: [{ type: "Pods", value: 1, periodSeconds: 0 }] } },
        undefined,
      ],
    },
    subresources: ["status"],
  }),
  grouped("rbac.authorization.k8s.io/v1", "roles", "Role", {
    content: { rules: [{ apiGroups: [""], resources: ["pods"], verbs: ["get"] }] },
    changes: {
      "/rules": [
        [],
        [{ apiGroups: [""], resources: ["pods"], verbs: [] }],
        [{ nonResourceURLs: ["/x"], verbs: ["get"] }],
        undefined,
      ],
      "/rules/0/verbs": [["get", "list"], [], undefined],
    },
  }),
  grouped("rbac.authorization.k8s.io/v1", "rolebindings", "RoleBinding", {
    content: {
      roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "Role", name: "r" },
      subjects: [{ kind: "User", name: "u" }],
    },
    changes: {
      "/roleRef": [{ kind: "ClusterRole", name: "view" }, { kind: "X", name: "y" }, {}, undefined],
      "/subjects": [
        [{ kind: "ServiceAccount", name: "s" }],
        [{ kind: "ServiceAccount", name: "s", namespace: "default" }],
        [{ kind: "X", name: "y" }],
        [],
        undefined,
      ],
    },
  }),
  grouped("coordination.k8s.io/v1", "leases", "Lease", {
    content: { spec: { holderIdentity: "me", leaseDurationSeconds: 15 } },
    changes: {
      "/spec/leaseDurationSeconds": NUMBERS,
      "/spec/renewTime": ["2020-01-01T00:00:00.000000Z", "2020-01-01T00:00:00.123456Z", undefined],
      "/spec/leaseTransitions": NUMBERS,
      "/spec/holderIdentity": ["you", "", undefined],
    },
  }),
  grouped("discovery.k8s.io/v1", "endpointslices", "EndpointSlice", {
    content: { addressType: "IPv4", endpoints: [{ addresses: ["10.1.2.3"] }], ports: [{ port: 80 }] },
    changes: {
      "/addressType": ["IPv6", "FQDN", "X", undefined],
      "/endpoints": [
        [{ addresses: ["10.1.2.4"], conditions: { ready: true } }],
        [{ addresses: [] }],
        [{ addresses: ["x"] }],
        [],
        undefined,
      ],
      "/ports": [
        [
          { name: "a", port: 1 },
          { name: "a", port: 2 },
        ],
        [{ name: "A B" }],
        undefined,
      ],
    },
  }),
  grouped("scheduling.k8s.io/v1", "priorityclasses", "PriorityClass", {
    isNamespaced: false,
    content: { value: 5 },
    changes: { "/value": NUMBERS, "/preemptionPolicy": ["Never", "X", undefined], "/description": ["d", undefined] },
  }),
  grouped("storage.k8s.io/v1", "storageclasses", "StorageClass", {
    isNamespaced: false,
    content: { provisioner: "example.com/p" },
    changes: {
      "/provisioner": ["other", "", undefined],
      "/reclaimPolicy": ["Retain", "X", undefined],
      "/volumeBindingMode": ["WaitForFirstConsumer", "X", undefined],
      "/allowVolumeExpansion": [true, undefined],
      "/parameters": [{ a: "b" }, undefined],
    },
  }),
  grouped("differ.example.com/v1", "widgets", "Widget", {
    isBuiltin: false,
    content: { spec: { size: 1, items: [{ name: "x" }], tags: ["t"] } },
    changes: {
      "/spec": [{}, undefined],
      "/spec/size": [...NUMBERS, 150],
      "/spec/mode": ["Big", "Other", null, undefined],
      "/spec/fixed": ["one", "two", "a".repeat(21), undefined],
      "/spec/note": ["abc", "ABC", null, 1, undefined],
      "/spec/port": [80, "http", 1.5, true, undefined],
      "/spec/tags": [["a", "b"], ["a", "a"], "x", undefined],
      "/spec/items": [[{ name: "x", value: 2 }, { name: "y" }], [{ name: "x" }, { name: "x" }], [{}], [], undefined],
      "/spec/any": [{ a: { b: [1, { c: null }] } }, 5, undefined],
      "/spec/pod": [
        { apiVersion: "v1", kind: "Pod", metadata: { name: "p", unknown: 1 }, spec: { x: 1 } },
        { kind: "Pod" },
        undefined,
      ],
      "/spec/map": [{ a: 1 }, { a: "x" }, { __proto__x: 1 }, undefined],
      "/spec/atom": [{ a: "1" }, { b: "2", c: "3" }, undefined],
      "/spec/unknown": ["x", undefined],
      "/status": [{ phase: "x" }, undefined],
    },
    subresources: ["status", "scale"],
    fields: ["spec.mode", "spec.size"],
  }),
];
