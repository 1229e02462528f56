import assert from "node:assert/strict";
import { test } from "node:test";
import { Deployment } from "@kubewright/api/apps/v1";
import { HorizontalPodAutoscaler } from "@kubewright/api/autoscaling/v2";
import type { ReadMetric } from "@kubewright/cluster";
import { defineResource } from "@kubewright/core/schema";
import { startCluster, type TestCluster } from "@kubewright/testing";
import { z } from "zod";

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

test("growing and shrinking keep to the policies of the autoscaler, and a direction may be off", async () => {
  let millicores = 500;
  const metrics: ReadMetric = (query) => (query.type === "Resource" ? millicores / 1000 : undefined);
  await using cluster = await startCluster({ metrics });
  await createTarget(cluster, 1);
  await cluster.settled();
  const oneAMinute = { policies: [{ type: "Pods", value: 1, periodSeconds: 60 }], stabilizationWindowSeconds: 0 };
  await createAutoscaler(cluster, { maxReplicas: 4, behavior: { scaleUp: oneAMinute, scaleDown: oneAMinute } });
  await cluster.settled();
  assert.equal(await replicas(cluster), 2);
  assert.equal((await conditionsOf(cluster))["ScalingLimited"], "True ScaleUpLimit");
  await cluster.advance("50s");
  assert.equal(await replicas(cluster), 2);
  await cluster.advance("4m");
  assert.equal(await replicas(cluster), 4);
  millicores = 5;
  await cluster.advance("15s");
  assert.equal(await replicas(cluster), 3);
  assert.equal((await conditionsOf(cluster))["ScalingLimited"], "True ScaleDownLimit");
  await cluster.client.patch(HorizontalPodAutoscaler, "web", {
    merge: { spec: { behavior: { scaleDown: { selectPolicy: "Disabled" } } } },
  });
  await cluster.advance("10m");
  assert.equal(await replicas(cluster), 3);
});

test("a target without replicas is left alone, and one outside the bounds is brought inside", async () => {
  await using cluster = await startCluster();
  await createTarget(cluster, 0);
  await createAutoscaler(cluster, { minReplicas: 2, maxReplicas: 4 });
  await cluster.settled();
  assert.equal(await replicas(cluster), 0);
  assert.equal((await conditionsOf(cluster))["ScalingActive"], "False ScalingDisabled");
  for (const [given, wanted] of [
    [9, 4],
    [1, 2],
  ] as const) {
    await cluster.client.patch(Deployment, "web", { merge: { spec: { replicas: given } } });
    await cluster.advance("15s");
    assert.equal(await replicas(cluster), wanted);
  }
});

test("the pods of a custom kind with a scale are scaled, too", async () => {
  const Farm = defineResource({
    ...{ group: "example.com", version: "v1", kind: "Farm" },
    spec: z.object({ size: z.int32() }),
    status: z.object({ size: z.int32().optional(), selector: z.string().optional() }),
    scale: { specReplicas: ".spec.size", statusReplicas: ".status.size", labelSelector: ".status.selector" },
  });
  const metrics: ReadMetric = (query) => (query.type === "External" ? 50 : undefined);
  await using cluster = await startCluster({ metrics, resources: [Farm] });
  await cluster.client.create(Farm, { metadata: { name: "web" }, spec: { size: 1 } });
  const status = { size: 1, selector: "app=web" };
  await cluster.client.patch(Farm, "web", { merge: { status } }, { subresource: "status" });
  const target = { type: "AverageValue", averageValue: "10" };
  await createAutoscaler(cluster, {
    scaleTargetRef: { apiVersion: "example.com/v1", kind: "Farm", name: "web" },
    metrics: [{ type: "External", external: { metric: { name: "queue" }, target } }],
  });
  await cluster.settled();
  assert.equal((await cluster.client.get(Farm, "web")).spec.size, 5);
});
