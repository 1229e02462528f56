/** The NodePortApp resource: one image, reachable on a port of every node. */
import { conditions, defineResource, type ObjectOf } from "kubewright";
import { z } from "zod";

/** NodePortApp, example.com/v1. */
export const NodePortApp = defineResource({
  group: "example.com",
  version: "v1",
  kind: "NodePortApp",
  shortNames: ["npa"],
  description: "An image that runs and is reachable on a port of every node.",
  spec: z.object({
    image: z.string().min(1).describe("The image to run."),
    nodePortNumber: z.int32().min(30000).max(32767).describe("The port of the nodes."),
  }),
  status: z.object({ observedGeneration: z.int().optional(), conditions: conditions() }),
  columns: [
    { name: "Image", type: "string", jsonPath: ".spec.image" },
    { name: "Port", type: "integer", jsonPath: ".spec.nodePortNumber" },
    { name: "Ready", type: "string", jsonPath: '.status.conditions[?(@.type=="Ready")].status' },
    { name: "Age", type: "date", jsonPath: ".metadata.creationTimestamp" },
  ],
});
export type NodePortApp = ObjectOf<typeof NodePortApp>;
