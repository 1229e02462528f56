import assert from "node:assert/strict";
import { test } from "node:test";
import { startCluster } from "@kubewright/testing";
import { isConditionTrue } from "kubewright";
import { Deployment } from "kubewright/apps/v1";
import { Pod, Service } from "kubewright/core/v1";
import { Memcached } from "../api/v1alpha1/memcached.ts";
import { memcachedController } from "./memcached.ts";

test("a Memcached gets a Deployment, a headless Service and a status with its pods", async () => {
  await using cluster = await startCluster({ controllers: [memcachedController] });
  await cluster.client.create(Memcached, { metadata: { name: "a" }, spec: { size: 3 } });
  await cluster.settled();
  const memcached = await cluster.client.get(Memcached, "a");
  const pods = await cluster.client.list(Pod);
  assert.deepEqual(
    memcached.status?.nodes,
    pods.items.map((pod) => pod.metadata?.name),
  );
  assert.equal(memcached.status?.nodes?.length, 3);
  assert.ok(isConditionTrue(memcached.status?.conditions ?? [], "Ready"));
  assert.equal((await cluster.client.get(Service, "a")).spec?.clusterIP, "None");
});

test("the size is followed", async () => {
  await using cluster = await startCluster({ controllers: [memcachedController] });
  await cluster.client.create(Memcached, { metadata: { name: "a" }, spec: { size: 10 } });
  await cluster.settled();
  await cluster.client.patch(Memcached, "a", { merge: { spec: { size: 9 } } });
  await cluster.settled();
  assert.equal((await cluster.client.get(Deployment, "a")).status?.availableReplicas, 9);
  assert.equal((await cluster.client.get(Memcached, "a")).status?.nodes?.length, 9);
});

test("a size beyond its bounds is refused with the field and the bound", async () => {
  await using cluster = await startCluster({ controllers: [memcachedController] });
  await assert.rejects(
    cluster.client.create(Memcached, { metadata: { name: "a" }, spec: { size: 101 } }),
    /spec\.size: Invalid value: 101: spec\.size in body should be less than or equal to 100/,
  );
});
