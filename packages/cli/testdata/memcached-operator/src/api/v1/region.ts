/** The Region resource: what users ask for, and what the operator reports. */
import { conditions, defineResource, type ObjectOf } from "kubewright";
import { z } from "zod";

/** Region, infra.example.com/v1. */
export const Region = defineResource({
  group: "infra.example.com",
  version: "v1",
  kind: "Region",
  scope: "Cluster",
  spec: z.object({
    foo: z.string().default("Hello World").describe("An example; replace it by fields of your own."),
  }),
  status: z.object({ conditions: conditions() }),
  columns: [
    { name: "Ready", type: "string", jsonPath: '.status.conditions[?(@.type=="Ready")].status' },
    { name: "Age", type: "date", jsonPath: ".metadata.creationTimestamp" },
  ],
});
export type Region = ObjectOf<typeof Region>;
