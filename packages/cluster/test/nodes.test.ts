/** Nodes that are lost, and what is known of those that are not. What every cluster does is in expectations/nodes.ts. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { Deployment } from "@kubewright/api/apps/v1";
import { Lease } from "@kubewright/api/coordination/v1";
import { Event, Node, Pod } from "@kubewright/api/core/v1";
import { createCluster } from "@kubewright/cluster";
import { startCluster, type TestCluster, VirtualClock } from "@kubewright/testing";

const labels = { app: "web" };
const pod = { containers: [{ name: "web", image: "web:1" }] };

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

test("nodes say every five minutes how they are, as long as they are heard of", async () => {
  await using cluster = await startCluster({ clusterControllers: ["*"], nodes: 2 });
  const { client, clock } = cluster;
  const heartbeats = async () => {
    const nodes = (await client.list(Node)).items;
    return nodes.map(({ status }) => new Set(status?.conditions?.map(({ lastHeartbeatTime }) => lastHeartbeatTime)));
  };
  const transitions = (await client.get(Node, "node-0")).status?.conditions?.map((each) => each.lastTransitionTime);
  const before = await heartbeats();
  await cluster.advance("4m");
  assert.deepEqual(await heartbeats(), before);
  await cluster.advance("20m");
  for (const [time = "", ...others] of await heartbeats()) {
    assert.deepEqual(others, []);
    assert.ok(clock.now() - Date.parse(time) <= 310_000);
  }
  const { status } = await client.get(Node, "node-0");
  assert.deepEqual(
    status?.conditions?.map((each) => each.lastTransitionTime),
    transitions,
  );
  await setReady(cluster, "node-0", "Unknown");
  const last = await heartbeats();
  await cluster.advance("20m");
  assert.deepEqual((await heartbeats())[0], last[0]);
  assert.notDeepEqual((await heartbeats())[1], last[1]);
});

test("pods of a node that is not heard of are not ready, then replaced, and go when it is back", async () => {
  await using cluster = await startCluster({ nodes: 2 });
  const { client } = cluster;
  await client.create(Deployment, {
    metadata: { name: "web" },
    spec: { replicas: 1, selector: { matchLabels: labels }, template: { metadata: { labels }, spec: pod } },
  });
  await cluster.settled();
  const [first] = (await client.list(Pod)).items;
  const [lost = "", name = ""] = [first?.spec?.nodeName, first?.metadata?.name];
  await setReady(cluster, lost, "Unknown");
  assert.deepEqual(await taints(cluster, lost), ["unreachable NoSchedule", "unreachable NoExecute"]);
  const ready = async () => (await client.get(Pod, name)).status?.conditions?.find(({ type }) => type === "Ready");
  assert.equal((await ready())?.status, "False");
  const told = (await client.list(Event, { namespace: "default" })).items.filter(
    ({ reason }) => reason === "NodeNotReady",
  );
  assert.deepEqual(told.map(({ message }) => message).toSorted(), [
    "Node is not ready",
    `Node ${lost} status is now: NodeNotReady`,
  ]);
  await cluster.advance("4m");
  assert.equal((await client.list(Pod)).items.length, 1);
  await cluster.advance("61s");
  const pods = (await client.list(Pod)).items;
  assert.deepEqual(
    pods.map(({ spec, metadata }) => [spec?.nodeName === lost, metadata?.deletionTimestamp !== undefined]).toSorted(),
    [
      [false, false],
      [true, true],
    ],
  );
  await cluster.advance("1h");
  assert.notEqual(await client.find(Pod, name), undefined);
  await setReady(cluster, lost, "True");
  assert.equal(await client.find(Pod, name), undefined);
  assert.deepEqual(await taints(cluster, lost), []);
});

test("a pod on a node that somebody takes out of service is gone as soon as it is deleted", async () => {
  await using cluster = await startCluster({ nodes: 1 });
  const { client } = cluster;
  for (const name of ["before", "after"]) await client.create(Pod, { metadata: { name }, spec: pod });
  await cluster.settled();
  await setReady(cluster, "node-0", "Unknown");
  await client.delete(Pod, "before");
  await cluster.advance("1m");
  assert.notEqual(await client.find(Pod, "before"), undefined);
  const key = "node.kubernetes.io/out-of-service";
  await client.patch(Node, "node-0", { strategic: { spec: { taints: [{ key, effect: "NoSchedule" }] } } });
  await cluster.settled();
  assert.equal(await client.find(Pod, "before"), undefined);
  assert.notEqual(await client.find(Pod, "after"), undefined);
  await client.delete(Pod, "after");
  await cluster.settled();
  assert.equal(await client.find(Pod, "after"), undefined);
});

test("of pods that ended no more are kept than the cluster says, the youngest", async () => {
  const clock = new VirtualClock();
  await using cluster = await createCluster({ clock, endedPodsMax: 2 });
  const client = cluster.client.with({ namespace: "default" });
  for (const name of ["c", "a", "b", "d"]) {
    await client.create(Pod, { metadata: { name }, spec: { ...pod, restartPolicy: "Never" } });
    await clock.advance(1000);
  }
  const kept = (await client.list(Pod)).items.map(({ metadata, status }) => [metadata?.name, status?.phase]);
  assert.deepEqual(kept, [
    ["b", "Succeeded"],
    ["d", "Succeeded"],
  ]);
});

/** Says of a node what its kubelet, or whoever misses it, would say. */
async function setReady({ client, settled }: TestCluster, node: string, status: string): Promise<void> {
  const conditions = [{ type: "Ready", status }];
  await client.patch(Node, node, { strategic: { status: { conditions } } }, { subresource: "status" });
  await settled();
}

async function taints({ client }: TestCluster, node: string): Promise<readonly string[]> {
  const { spec } = await client.get(Node, node);
  return (spec?.taints ?? []).map(({ key, effect }) => `${key.replace("node.kubernetes.io/", "")} ${effect}`);
}
