import assert from "node:assert/strict";
import { test } from "node:test";
import { startCluster, type TestCluster } from "@kubewright/testing";
import { isConditionTrue } from "kubewright";
import { Deployment } from "kubewright/apps/v1";
import { HorizontalPodAutoscaler } from "kubewright/autoscaling/v2";
import { ConfigMap, Pod, ResourceQuota, Secret, ServiceAccount } from "kubewright/core/v1";
import { Ingress } from "kubewright/networking/v1";
import { MicroServiceDeploy } from "../api/v1/micro-service-deploy.ts";
import { microServiceController } from "./micro-service-deploy.ts";

const spec = {
  msName: "greeter",
  fullName: "The Greeter",
  version: "1.0",
  path: "hello",
  image: "nginx:1.27",
  replicas: 2,
  config: "GREETING=hello\n# a comment\n",
  resourceRequirements: { limits: { cpu: "200m", memory: "128Mi" }, requests: { cpu: "100m", memory: "64Mi" } },
};

async function startWith(...services: readonly Partial<typeof spec & Record<string, unknown>>[]): Promise<TestCluster> {
  const cluster = await startCluster({ controllers: [microServiceController] });
  for (const [index, changes] of services.entries()) {
    await cluster.client.create(MicroServiceDeploy, { metadata: { name: `s${index}` }, spec: { ...spec, ...changes } });
  }
  await cluster.settled();
  return cluster;
}

async function patch({ client, settled }: TestCluster, changes: object): Promise<void> {
  await client.patch(MicroServiceDeploy, "s0", { merge: { spec: changes } });
  await settled();
}

test("a microservice gets an account, a configuration, pods, a quota and an ingress, and becomes ready", async () => {
  await using cluster = await startWith({});
  const { client } = cluster;
  assert.ok(isConditionTrue((await client.get(MicroServiceDeploy, "s0")).status?.conditions, "Ready"));
  assert.deepEqual((await client.get(ConfigMap, "greeter-1-0")).data, { GREETING: "hello" });
  assert.ok(await client.get(ServiceAccount, "greeter-1-0"));
  assert.match((await client.get(Ingress, "greeter-1-0")).spec?.rules?.[0]?.host ?? "", /hello/);
  const { hard } = (await client.get(ResourceQuota, "greeter-1-0")).spec ?? {};
  assert.deepEqual(hard, {
    pods: "3",
    "requests.cpu": "300m",
    "requests.memory": "192Mi",
    "limits.cpu": "600m",
    "limits.memory": "384Mi",
  });
});

test("a change of the configuration replaces the pods, within the quota", async () => {
  await using cluster = await startWith({});
  const names = async () => (await cluster.client.list(Pod)).items.map((pod) => pod.metadata?.name);
  const before = await names();
  await patch(cluster, { config: "GREETING=good day" });
  await cluster.eventually(async () => {
    const after = await names();
    assert.equal(after.length, 2);
    assert.ok(after.every((name) => !before.includes(name)));
  });
});

test("an autoscaled service keeps the size that the autoscaler gave it", async () => {
  await using cluster = await startWith({ autoscaling: true });
  const autoscaler = await cluster.client.get(HorizontalPodAutoscaler, "greeter-1-0");
  assert.deepEqual([autoscaler.spec?.minReplicas, autoscaler.spec?.maxReplicas], [2, 6]);
  await cluster.client.subresource(Deployment, "scale").patch("greeter-1-0", { merge: { spec: { replicas: 5 } } });
  await cluster.settled();
  assert.equal((await cluster.client.get(Deployment, "greeter-1-0")).spec?.replicas, 5);
});

test("an idle service has no pods and no autoscaler, and comes back as it was", async () => {
  await using cluster = await startWith({ autoscaling: true });
  await cluster.client.subresource(Deployment, "scale").patch("greeter-1-0", { merge: { spec: { replicas: 4 } } });
  await cluster.settled();
  await patch(cluster, { idle: true });
  await cluster.eventually(async () => assert.equal((await cluster.client.list(Pod)).items.length, 0));
  assert.equal(await cluster.client.find(HorizontalPodAutoscaler, "greeter-1-0"), undefined);
  await patch(cluster, { idle: false });
  assert.equal((await cluster.client.get(Deployment, "greeter-1-0")).spec?.replicas, 4);
  assert.ok(await cluster.client.find(HorizontalPodAutoscaler, "greeter-1-0"));
});

test("a password is made once, kept through changes, and goes when it is not asked for", async () => {
  await using cluster = await startWith({ needAuth: true });
  const password = async () => (await cluster.client.find(Secret, "greeter-1-0"))?.data?.["password"];
  const first = await password();
  assert.ok(first);
  const ingress = await cluster.client.get(Ingress, "greeter-1-0");
  assert.equal(ingress.metadata?.annotations?.["nginx.ingress.kubernetes.io/auth-secret"], "greeter-1-0");
  await patch(cluster, { image: "nginx:1.28" });
  assert.equal(await password(), first);
  await patch(cluster, { needAuth: false });
  assert.equal(await password(), undefined);
});

test("two versions run side by side", async () => {
  await using cluster = await startWith({}, { version: "2.0" });
  for (const name of ["s0", "s1"]) {
    assert.ok(isConditionTrue((await cluster.client.get(MicroServiceDeploy, name)).status?.conditions, "Ready"), name);
  }
  assert.equal((await cluster.client.list(Deployment)).items.length, 2);
});
