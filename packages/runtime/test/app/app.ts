/** The App kind of the two programs beside this file, and what both make of it. */
import type { Deployment } from "@kubewright/api/apps/v1";
import type { ObjectOf } from "@kubewright/core/meta";
import { defineResource } from "@kubewright/core/schema";
import { z } from "zod";

/** An application that runs as a Deployment. */
export const App = defineResource({
  group: "apps.example.com",
  version: "v1alpha1",
  kind: "App",
  spec: z.object({ deploymentName: z.string(), replicas: z.int32().default(1), image: z.string().default("nginx:1") }),
  status: z.object({ availableReplicas: z.int32().optional(), observedGeneration: z.int().optional() }),
});

/** An App as it is stored. */
export type App = ObjectOf<typeof App>;

/** The Deployment of an App. */
export function deploymentFor({ metadata, spec }: App): Deployment {
  const labels = { app: "nginx", controller: metadata.name ?? "" };
  return {
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata: { name: spec.deploymentName, labels },
    spec: {
      replicas: spec.replicas,
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { containers: [{ name: "nginx", image: spec.image }] } },
    },
  };
}
