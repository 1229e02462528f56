/** StatefulSets. */
import assert from "node:assert/strict";
import { ControllerRevision, StatefulSet } from "@kubewright/api/apps/v1";
import { PersistentVolume, PersistentVolumeClaim, Pod } from "@kubewright/api/core/v1";
import { type Expectation, template, type World } from "./expectation.ts";

/** What StatefulSets do. */
export const statefulSets: readonly Expectation[] = [
  {
    name: "a StatefulSet names its pods by ordinal, gives each its claim, and keeps the claims when it shrinks",
    async run(world) {
      await create(world, {});
      await rolledOut(world, 3);
      const pods = (await world.client.list(Pod)).items;
      assert.deepEqual(namesOf(pods), ["db-0", "db-1", "db-2"]);
      for (const { metadata, spec } of pods) {
        assert.equal(spec?.hostname, metadata?.name);
        assert.equal(spec?.subdomain, "db");
        assert.equal(metadata?.labels?.["statefulset.kubernetes.io/pod-name"], metadata?.name);
      }
      await world.client.patch(StatefulSet, "db", { merge: { spec: { replicas: 1 } } });
      await rolledOut(world, 1);
      assert.deepEqual(namesOf((await world.client.list(Pod)).items), ["db-0"]);
      const claims = (await world.client.list(PersistentVolumeClaim)).items;
      assert.deepEqual(namesOf(claims), ["data-db-0", "data-db-1", "data-db-2"]);
    },
  },
  {
    name: "a new template reaches the pods from the last to the partition, and its revision becomes the current one",
    async run(world) {
      await create(world, {});
      await rolledOut(world, 3);
      const before = (await world.client.get(StatefulSet, "db")).status?.updateRevision;
      await roll(world, { partition: 2 });
      await world.eventually(async () => {
        assert.deepEqual(await images(world), [1, 1, 2]);
        const { metadata, status } = await world.client.get(StatefulSet, "db");
        assert.equal(status?.observedGeneration, metadata?.generation);
        assert.equal(status?.currentRevision, before);
        assert.deepEqual([status?.updatedReplicas, status?.currentReplicas, status?.readyReplicas], [1, 2, 3]);
      });
      await roll(world, { partition: 0 });
      await world.eventually(async () => {
        assert.deepEqual(await images(world), [2, 2, 2]);
        const { status } = await world.client.get(StatefulSet, "db");
        assert.notEqual(status?.updateRevision, before);
        assert.equal(status?.currentRevision, status?.updateRevision);
        assert.deepEqual([status?.updatedReplicas, status?.readyReplicas], [3, 3]);
      });
      assert.equal((await world.client.list(ControllerRevision)).items.length, 2);
    },
  },
  {
    name: "claims go with the pods that are scaled away when the policy says so",
    async run(world) {
      await create(world, { persistentVolumeClaimRetentionPolicy: { whenScaled: "Delete", whenDeleted: "Retain" } });
      await rolledOut(world, 3);
      await world.client.patch(StatefulSet, "db", { merge: { spec: { replicas: 1 } } });
      await world.eventually(async () => {
        const claims = (await world.client.list(PersistentVolumeClaim)).items;
        assert.deepEqual(namesOf(claims), ["data-db-0"]);
      });
    },
  },
];

function namesOf(objects: readonly { readonly metadata?: { readonly name?: string } }[]): string[] {
  return objects.map(({ metadata }) => metadata?.name ?? "").toSorted();
}

async function images({ client }: World): Promise<number[]> {
  const pods = (await client.list(Pod)).items.toSorted((left, right) =>
    (left.metadata?.name ?? "") < (right.metadata?.name ?? "") ? -1 : 1,
  );
  return pods.map(({ spec }) => Number(spec?.containers[0]?.image?.split(":")[1]));
}

async function create({ client, namespace }: World, extra: object): Promise<void> {
  const storage = { storageClassName: namespace, accessModes: ["ReadWriteOnce"] } as const;
  for (let index = 0; index < 3; index++) {
    const volume = { ...storage, capacity: { storage: "1Gi" }, hostPath: { path: "/nowhere" } };
    await client.create(PersistentVolume, { metadata: { name: `${namespace}-${index}` }, spec: volume });
  }
  const claim = { metadata: { name: "data" }, spec: { ...storage, resources: { requests: { storage: "1Gi" } } } };
  const spec = {
    replicas: 3,
    serviceName: "db",
    selector: { matchLabels: { app: "db" } },
    template: template("db"),
    volumeClaimTemplates: [claim],
    ...extra,
  };
  await client.create(StatefulSet, { metadata: { name: "db" }, spec } as StatefulSet);
}

async function roll({ client }: World, rollingUpdate: object): Promise<void> {
  const spec = { template: template("db", "registry.example/server:2"), updateStrategy: { rollingUpdate } };
  await client.patch(StatefulSet, "db", { merge: { spec } });
}

async function rolledOut({ client, eventually }: World, replicas: number): Promise<void> {
  await eventually(async () => {
    const { metadata, status } = await client.get(StatefulSet, "db");
    assert.equal(status?.observedGeneration, metadata?.generation);
    assert.deepEqual([status?.replicas, status?.readyReplicas ?? 0], [replicas, replicas]);
  });
}
