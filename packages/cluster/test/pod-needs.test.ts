import assert from "node:assert/strict";
import { test } from "node:test";
import { Lease } from "@kubewright/api/coordination/v1";
import { ConfigMap, Event, Node, Pod, Secret } from "@kubewright/api/core/v1";
import { startCluster, type TestCluster } from "@kubewright/testing";

const container = { name: "app", image: "app" };

async function create({ client, settled }: TestCluster, spec: object): Promise<void> {
  await client.create(Pod, { metadata: { name: "app" }, spec: { containers: [container], ...spec } });
  await settled();
}

async function shown({ client }: TestCluster): Promise<readonly unknown[]> {
  const { status } = await client.get(Pod, "app");
  const [app] = status?.containerStatuses ?? [];
  return [status?.phase, app?.state?.waiting?.reason, app?.state?.waiting?.message];
}

test("a container whose environment names a missing ConfigMap or key waits for it", async () => {
  await using cluster = await startCluster();
  const env = [{ name: "LEVEL", valueFrom: { configMapKeyRef: { name: "settings", key: "level" } } }];
  await create(cluster, { containers: [{ ...container, env }] });
  assert.deepEqual(await shown(cluster), ["Pending", "CreateContainerConfigError", 'configmap "settings" not found']);
  await cluster.client.create(ConfigMap, { metadata: { name: "settings" }, data: { other: "x" } });
  await cluster.settled();
  const noKey = "couldn't find key level in ConfigMap default/settings";
  assert.deepEqual(await shown(cluster), ["Pending", "CreateContainerConfigError", noKey]);
  await cluster.client.patch(ConfigMap, "settings", { merge: { data: { level: "info" } } });
  await cluster.settled();
  assert.deepEqual(await shown(cluster), ["Running", undefined, undefined]);
});

test("a pod whose volume names a missing Secret is not made until it is there, and starts then", async () => {
  await using cluster = await startCluster({ scripts: [{ image: "app", runsFor: "10m" }] });
  await create(cluster, { restartPolicy: "Never", volumes: [{ name: "keys", secret: { secretName: "keys" } }] });
  assert.deepEqual(await shown(cluster), ["Pending", "ContainerCreating", undefined]);
  const events = (await cluster.client.list(Event)).items.filter(({ reason }) => reason === "FailedMount");
  assert.equal(events[0]?.message, 'MountVolume.SetUp failed for volume "keys" : secret "keys" not found');
  await cluster.advance("1h");
  await cluster.client.create(Secret, { metadata: { name: "keys" } });
  await cluster.settled();
  assert.equal((await shown(cluster))[0], "Running");
  await cluster.advance("10m");
  assert.equal((await shown(cluster))[0], "Succeeded");
});

test("what is optional is not waited for, and what runs stays when its source goes", async () => {
  await using cluster = await startCluster();
  await cluster.client.create(Secret, { metadata: { name: "keys" } });
  const envFrom = [{ secretRef: { name: "keys" } }, { configMapRef: { name: "nobody", optional: true } }];
  await create(cluster, { containers: [{ ...container, envFrom }] });
  assert.equal((await shown(cluster))[0], "Running");
  await cluster.client.delete(Secret, "keys");
  await cluster.settled();
  assert.equal((await shown(cluster))[0], "Running");
});

test("each node has an address of its own, which its pods tell, and a lease", async () => {
  await using cluster = await startCluster({ nodes: 2 });
  const nodes = (await cluster.client.list(Node)).items;
  const addresses = nodes.map(({ status }) => status?.addresses?.find(({ type }) => type === "InternalIP")?.address);
  assert.equal(new Set(addresses).size, 2);
  await create(cluster, { nodeName: "node-1" });
  assert.equal((await cluster.client.get(Pod, "app")).status?.hostIP, addresses[1]);
  const leases = (await cluster.client.list(Lease, { namespace: "kube-node-lease" })).items;
  assert.deepEqual(
    leases.map(({ spec }) => spec?.holderIdentity),
    ["node-0", "node-1"],
  );
});
