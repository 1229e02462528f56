import assert from "node:assert/strict";
import { test } from "node:test";
import { startCluster } from "@kubewright/testing";
import { isConditionTrue } from "kubewright";
import { ConfigMap } from "kubewright/core/v1";
import { Memcached } from "../api/v1alpha1/memcached.ts";
import { memcachedController } from "./memcached.ts";

test("the ConfigMap of a Memcached has what its spec says, and the Memcached becomes ready", async () => {
  await using cluster = await startCluster({ controllers: [memcachedController] });
  await cluster.client.create(Memcached, { metadata: { name: "sample" }, spec: { foo: "bar" } });
  await cluster.settled();
  assert.deepEqual((await cluster.client.get(ConfigMap, "sample")).data, { foo: "bar" });
  const { status } = await cluster.client.get(Memcached, "sample");
  assert.ok(isConditionTrue(status?.conditions ?? [], "Ready"));
});
