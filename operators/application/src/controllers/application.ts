/** Keeps a Deployment, a Service and an Ingress for each Application, all of its name. */
import { defineController, instanceLabels, rolloutConditions } from "kubewright";
import { Deployment } from "kubewright/apps/v1";
import { Service } from "kubewright/core/v1";
import { Ingress } from "kubewright/networking/v1";
import { Application } from "../api/v1/application.ts";

/** The controller of Application. */
export const applicationController = defineController({
  for: Application,
  owns: [Deployment, Service, Ingress],
  recordsSynced: true,
  children: (application) => [deploymentFor(application), serviceFor(application), ingressFor(application)],
  status: (application, observed) => {
    const deployment = observed.get(Deployment, application.metadata.name);
    return {
      replicas: deployment?.status?.replicas ?? 0,
      availableReplicas: deployment?.status?.availableReplicas ?? 0,
      conditions: rolloutConditions(deployment, observed.problems),
    };
  },
});

/** The Deployment that runs the pods. */
export function deploymentFor(application: Application): Deployment {
  const { image, replicas, port, env, resources } = application.spec;
  const labels = instanceLabels("application", application);
  const container = {
    name: "application",
    image,
    ports: [{ name: "http", containerPort: port }],
    ...(env && { env }),
    ...(resources && { resources }),
  };
  return {
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata: { name: application.metadata.name, labels },
    spec: {
      replicas,
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { containers: [container] } },
    },
  };
}

/** The Service in front of the pods. */
export function serviceFor(application: Application): Service {
  const labels = instanceLabels("application", application);
  return {
    apiVersion: "v1",
    kind: "Service",
    metadata: { name: application.metadata.name, labels },
    spec: { selector: labels, ports: [{ name: "http", port: application.spec.port, targetPort: "http" }] },
  };
}

/** The Ingress that leads from the host to the Service. */
export function ingressFor(application: Application): Ingress {
  const { host, ingressClassName } = application.spec;
  const { name } = application.metadata;
  const backend = { service: { name, port: { name: "http" } } };
  return {
    apiVersion: "networking.k8s.io/v1",
    kind: "Ingress",
    metadata: { name, labels: instanceLabels("application", application) },
    spec: { ingressClassName, rules: [{ host, http: { paths: [{ path: "/", pathType: "Prefix", backend }] } }] },
  };
}
