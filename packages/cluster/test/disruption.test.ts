import assert from "node:assert/strict";
import { test } from "node:test";
import { Deployment } from "@kubewright/api/apps/v1";
import { Lease } from "@kubewright/api/coordination/v1";
import { Node, Pod, Service } from "@kubewright/api/core/v1";
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

test("pods of a node that is gone are removed when it stays away", async () => {
  await using cluster = await startCluster();
  await cluster.client.create(Pod, { metadata: { name: "a" }, spec: pod });
  await cluster.settled();
  await cluster.client.delete(Node, "node-0");
  await cluster.advance("30s");
  assert.notEqual(await cluster.client.find(Pod, "a"), undefined);
  await cluster.advance("11s");
  assert.equal(await cluster.client.find(Pod, "a"), undefined);
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

test("the leases of nodes are renewed every ten seconds, where that is wanted", async () => {
  await using cluster = await startCluster({ clusterControllers: ["*"], nodes: 2 });
  const { client, clock } = cluster;
  await client.delete(Lease, { name: "node-1", namespace: "kube-node-lease" });
  await cluster.advance("5m");
  const leases = (await client.list(Lease, { namespace: "kube-node-lease" })).items;
  assert.deepEqual(
    leases.map(({ spec }) => [spec?.holderIdentity, spec?.leaseDurationSeconds]),
    [
      ["node-0", 40],
      ["node-1", 40],
    ],
  );
  for (const { spec } of leases) assert.ok(clock.now() - Date.parse(spec?.renewTime ?? "") <= 10_000);
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
