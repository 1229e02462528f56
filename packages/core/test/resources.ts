/**
 * Nine resources as operators write them: the seven of operators/, and three whose shape is known from the field. Their
 * CRDs are compared with testdata/accepted-crds.json, which a real kube-apiserver accepted without a warning.
 */

import { z } from "zod";
import {
  atMostOneOf,
  type CustomResource,
  cel,
  conditions,
  defineResource,
  duration,
  embeddedResource,
  exactlyOneOf,
  immutable,
  intOrString,
  listMap,
  listSet,
  maxProperties,
  preserveUnknown,
  quantity,
  time,
} from "../src/schema/index.ts";

const Port = z.int32().min(1).max(65535);
const Resources = z.object({
  limits: z.record(z.string(), quantity()).check(maxProperties(32)).optional(),
  requests: z.record(z.string(), quantity()).check(maxProperties(32)).optional(),
});
const EnvironmentVariable = z.object({
  name: z.string().min(1).max(253),
  value: z.string().optional(),
  valueFrom: preserveUnknown().optional(),
});

const Memcached = defineResource({
  group: "cache.example.com",
  version: "v1alpha1",
  kind: "Memcached",
  shortNames: ["mc"],
  description: "A group of Memcached servers.",
  spec: z.object({
    size: z.int32().min(0).max(100).default(1).describe("How many Memcached pods run."),
    image: z.string().default("memcached:1.6-alpine"),
    port: Port.default(11211),
  }),
  status: z.object({
    size: z.int32().optional(),
    selector: z.string().optional(),
    nodes: z.array(z.string()).optional(),
    conditions: conditions(),
    observedGeneration: z.int().optional(),
  }),
  rules: [cel("self.spec.size > 0 || self.spec.image != ''", "an idle Memcached still names its image")],
  columns: [{ name: "Size", type: "integer", jsonPath: ".spec.size" }],
  scale: { specReplicas: ".spec.size", statusReplicas: ".status.size", labelSelector: ".status.selector" },
});

const Application = defineResource({
  group: "app.aiops.org",
  version: "v1",
  kind: "Application",
  categories: ["all"],
  spec: z.object({
    image: z.string().min(1),
    replicas: z.int32().min(0).default(1),
    port: Port.default(8080),
    host: z.string().max(253).default("example.foo.com"),
    ingressClassName: z.string().default("nginx"),
    env: listMap(EnvironmentVariable, "name").max(100).optional(),
    resources: Resources.optional(),
  }),
  status: z.object({ availableReplicas: z.int32().optional(), conditions: conditions() }),
  columns: [
    { name: "Image", type: "string", jsonPath: ".spec.image" },
    { name: "Ready", type: "string", jsonPath: '.status.conditions[?(@.type=="Ready")].status' },
    { name: "Age", type: "date", jsonPath: ".metadata.creationTimestamp" },
  ],
});

const Job = z.object({
  name: z
    .string()
    .max(63)
    .regex(/^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/),
  schedule: z.string().min(9).max(100).describe("A cron expression with five fields."),
  size: z.int32().min(0).max(1000),
  timeZone: z.string().max(64).optional(),
  suspend: z.boolean().default(false),
});

const Hpa = defineResource({
  group: "autoscal.aiops.org",
  version: "v1",
  kind: "Hpa",
  spec: z.object({
    scaleTarget: z
      .object({ apiVersion: z.string().default("apps/v1"), kind: z.string().min(1), name: z.string().min(1) })
      .check(immutable("scaleTarget is immutable")),
    jobs: listMap(Job, "name").min(1).max(64),
    startingDeadlineSeconds: z.int().min(0).optional(),
  }),
  status: z.object({
    jobs: listMap(
      z.object({
        name: z.string(),
        lastScheduleTime: time().optional(),
        nextScheduleTime: time().optional(),
        lastResult: z.enum(["Succeeded", "Failed"]).optional(),
      }),
      "name",
    ).optional(),
    conditions: conditions(),
  }),
  columns: [
    { name: "Target", type: "string", jsonPath: ".spec.scaleTarget.name" },
    { name: "Schedule", type: "string", jsonPath: ".spec.jobs[*].schedule" },
    { name: "Target Size", type: "integer", jsonPath: ".spec.jobs[*].size" },
  ],
});

const App = defineResource({
  group: "myapp.k8s.io",
  version: "v1",
  kind: "App",
  annotations: { "api-approved.kubernetes.io": "unapproved, an example" },
  spec: z.object({
    deployment: z.object({ name: z.string().max(63), image: z.string(), replicas: z.int32().min(0).default(1) }),
    service: z.object({ name: z.string().max(63) }),
  }),
  status: z.object({ availableReplicas: z.int32().optional() }),
});

const AppService = defineResource({
  group: "app.example.com",
  version: "v1",
  kind: "AppService",
  spec: z.object({
    size: z.int32().min(0),
    image: z.string().min(1),
    ports: listMap(
      z.object({ port: Port, targetPort: intOrString(), nodePort: z.int32().min(30000).max(32767).optional() }),
      "port",
    )
      .min(1)
      .max(100),
    env: listMap(EnvironmentVariable, "name").optional(),
    resources: Resources.optional(),
  }),
  status: z.object({ conditions: conditions(), ports: listSet(z.int32()).optional() }),
});

