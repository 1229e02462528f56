/** The Application resource: a web application behind a Service and an Ingress. */
import { conditions, containerEnv, containerResources, defineResource, type ObjectOf } from "kubewright";
import { z } from "zod";

/** Application, app.aiops.org/v1. */
export const Application = defineResource({
  group: "app.aiops.org",
  version: "v1",
  kind: "Application",
  shortNames: ["aiopsapp"],
  description: "A web application: pods, a service in front of them, and an ingress that leads there.",
  spec: z.object({
    image: z.string().min(1).describe("The image of the pods."),
    replicas: z.int32().min(0).default(1).describe("How many pods run."),
    port: z.int32().min(1).max(65535).default(8080).describe("The port that the application listens on."),
    host: z.hostname().default("example.foo.com").describe("The host name that the ingress serves."),
    ingressClassName: z.string().min(1).default("nginx").describe("Which ingress controller serves it."),
    env: containerEnv().optional().describe("The environment of the pods."),
    resources: containerResources().optional().describe("What each pod may use."),
  }),
  status: z.object({
    replicas: z.int32().optional(),
    availableReplicas: z.int32().optional(),
    observedGeneration: z.int().optional(),
    conditions: conditions(),
  }),
  columns: [
    { name: "Host", type: "string", jsonPath: ".spec.host" },
    { name: "Replicas", type: "integer", jsonPath: ".spec.replicas" },
    { name: "Ready", type: "string", jsonPath: '.status.conditions[?(@.type=="Ready")].status' },
    { name: "Age", type: "date", jsonPath: ".metadata.creationTimestamp" },
  ],
  scale: { specReplicas: ".spec.replicas", statusReplicas: ".status.replicas" },
});
export type Application = ObjectOf<typeof Application>;
