import assert from "node:assert/strict";
import { test } from "node:test";
import { ConfigMap, Pod, ResourceQuota } from "@kubewright/api/core/v1";
import { startCluster } from "@kubewright/testing";

test("a quota tells what its namespace uses, as objects come and go", async () => {
  await using cluster = await startCluster();
  const hard = { pods: "5", "requests.cpu": "2", "count/configmaps": "10" };
  await cluster.client.create(ResourceQuota, { metadata: { name: "q" }, spec: { hard } });
  await cluster.settled();
  const status = async (): Promise<unknown> => (await cluster.client.get(ResourceQuota, "q")).status;
  assert.deepEqual(await status(), { hard, used: { pods: "0", "requests.cpu": "0", "count/configmaps": "1" } });
  const resources = { requests: { cpu: "300m" } };
  await cluster.client.create(Pod, {
    metadata: { name: "a" },
    spec: { containers: [{ name: "c", image: "c", resources }] },
  });
  await cluster.client.create(ConfigMap, { metadata: { name: "b" } });
  await cluster.settled();
  assert.deepEqual(await status(), { hard, used: { pods: "1", "requests.cpu": "300m", "count/configmaps": "2" } });
  await cluster.client.delete(Pod, "a");
  await cluster.settled();
  assert.deepEqual(await status(), { hard, used: { pods: "0", "requests.cpu": "0", "count/configmaps": "2" } });
});
