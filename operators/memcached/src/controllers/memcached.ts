/** Keeps a Deployment and a headless Service for each Memcached, and reports the pods. */
import { defineController, formatLabels, instanceLabels, labelledInstance, rolloutConditions, watch } from "kubewright";
import { Deployment } from "kubewright/apps/v1";
import { Pod, Service } from "kubewright/core/v1";
import { Memcached } from "../api/v1alpha1/memcached.ts";

/** The controller of Memcached. */
export const memcachedController = defineController({
  for: Memcached,
  owns: [Deployment, Service],
  watches: [watch(Pod, { map: labelledInstance })],
  recordsSynced: true,
  children: (memcached) => [deploymentFor(memcached), serviceFor(memcached)],
  status: (memcached, observed) => {
    const deployment = observed.get(Deployment, memcached.metadata.name);
    const labels = instanceLabels("memcached", memcached);
    const pods = observed.cache.list(Pod, { namespace: memcached.metadata.namespace, labels });
    return {
      size: deployment?.status?.replicas ?? 0,
      selector: formatLabels(labels),
      nodes: pods.map((pod) => pod.metadata?.name ?? "").toSorted(),
      conditions: rolloutConditions(deployment, observed.problems),
    };
  },
});

/** The Deployment that runs the pods. */
export function deploymentFor(memcached: Memcached): Deployment {
  const { size, image, port } = memcached.spec;
  const labels = instanceLabels("memcached", memcached);
  const ports = [{ name: "memcached", containerPort: port }];
  return {
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata: { name: memcached.metadata.name, labels },
    spec: {
      replicas: size,
      selector: { matchLabels: labels },
      template: {
        metadata: { labels },
        spec: { containers: [{ name: "memcached", image, args: ["-p", `${port}`], ports }] },
      },
    },
  };
}

/** The headless Service by which clients find all pods. */
export function serviceFor(memcached: Memcached): Service {
  const labels = instanceLabels("memcached", memcached);
  return {
    apiVersion: "v1",
    kind: "Service",
    metadata: { name: memcached.metadata.name, labels },
    spec: {
      clusterIP: "None",
      selector: labels,
      ports: [{ name: "memcached", port: memcached.spec.port, targetPort: "memcached" }],
    },
  };
}
