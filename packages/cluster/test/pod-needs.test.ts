import assert from "node:assert/strict";
import { test } from "node:test";
import { Lease } from "@kubewright/api/coordination/v1";
import { ConfigMap, Event, Node, PersistentVolumeClaim, Pod, Secret } from "@kubewright/api/core/v1";
import { startCluster, type TestCluster } from "@kubewright/testing";

const container = { name: "app", image: "app" };

function mounting(...volumes: readonly string[]): object {
  return { ...container, volumeMounts: volumes.map((name) => ({ name, mountPath: `/${name}` })) };
}

async function create({ client, settled }: TestCluster, spec: object): Promise<void> {
  await client.create(Pod, { metadata: { name: "app" }, spec: { containers: [container], ...spec } });
  await settled();
}

async function shown({ client }: TestCluster): Promise<readonly unknown[]> {
  const { status } = await client.get(Pod, "app");
  const [app] = status?.containerStatuses ?? [];
  return [status?.phase, app?.state?.waiting?.reason, app?.state?.waiting?.message];
}

async function mountFailures({ client }: TestCluster): Promise<readonly (string | undefined)[]> {
  const { items } = await client.list(Event);
  return items.filter(({ reason }) => reason === "FailedMount").map(({ message }) => message);
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
  const volumes = [{ name: "keys", secret: { secretName: "keys" } }];
  await create(cluster, { restartPolicy: "Never", volumes, containers: [mounting("keys")] });
  assert.deepEqual(await shown(cluster), ["Pending", "ContainerCreating", undefined]);
  assert.deepEqual(await mountFailures(cluster), [
    'MountVolume.SetUp failed for volume "keys" : secret "keys" not found',
  ]);
  await cluster.advance("1h");
  await cluster.client.create(Secret, { metadata: { name: "keys" } });
  await cluster.settled();
  assert.equal((await shown(cluster))[0], "Running");
  await cluster.advance("10m");
  assert.equal((await shown(cluster))[0], "Succeeded");
});

test("a pod with a node waits until its claims are there and bound, and tells what is wrong with them", async () => {
  await using cluster = await startCluster({
    clusterControllers: ["*", "-node-lease-controller", "-persistentvolume-binder-controller"],
  });
  const volumes = [{ name: "data", persistentVolumeClaim: { claimName: "data" } }];
  await create(cluster, { nodeName: "node-0", volumes, containers: [mounting("data")] });
  assert.deepEqual(await shown(cluster), ["Pending", "ContainerCreating", undefined]);
  const where = "unmounted volumes=[data], unattached volumes=[], failed to process volumes=[data]";
  const problem = (text: string): string =>
    `Unable to attach or mount volumes: ${where}: error processing PVC default/data: ${text}`;
  const missing = problem('failed to fetch PVC from API server: persistentvolumeclaims "data" not found');
  assert.deepEqual(await mountFailures(cluster), [missing]);
  const { client } = cluster;
  const spec = { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } } } as const;
  await client.create(PersistentVolumeClaim, { metadata: { name: "data" }, spec: { ...spec, volumeName: "disk" } });
  await cluster.settled();
  assert.deepEqual(await shown(cluster), ["Pending", "ContainerCreating", undefined]);
  assert.deepEqual(await mountFailures(cluster), [missing, problem("PVC is not bound")]);
  await client.patch(
    PersistentVolumeClaim,
    "data",
    { merge: { status: { phase: "Bound" } } },
    { subresource: "status" },
  );
  await cluster.settled();
  assert.deepEqual(await shown(cluster), ["Running", undefined, undefined]);
});

test("a pod on a node runs as soon as the binder has bound its claim", async () => {
  await using cluster = await startCluster();
  const volumes = [{ name: "data", persistentVolumeClaim: { claimName: "data" } }];
  await create(cluster, { nodeName: "node-0", volumes, containers: [mounting("data")] });
  assert.equal((await shown(cluster))[0], "Pending");
  const spec = { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } } } as const;
  await cluster.client.create(PersistentVolumeClaim, { metadata: { name: "data" }, spec });
  await cluster.settled();
  assert.equal((await shown(cluster))[0], "Running");
});

test("a volume that no container mounts is not waited for", async () => {
  await using cluster = await startCluster();
  const claim = { name: "data", persistentVolumeClaim: { claimName: "nobody" } };
  await create(cluster, { nodeName: "node-0", volumes: [claim, { name: "keys", secret: { secretName: "nobody" } }] });
  assert.equal((await shown(cluster))[0], "Running");
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
