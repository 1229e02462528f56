/** The resource that `npm start` shows: a cache of so many Memcached pods. */
import { cel, conditions, defineResource, type ObjectOf } from "kubewright";
import { z } from "zod";

/** A Memcached cluster, defined as a value. */
export const Memcached = defineResource({
  group: "cache.example.com",
  version: "v1alpha1",
  kind: "Memcached",
  shortNames: ["mc"],
  spec: z.object({
    size: z.int32().min(0).max(100).default(1).describe("How many Memcached pods run."),
    image: z.string().default("memcached:1.6-alpine"),
  }),
  status: z.object({ nodes: z.array(z.string()).optional(), conditions: conditions() }),
  rules: [cel("self.spec.size > 0 || self.spec.image != ''", "an idle Memcached still names its image")],
  columns: [{ name: "Size", type: "integer", jsonPath: ".spec.size" }],
});

/** Its type is inferred: `size` is a number, `status.nodes` may be absent. */
export type Memcached = ObjectOf<typeof Memcached>;

/** What users write may leave out what has a default; what a controller reads has it. */
export const podNames = (memcached: Memcached): readonly string[] =>
  Array.from({ length: memcached.spec.size }, (_, index) => `${memcached.metadata.name}-${index}`);
