/** Widget: the kind of the benchmark. Its CRD on the server is ../../../crd.yaml, the same for all frameworks. */
import { defineResource, type ObjectOf } from "kubewright";
import { z } from "zod";

/** The kind. */
export const Widget = defineResource({
  group: "bench.example.com",
  version: "v1",
  kind: "Widget",
  spec: z.object({ size: z.int(), message: z.string() }),
  status: z.object({ ready: z.boolean().optional(), observedGeneration: z.int().optional() }),
});

/** An object of the kind. */
export type Widget = ObjectOf<typeof Widget>;
