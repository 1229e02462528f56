import assert from "node:assert/strict";
import { test } from "node:test";
import { Deployment } from "@kubewright/api/apps/v1";
import { Pod, Service } from "@kubewright/api/core/v1";
import { PodDisruptionBudget } from "@kubewright/api/policy/v1";
import { defineResource } from "@kubewright/core/schema";
import { startCluster } from "@kubewright/testing";
import { z } from "zod";

const labels = { app: "web" };
const pod = { containers: [{ name: "web", image: "web:1" }] };

test("a budget follows the pods of the Deployment it protects", async () => {
  await using cluster = await startCluster();
  const selector = { matchLabels: labels };
  await cluster.client.create(Deployment, {
    metadata: { name: "web" },
    spec: { replicas: 4, selector, template: { metadata: { labels }, spec: pod } },
  });
  await cluster.client.create(PodDisruptionBudget, {
    metadata: { name: "web" },
    spec: { selector, maxUnavailable: "25%" },
  });
  await cluster.settled();
  const status = async () => (await cluster.client.get(PodDisruptionBudget, "web")).status;
  assert.deepEqual(
    [(await status())?.expectedPods, (await status())?.desiredHealthy, (await status())?.disruptionsAllowed],
    [4, 3, 1],
  );
  await cluster.client.patch(Deployment, "web", { merge: { spec: { replicas: 8 } } });
  await cluster.settled();
  assert.deepEqual([(await status())?.expectedPods, (await status())?.disruptionsAllowed], [8, 2]);
});

test("the simulated load balancer gives each service an address of its own, when it is on", async () => {
  await using cluster = await startCluster({ clusterControllers: ["*", "service-lb-controller"] });
  const spec = { type: "LoadBalancer", ports: [{ port: 80 }] } as const;
  for (const name of ["a", "b"]) await cluster.client.create(Service, { metadata: { name }, spec });
  await cluster.settled();
  const { items } = await cluster.client.list(Service);
  const ips = items.flatMap(({ status }) => status?.loadBalancer?.ingress?.map(({ ip }) => ip) ?? []);
  assert.deepEqual(ips.toSorted(), ["203.0.113.1", "203.0.113.2"]);
});

test("a budget in percent follows the scale of a custom kind whose object controls the pods", async () => {
  const Farm = defineResource({
    ...{ group: "example.com", version: "v1", kind: "Farm" },
    spec: z.object({ size: z.int32() }),
    status: z.object({ size: z.int32().optional() }),
    scale: { specReplicas: ".spec.size", statusReplicas: ".status.size" },
  });
  await using cluster = await startCluster({ resources: [Farm] });
  const { client } = cluster;
  const { metadata } = await client.create(Farm, { metadata: { name: "farm" }, spec: { size: 10 } });
  const owner = { apiVersion: "example.com/v1", kind: "Farm", name: "farm", uid: metadata.uid ?? "", controller: true };
  for (const name of ["a", "b"]) {
    await client.create(Pod, { metadata: { name, labels, ownerReferences: [owner] }, spec: pod });
  }
  const selector = { matchLabels: labels };
  await client.create(PodDisruptionBudget, { metadata: { name: "web" }, spec: { selector, maxUnavailable: "90%" } });
  await cluster.settled();
  const { status } = await client.get(PodDisruptionBudget, "web");
  assert.deepEqual([status?.expectedPods, status?.desiredHealthy, status?.disruptionsAllowed], [10, 1, 1]);
});
