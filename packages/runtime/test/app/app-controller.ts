/** The App's controller, declared. */
import { Deployment } from "@kubewright/api/apps/v1";
import { type Controller, defineController } from "@kubewright/runtime";
import { App, deploymentFor } from "./app.ts";

/** Keeps the Deployment of each App. */
export const appController: Controller<App> = defineController({
  for: App,
  owns: [Deployment],
  children: (app) => [deploymentFor(app)],
  status: (app, observed) => ({
    availableReplicas: observed.get(Deployment, app.spec.deploymentName)?.status?.availableReplicas ?? 0,
  }),
});
