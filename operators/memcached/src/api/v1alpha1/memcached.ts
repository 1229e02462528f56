/** The Memcached resource: how many Memcached pods run, and of which image. */
import { conditions, defineResource, type ObjectOf } from "kubewright";
import { z } from "zod";

/** Memcached, cache.example.com/v1alpha1. */
export const Memcached = defineResource({
  group: "cache.example.com",
  version: "v1alpha1",
  kind: "Memcached",
  shortNames: ["mc"],
  description: "A Memcached deployment with a headless service in front of it.",
  spec: z.object({
    size: z.int32().min(0).max(100).default(1).describe("How many Memcached pods run."),
    image: z.string().min(1).default("memcached:1.6-alpine").describe("The image of the pods."),
    port: z.int32().min(1).max(65535).default(11211).describe("The port that Memcached listens on."),
  }),
  status: z.object({
    size: z.int32().optional().describe("How many pods there are."),
    selector: z.string().optional().describe("Selects the pods, for autoscalers."),
    nodes: z.array(z.string()).optional().describe("The names of the pods."),
    observedGeneration: z.int().optional(),
    conditions: conditions(),
  }),
  columns: [
    { name: "Size", type: "integer", jsonPath: ".spec.size" },
    { name: "Ready", type: "string", jsonPath: '.status.conditions[?(@.type=="Ready")].status' },
    { name: "Age", type: "date", jsonPath: ".metadata.creationTimestamp" },
  ],
  scale: { specReplicas: ".spec.size", statusReplicas: ".status.size", labelSelector: ".status.selector" },
});
export type Memcached = ObjectOf<typeof Memcached>;
