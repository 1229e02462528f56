/** What an App consists of. Pure; both controllers, the declared one and the one by hand, make it real. */
import type { Deployment } from "kubewright/apps/v1";
import type { Service } from "kubewright/core/v1";
import type { App } from "./api/v1/app.ts";

const PORT = 80;

/** The Deployment that runs the image. */
export function deploymentFor(app: App): Deployment {
  const { name, image, replicas } = app.spec.deployment;
  const labels = labelsFor(app);
  const containers = [{ name: "app", image, ports: [{ name: "http", containerPort: PORT }] }];
  return {
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata: { name, labels },
    spec: { replicas, selector: { matchLabels: labels }, template: { metadata: { labels }, spec: { containers } } },
  };
}

/** The Service in front of it. */
export function serviceFor(app: App): Service {
  const labels = labelsFor(app);
  return {
    apiVersion: "v1",
    kind: "Service",
    metadata: { name: app.spec.service.name, labels },
    spec: { selector: labels, ports: [{ name: "http", port: PORT, targetPort: "http" }] },
  };
}

function labelsFor(app: App): Record<string, string> {
  return { app: "myApp", controller: app.metadata.name };
}