const MicroServiceDeploy = defineResource({
  group: "custom.ops",
  version: "v1",
  kind: "MicroServiceDeploy",
  shortNames: ["msd"],
  spec: z.object({
    msName: z.string().min(1).max(63),
    fullName: z.string().max(253),
    version: z.string().max(63),
    path: z.string().max(253),
    image: z.string().min(1),
    replicas: z.int32().min(0).default(1),
    autoscaling: z.boolean().default(false),
    needAuth: z.boolean().default(false),
    config: z.string().default(""),
    creationTimestamp: time().optional(),
    resourceRequirements: z.object({
      limits: z.record(z.string(), quantity()).check(maxProperties(16)),
      requests: z.record(z.string(), quantity()).check(maxProperties(16)),
    }),
    idle: z.boolean().default(false),
  }),
  status: z.object({ conditions: conditions() }),
});

const EtcdCluster = defineResource({
  group: "etcd.database.example.com",
  version: "v1beta2",
  kind: "EtcdCluster",
  spec: z
    .object({
      size: z.int32().min(1).max(9),
      version: z
        .string()
        .regex(/^\d+\.\d+\.\d+$/)
        .default("3.6.5"),
      paused: z.boolean().default(false),
      repository: z.string().optional(),
      pod: z
        .object({
          labels: z.record(z.string(), z.string()).optional(),
          nodeSelector: z.record(z.string(), z.string()).optional(),
          resources: Resources.optional(),
          persistentVolumeClaim: embeddedResource().optional(),
          busyboxImage: z.string().nullable().optional(),
        })
        .optional(),
      tls: z
        .object({
          member: z.object({ peerSecret: z.string(), serverSecret: z.string() }).optional(),
          operatorSecret: z.string().optional(),
        })
        .optional(),
      heartbeat: duration().default("100ms"),
    })
    .check(cel("self.size % 2 == 1", "an even number of members tolerates no more failures than one less")),
  status: z.object({
    phase: z.enum(["Creating", "Running", "Failed"]).optional(),
    members: z.object({ ready: z.array(z.string()).optional(), unready: z.array(z.string()).optional() }).optional(),
    size: z.int32().optional(),
    conditions: conditions(),
  }),
  scale: { specReplicas: ".spec.size", statusReplicas: ".status.size" },
});

const RedisEnterpriseCluster = defineResource({
  group: "app.redislabs.example.com",
  version: "v1",
  kind: "RedisEnterpriseCluster",
  shortNames: ["rec"],
  spec: z
    .object({
      nodes: z.int32().min(1).multipleOf(1).default(3),
      uiServiceType: z.enum(["ClusterIP", "NodePort", "LoadBalancer"]).default("ClusterIP"),
      persistentSpec: z
        .object({
          enabled: z.boolean().default(true),
          storageClassName: z.string().optional(),
          volumeSize: quantity().optional(),
        })
        .optional(),
      redisEnterpriseNodeResources: Resources.optional(),
      username: z.email().default("admin@example.com"),
      license: z.string().optional(),
      licenseSecretName: z.string().optional(),
      podAntiAffinity: preserveUnknown().optional(),
      backup: z
        .discriminatedUnion("type", [
          z.object({ type: z.literal("S3"), bucket: z.string(), region: z.string().optional() }),
          z.object({ type: z.literal("Volume"), claim: z.string() }),
        ])
        .optional(),
    })
    .check(atMostOneOf("license", "licenseSecretName")),
  status: z.object({ state: z.string().optional(), conditions: conditions() }),
  columns: [
    { name: "Nodes", type: "integer", jsonPath: ".spec.nodes" },
    { name: "State", type: "string", jsonPath: ".status.state", priority: 1 },
  ],
});

const Certificate = defineResource({
  group: "certificates.example.com",
  version: "v1",
  kind: "Certificate",
  shortNames: ["cert", "certs"],
  categories: ["certificates"],
  selectableFields: [".spec.issuerRef.name"],
  spec: z.object({
    secretName: z.string().min(1).max(253),
    commonName: z.string().max(64).optional(),
    dnsNames: listSet(z.string().max(253)).max(100).optional(),
    ipAddresses: listSet(z.string()).optional(),
    duration: duration().default("2160h"),
    renewBefore: duration().optional(),
    usages: z.array(z.enum(["digital signature", "key encipherment", "server auth", "client auth"])).optional(),
    privateKey: z
      .object({
        algorithm: z.enum(["RSA", "ECDSA", "Ed25519"]).default("ECDSA"),
        size: z.int32().optional(),
        rotationPolicy: z.enum(["Never", "Always"]).default("Always"),
      })
      .check(
        cel("self.algorithm != 'RSA' || !has(self.size) || self.size >= 2048", {
          fieldPath: ".size",
          message: "RSA keys have at least 2048 bits",
        }),
      )
      .prefault({}),
    issuerRef: z
      .object({ name: z.string(), kind: z.string().default("Issuer"), group: z.string().optional() })
      .check(immutable()),
    subject: z
      .object({ x500: z.string().optional(), literal: z.string().optional() })
      .check(exactlyOneOf("x500", "literal"))
      .optional(),
  }),
  status: z.object({
    notAfter: time().optional(),
    notBefore: time().optional(),
    renewalTime: time().optional(),
    revision: z.int32().optional(),
    conditions: conditions(),
  }),
});

/** The nine, by kind. */
export const resources: readonly CustomResource[] = [
  Memcached,
  Application,
  Hpa,
  App,
  AppService,
  MicroServiceDeploy,
  EtcdCluster,
  RedisEnterpriseCluster,
  Certificate,
];
