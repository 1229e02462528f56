/** The AppService resource: pods of one image and a service with several ports in front of them. */
import {
  conditions,
  containerEnv,
  containerResources,
  defineResource,
  intOrString,
  listMap,
  type ObjectOf,
} from "kubewright";
import { z } from "zod";

const Port = z.object({
  port: z.int32().min(1).max(65535).describe("The port of the service."),
  targetPort: intOrString().optional().describe("The port of the pods; the same unless given."),
  nodePort: z.int32().min(30000).max(32767).optional().describe("A port of every node."),
});

/** AppService, app.example.com/v1. */
export const AppService = defineResource({
  group: "app.example.com",
  version: "v1",
  kind: "AppService",
  description: "Pods of one image behind a service; any node port makes it a NodePort service.",
  spec: z.object({
    size: z.int32().min(0).default(1).describe("How many pods run."),
    image: z.string().min(1).describe("The image of the pods."),
    ports: listMap(Port, "port").min(1).max(64).describe("The ports of the service."),
    env: containerEnv().optional().describe("The environment of the pods."),
    resources: containerResources().optional().describe("What each pod may use."),
  }),
  status: z.object({ observedGeneration: z.int().optional(), conditions: conditions() }),
  columns: [
    { name: "Size", type: "integer", jsonPath: ".spec.size" },
    { name: "Ready", type: "string", jsonPath: '.status.conditions[?(@.type=="Ready")].status' },
    { name: "Age", type: "date", jsonPath: ".metadata.creationTimestamp" },
  ],
});
export type AppService = ObjectOf<typeof AppService>;
