/** The App resource: an image that runs as a Deployment behind a Service, both named by the user. */
import { conditions, defineResource, type ObjectOf } from "kubewright";
import { z } from "zod";

const name = z.string().min(1).max(63);

/** App, myapp.k8s.io/v1. */
export const App = defineResource({
  group: "myapp.k8s.io",
  version: "v1",
  kind: "App",
  description: "An image that runs as a Deployment behind a Service.",
  // Groups under k8s.io belong to the Kubernetes community; the API server refuses them without a word on the approval.
  annotations: { "api-approved.kubernetes.io": "unapproved, an example outside the Kubernetes community" },
  spec: z.object({
    deployment: z.object({
      name: name.describe("The name of the Deployment."),
      image: z.string().min(1).describe("The image to run."),
      replicas: z.int32().min(0).default(1).describe("How many pods run."),
    }),
    service: z.object({ name: name.describe("The name of the Service.") }),
  }),
  status: z.object({
    availableReplicas: z.int32().optional().describe("How many pods are available."),
    observedGeneration: z.int().optional(),
    conditions: conditions(),
  }),
  columns: [
    { name: "Image", type: "string", jsonPath: ".spec.deployment.image" },
    { name: "Available", type: "integer", jsonPath: ".status.availableReplicas" },
    { name: "Ready", type: "string", jsonPath: '.status.conditions[?(@.type=="Ready")].status' },
    { name: "Age", type: "date", jsonPath: ".metadata.creationTimestamp" },
  ],
});
export type App = ObjectOf<typeof App>;
