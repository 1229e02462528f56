import assert from "node:assert/strict";
import { test } from "node:test";
import { PersistentVolume, PersistentVolumeClaim, Pod } from "@kubewright/api/core/v1";
import { StorageClass } from "@kubewright/api/storage/v1";
import { startCluster, type TestCluster } from "@kubewright/testing";

const spec = { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } } } as const;

function createClaim({ client }: TestCluster, more: object = {}): Promise<PersistentVolumeClaim> {
  return client.create(PersistentVolumeClaim, { metadata: { name: "data" }, spec: { ...spec, ...more } });
}

function createUser({ client }: TestCluster): Promise<Pod> {
  return client.create(Pod, {
    metadata: { name: "user" },
    spec: {
      containers: [{ name: "c", image: "c" }],
      volumes: [{ name: "v", persistentVolumeClaim: { claimName: "data" } }],
    },
  });
}

test("a claim gets a volume of the default class, which goes with it", async () => {
  await using cluster = await startCluster();
  const { metadata } = await createClaim(cluster);
  await cluster.settled();
  const claim = await cluster.client.get(PersistentVolumeClaim, "data");
  assert.equal(claim.spec?.storageClassName, "standard");
  assert.equal(claim.spec?.volumeName, `pvc-${metadata?.uid}`);
  assert.deepEqual(claim.status, { phase: "Bound", accessModes: ["ReadWriteOnce"], capacity: { storage: "1Gi" } });
  assert.deepEqual(claim.metadata?.finalizers, ["kubernetes.io/pvc-protection"]);
  const volume = await cluster.client.get(PersistentVolume, `pvc-${metadata?.uid}`);
  assert.equal(volume.status?.phase, "Bound");
  assert.equal(volume.spec?.claimRef?.uid, metadata?.uid);
  await cluster.client.delete(PersistentVolumeClaim, "data");
  await cluster.settled();
  assert.equal(await cluster.client.find(PersistentVolumeClaim, "data"), undefined);
  assert.equal(await cluster.client.find(PersistentVolume, `pvc-${metadata?.uid}`), undefined);
});

test("a volume that a person made is bound, and kept when the claim goes", async () => {
  await using cluster = await startCluster();
  await cluster.client.create(PersistentVolume, {
    metadata: { name: "disk" },
    spec: {
      accessModes: ["ReadWriteOnce"],
      capacity: { storage: "2Gi" },
      persistentVolumeReclaimPolicy: "Retain",
      hostPath: { path: "/data" },
    },
  });
  await cluster.settled();
  const phase = async (): Promise<unknown> => (await cluster.client.get(PersistentVolume, "disk")).status?.phase;
  assert.equal(await phase(), "Available");
  await createClaim(cluster, { storageClassName: "" });
  await cluster.settled();
  assert.equal((await cluster.client.get(PersistentVolumeClaim, "data")).spec?.volumeName, "disk");
  assert.equal(await phase(), "Bound");
  await cluster.client.delete(PersistentVolumeClaim, "data");
  await cluster.settled();
  assert.equal(await phase(), "Released");
});

test("a claim that a pod uses stays until the pod is gone", async () => {
  await using cluster = await startCluster();
  await createClaim(cluster);
  await createUser(cluster);
  await cluster.settled();
  await cluster.client.delete(PersistentVolumeClaim, "data");
  await cluster.settled();
  assert.notEqual((await cluster.client.get(PersistentVolumeClaim, "data")).metadata?.deletionTimestamp, undefined);
  await cluster.client.delete(Pod, "user");
  await cluster.settled();
  assert.equal(await cluster.client.find(PersistentVolumeClaim, "data"), undefined);
});

test("a class may wait for the first consumer of a claim, which runs where the volume was made", async () => {
  await using cluster = await startCluster({ nodes: 3 });
  await cluster.client.create(StorageClass, {
    metadata: { name: "late" },
    provisioner: "example.com/disk",
    volumeBindingMode: "WaitForFirstConsumer",
  });
  await createClaim(cluster, { storageClassName: "late" });
  await cluster.settled();
  assert.equal((await cluster.client.get(PersistentVolumeClaim, "data")).status?.phase, "Pending");
  await createUser(cluster);
  await cluster.settled();
  const { metadata, status } = await cluster.client.get(PersistentVolumeClaim, "data");
  assert.equal(status?.phase, "Bound");
  const user = await cluster.client.get(Pod, "user");
  assert.equal(user.status?.phase, "Running");
  assert.equal(metadata?.annotations?.["volume.kubernetes.io/selected-node"], user.spec?.nodeName);
});
