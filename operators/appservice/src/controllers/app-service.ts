/** Keeps a Deployment and a Service for each AppService; a node port that is taken shows in its status. */
import { defineController, instanceLabels, rolloutConditions } from "kubewright";
import { Deployment } from "kubewright/apps/v1";
import { Service } from "kubewright/core/v1";
import { AppService } from "../api/v1/app-service.ts";

/** The controller of AppService. */
export const appServiceController = defineController({
  for: AppService,
  owns: [Deployment, Service],
  recordsSynced: true,
  children: (app) => [deploymentFor(app), serviceFor(app)],
  status: (app, observed) => ({
    conditions: rolloutConditions(observed.get(Deployment, app.metadata.name), observed.problems),
  }),
});

/** The Deployment that runs the pods. */
export function deploymentFor(app: AppService): Deployment {
  const { size, image, ports, env, resources } = app.spec;
  const labels = instanceLabels("appservice", app);
  const numbers = ports.map(({ port, targetPort = port }) => targetPort).filter((target) => typeof target === "number");
  const container = {
    name: "app",
    image,
    ports: [...new Set(numbers)].map((containerPort) => ({ containerPort })),
    ...(env && { env }),
    ...(resources && { resources }),
  };
  return {
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata: { name: app.metadata.name, labels },
    spec: {
      replicas: size,
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { containers: [container] } },
    },
  };
}

/** The Service: of type NodePort as soon as one port wants a port of the nodes. */
export function serviceFor(app: AppService): Service {
  const labels = instanceLabels("appservice", app);
  const { ports } = app.spec;
  return {
    apiVersion: "v1",
    kind: "Service",
    metadata: { name: app.metadata.name, labels },
    spec: {
      type: ports.some(({ nodePort }) => nodePort !== undefined) ? "NodePort" : "ClusterIP",
      selector: labels,
      ports: ports.map(({ port, targetPort = port, nodePort }) => ({
        name: `port-${port}`,
        port,
        targetPort,
        ...(nodePort && { nodePort }),
      })),
    },
  };
}
