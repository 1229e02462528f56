/** Keeps a Deployment and a Service for each App, declared; ../program.ts does the same by hand. */
import { defineController, rolloutConditions } from "kubewright";
import { Deployment } from "kubewright/apps/v1";
import { Service } from "kubewright/core/v1";
import { App } from "../api/v1/app.ts";
import { deploymentFor, serviceFor } from "../children.ts";

/** The controller of App. */
export const appController = defineController({
  for: App,
  owns: [Deployment, Service],
  concurrency: 2,
  backoff: { retriesMax: 10 },
  recordsSynced: true,
  children: (app) => [deploymentFor(app), serviceFor(app)],
  status: (app, observed) => {
    const deployment = observed.get(Deployment, app.spec.deployment.name);
    return {
      availableReplicas: deployment?.status?.availableReplicas ?? 0,
      conditions: rolloutConditions(deployment, observed.problems),
    };
  },
});
