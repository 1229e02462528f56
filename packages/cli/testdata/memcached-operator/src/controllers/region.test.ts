import assert from "node:assert/strict";
import { test } from "node:test";
import { startCluster } from "@kubewright/testing";
import { isConditionTrue } from "kubewright";
import { ConfigMap } from "kubewright/core/v1";
import { Region } from "../api/v1/region.ts";
import { regionController } from "./region.ts";

test("the ConfigMap of a Region has what its spec says, and the Region becomes ready", async () => {
  await using cluster = await startCluster({ controllers: [regionController] });
  await cluster.client.create(Region, { metadata: { name: "sample" }, spec: { foo: "bar" } });
  await cluster.settled();
  assert.deepEqual((await cluster.client.get(ConfigMap, { name: "sample", namespace: "default" })).data, { foo: "bar" });
  const { status } = await cluster.client.get(Region, "sample");
  assert.ok(isConditionTrue(status?.conditions ?? [], "Ready"));
});
