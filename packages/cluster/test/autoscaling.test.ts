import assert from "node:assert/strict";
import { test } from "node:test";
import { Deployment } from "@kubewright/api/apps/v1";
import { HorizontalPodAutoscaler } from "@kubewright/api/autoscaling/v2";
import type { ReadMetric } from "@kubewright/cluster";
import { startCluster, type TestCluster } from "@kubewright/testing";

const labels = { app: "web" };

async function createTarget({ client }: TestCluster, replicas: number): Promise<void> {
  const containers = [{ name: "web", image: "web:1", resources: { requests: { cpu: "100m" } } }];
  await client.create(Deployment, {
    metadata: { name: "web" },
    spec: { replicas, selector: { matchLabels: labels }, template: { metadata: { labels }, spec: { containers } } },
  });
}

function createAutoscaler(
  { client }: TestCluster,
  spec: Partial<HorizontalPodAutoscaler["spec"]> = {},
): Promise<unknown> {
  const target = { type: "Utilization", averageUtilization: 50 };
  return client.create(HorizontalPodAutoscaler, {
    metadata: { name: "web" },
    spec: {
      scaleTargetRef: { apiVersion: "apps/v1", kind: "Deployment", name: "web" },
      maxReplicas: 10,
      metrics: [{ type: "Resource", resource: { name: "cpu", target } }],
      ...spec,
    },
  });
}

async function replicas({ client }: TestCluster): Promise<number | undefined> {
  return (await client.get(Deployment, "web")).spec?.replicas;
}

async function conditionsOf({ client }: TestCluster): Promise<Record<string, string>> {
  const { status } = await client.get(HorizontalPodAutoscaler, "web");
  return Object.fromEntries(
    (status?.conditions ?? []).map(({ type, status: truth, reason }) => [type, `${truth} ${reason}`]),
  );
}

test("a Deployment grows with the use of its pods, and shrinks when that stayed low for five minutes", async () => {
  let millicores = 100;
  const metrics: ReadMetric = (query) => (query.type === "Resource" ? millicores / 1000 : undefined);
  await using cluster = await startCluster({ metrics });
  await createTarget(cluster, 2);
  await cluster.settled();
  await createAutoscaler(cluster);
  await cluster.settled();
  assert.equal(await replicas(cluster), 4);
  const { status } = await cluster.client.get(HorizontalPodAutoscaler, "web");
  assert.deepEqual(status?.currentMetrics, [
    { type: "Resource", resource: { name: "cpu", current: { averageUtilization: 100, averageValue: "100m" } } },
  ]);
  assert.deepEqual(await conditionsOf(cluster), {
    AbleToScale: "True SucceededRescale",
    ScalingActive: "True ValidMetricFound",
    ScalingLimited: "False DesiredWithinRange",
  });
  millicores = 25;
  await cluster.advance("4m");
  assert.equal(await replicas(cluster), 4);
  assert.equal((await conditionsOf(cluster))["AbleToScale"], "True ScaleDownStabilized");
  await cluster.advance("90s");
  assert.equal(await replicas(cluster), 2);
});

test("within the tolerance nothing changes, and the bounds hold", async () => {
  let millicores = 54;
  const metrics: ReadMetric = (query) => (query.type === "Resource" ? millicores / 1000 : undefined);
  await using cluster = await startCluster({ metrics });
  await createTarget(cluster, 4);
  await cluster.settled();
  await createAutoscaler(cluster, { maxReplicas: 5 });
  await cluster.settled();
  assert.equal(await replicas(cluster), 4);
  millicores = 500;
  await cluster.advance("15s");
  assert.equal(await replicas(cluster), 5);
  assert.equal((await conditionsOf(cluster))["ScalingLimited"], "True TooManyReplicas");
});

test("without measurements nothing is scaled, and the conditions say so", async () => {
  await using cluster = await startCluster();
  await createTarget(cluster, 3);
  await createAutoscaler(cluster);
  await cluster.settled();
  await cluster.advance("15s");
  assert.equal(await replicas(cluster), 3);
  const { status } = await cluster.client.get(HorizontalPodAutoscaler, "web");
  const active = status?.conditions?.find(({ type }) => type === "ScalingActive");
  assert.deepEqual([active?.status, active?.reason], ["False", "FailedGetResourceMetric"]);
  assert.equal(
    active?.message,
    "the HPA was unable to compute the replica count: failed to get cpu utilization: unable to get metrics for resource cpu: no metrics returned from resource metrics API",
  );
});

test("a number from outside is shared among the pods", async () => {
  const metrics: ReadMetric = (query) => (query.type === "External" && query.metric === "queue" ? 30 : undefined);
  await using cluster = await startCluster({ metrics });
  await createTarget(cluster, 1);
  await cluster.settled();
  const target = { type: "AverageValue", averageValue: "10" };
  await createAutoscaler(cluster, { metrics: [{ type: "External", external: { metric: { name: "queue" }, target } }] });
  await cluster.settled();
  assert.equal(await replicas(cluster), 3);
});

test("an autoscaler without a target says so", async () => {
  await using cluster = await startCluster();
  await createAutoscaler(cluster);
  await cluster.settled();
  assert.equal((await conditionsOf(cluster))["AbleToScale"], "False FailedGetScale");
});
