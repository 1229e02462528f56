/** Keeps a Deployment and a NodePort Service for each NodePortApp. */
import { defineController, instanceLabels, rolloutConditions } from "kubewright";
import { Deployment } from "kubewright/apps/v1";
import { Service } from "kubewright/core/v1";
import { NodePortApp } from "../api/v1/node-port-app.ts";

const CONTAINER_PORT = 80;

/** The controller of NodePortApp. */
export const nodePortAppController = defineController({
  for: NodePortApp,
  owns: [Deployment, Service],
  recordsSynced: true,
  children: (app) => [deploymentFor(app), serviceFor(app)],
  status: (app, observed) => ({
    conditions: rolloutConditions(observed.get(Deployment, app.metadata.name), observed.problems),
  }),
});

/** The Deployment that runs the image. */
export function deploymentFor(app: NodePortApp): Deployment {
  const labels = instanceLabels("nodeport", app);
  const ports = [{ name: "http", containerPort: CONTAINER_PORT }];
  return {
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata: { name: app.metadata.name, labels },
    spec: {
      replicas: 1,
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { containers: [{ name: "app", image: app.spec.image, ports }] } },
    },
  };
}

/** The Service on the port of the nodes. */
export function serviceFor(app: NodePortApp): Service {
  const labels = instanceLabels("nodeport", app);
  const port = { name: "http", port: CONTAINER_PORT, targetPort: "http", nodePort: app.spec.nodePortNumber };
  return {
    apiVersion: "v1",
    kind: "Service",
    metadata: { name: app.metadata.name, labels },
    spec: { type: "NodePort", selector: labels, ports: [port] },
  };
}
