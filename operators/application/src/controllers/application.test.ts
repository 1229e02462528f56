import assert from "node:assert/strict";
import { test } from "node:test";
import { startCluster, type TestCluster } from "@kubewright/testing";
import { isConditionTrue } from "kubewright";
import { Deployment } from "kubewright/apps/v1";
import { Service } from "kubewright/core/v1";
import { Ingress } from "kubewright/networking/v1";
import { Application } from "../api/v1/application.ts";
import { applicationController } from "./application.ts";

const spec = { image: "nginx:1.27", replicas: 2, port: 80 };

async function startWithApplication(): Promise<TestCluster> {
  const cluster = await startCluster({ controllers: [applicationController] });
  await cluster.client.create(Application, { metadata: { name: "shop" }, spec });
  await cluster.settled();
  return cluster;
}

test("an Application gets a Deployment, a Service and an Ingress of its name, and becomes ready", async () => {
  await using cluster = await startWithApplication();
  const { client } = cluster;
  const application = await client.get(Application, "shop");
  assert.ok(isConditionTrue(application.status?.conditions, "Ready"));
  assert.equal(application.status?.availableReplicas, 2);
  const owners = await Promise.all([
    client.get(Deployment, "shop"),
    client.get(Service, "shop"),
    client.get(Ingress, "shop"),
  ]);
  for (const child of owners) assert.equal(child.metadata?.ownerReferences?.[0]?.uid, application.metadata.uid);
  const ingress = await client.get(Ingress, "shop");
  assert.equal(ingress.spec?.rules?.[0]?.host, "example.foo.com");
  assert.equal(ingress.spec?.ingressClassName, "nginx");
});

test("a child that is deleted or changed by hand comes back", async () => {
  await using cluster = await startWithApplication();
  await cluster.client.delete(Service, "shop");
  const elsewhere = { merge: { spec: { rules: [{ host: "elsewhere.example.com" }] } } };
  await cluster.client.patch(Ingress, "shop", elsewhere);
  await cluster.client.patch(Deployment, "shop", { merge: { spec: { replicas: 7 } } });
  await cluster.settled();
  assert.equal((await cluster.client.get(Service, "shop")).spec?.ports?.[0]?.port, 80);
  assert.equal((await cluster.client.get(Deployment, "shop")).spec?.replicas, 2);
  assert.equal((await cluster.client.get(Ingress, "shop")).spec?.rules?.[0]?.host, "example.foo.com");
  await cluster.client.patch(Service, "shop", { merge: { spec: { ports: [{ port: 81 }] } } });
  await cluster.settled();
  const { ports } = (await cluster.client.get(Service, "shop")).spec ?? {};
  assert.deepEqual(
    ports?.map(({ name, port }) => [name, port]),
    [["http", 80]],
  );
});

test("pods that cannot start show as not ready, and a good image heals it", async () => {
  const scripts = [{ image: "missing:1", unpullable: true }];
  await using cluster = await startCluster({ provider: "embedded", controllers: [applicationController], scripts });
  await cluster.client.create(Application, { metadata: { name: "shop" }, spec: { ...spec, image: "missing:1" } });
  await cluster.advance("11m");
  const failing = await cluster.client.get(Application, "shop");
  assert.ok(isConditionTrue(failing.status?.conditions, "Degraded"));
  await cluster.client.patch(Application, "shop", { merge: { spec: { image: "nginx:1.27" } } });
  await cluster.settled();
  assert.ok(isConditionTrue((await cluster.client.get(Application, "shop")).status?.conditions, "Ready"));
});

test("an Application without an image is refused with the field", async () => {
  await using cluster = await startCluster({ controllers: [applicationController] });
  const incomplete = { metadata: { name: "shop" }, spec: { replicas: 1 } } as never;
  await assert.rejects(cluster.client.create(Application, incomplete), /spec\.image: Required value/);
});
