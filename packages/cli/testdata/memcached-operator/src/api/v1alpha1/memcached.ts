/** The Memcached resource: what users ask for, and what the operator reports. */
import { conditions, defineResource, type ObjectOf } from "kubewright";
import { z } from "zod";

/** Memcached, cache.example.com/v1alpha1. */
export const Memcached = defineResource({
  group: "cache.example.com",
  version: "v1alpha1",
  kind: "Memcached",
  spec: z.object({
    foo: z.string().default("Hello World").describe("An example; replace it by fields of your own."),
  }),
  status: z.object({ conditions: conditions() }),
  columns: [
    { name: "Ready", type: "string", jsonPath: '.status.conditions[?(@.type=="Ready")].status' },
    { name: "Age", type: "date", jsonPath: ".metadata.creationTimestamp" },
  ],
});
export type Memcached = ObjectOf<typeof Memcached>;
