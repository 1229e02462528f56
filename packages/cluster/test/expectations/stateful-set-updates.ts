/** StatefulSets: strategies, ordinals, claims that go, pods that ended. */
import assert from "node:assert/strict";
import { StatefulSet } from "@kubewright/api/apps/v1";
import { PersistentVolumeClaim, Pod } from "@kubewright/api/core/v1";
import { Event } from "@kubewright/api/events/v1";
import { type Expectation, template, type World } from "./expectation.ts";

/** What StatefulSets do beside growing and shrinking. */
export const statefulSetUpdates: readonly Expectation[] = [
  {
    name: "with OnDelete a new template reaches the pods that somebody deletes, and no others",
    async run(world) {
      const { client, eventually } = world;
      await create(world, { replicas: 2, updateStrategy: { type: "OnDelete" } });
      await ready(world, 2);
      const before = (await client.get(StatefulSet, "db")).status?.currentRevision;
      await client.patch(StatefulSet, "db", {
        merge: { spec: { template: template("db", "registry.example/server:2") } },
      });
      await eventually(async () => {
        const { metadata, status } = await client.get(StatefulSet, "db");
        assert.equal(status?.observedGeneration, metadata?.generation);
        assert.notEqual(status?.updateRevision, before);
      });
      assert.deepEqual(await images(world), ["db-0 1", "db-1 1"]);
      await client.delete(Pod, "db-0");
      await eventually(async () => {
        assert.deepEqual(await images(world), ["db-0 2", "db-1 1"]);
        const { status } = await client.get(StatefulSet, "db");
        assert.deepEqual(
          [status?.readyReplicas, status?.updatedReplicas, status?.currentReplicas, status?.currentRevision],
          [2, 1, 1, before],
        );
      });
    },
  },
  {
    name: "pods start from the ordinal that the set says, with its index in their labels",
    async run(world) {
      await create(world, { replicas: 2, ordinals: { start: 5 } });
      await ready(world, 2);
      const pods = (await world.client.list(Pod)).items;
      assert.deepEqual(
        pods.map(({ metadata }) => [metadata?.name, metadata?.labels?.["apps.kubernetes.io/pod-index"]]).toSorted(),
        [
          ["db-5", "5"],
          ["db-6", "6"],
        ],
      );
    },
  },
  {
    name: "pods come one after the other, or all at once where that is wanted",
    async run(world) {
      const { client, eventually } = world;
      const nowhere = { nodeSelector: { "example.com/nowhere": "" } };
      await create(world, { replicas: 3 }, nowhere);
      await eventually(async () => {
        assert.equal((await client.list(Pod)).items.length, 1);
        const { status, metadata } = await client.get(StatefulSet, "db");
        assert.deepEqual([status?.observedGeneration, status?.replicas], [metadata?.generation, 1]);
      });
      await client.delete(StatefulSet, "db");
      await eventually(async () => assert.equal((await client.list(Pod)).items.length, 0));
      await create(world, { replicas: 3, podManagementPolicy: "Parallel" }, nowhere);
      await eventually(async () => assert.equal((await client.list(Pod)).items.length, 3));
    },
  },
  {
    name: "a pod comes when the one before it was ready for as long as the set asks",
    async run(world) {
      const { client, eventually } = world;
      await create(world, { replicas: 2, minReadySeconds: 3 });
      const counts = async () => {
        const { readyReplicas, availableReplicas = 0 } = (await client.get(StatefulSet, "db")).status ?? {};
        return [(await client.list(Pod)).items.length, readyReplicas, availableReplicas];
      };
      await eventually(async () => assert.deepEqual(await counts(), [1, 1, 0]));
      await eventually(async () => assert.deepEqual(await counts(), [2, 2, 1]));
      await eventually(async () => assert.deepEqual(await counts(), [2, 2, 2]));
    },
  },
  {
    name: "a pod that ended is made anew under its name",
    async run(world) {
      const { client, eventually } = world;
      await create(world, { replicas: 1 }, { nodeSelector: { "example.com/nowhere": "" } });
      await eventually(async () => void (await client.get(Pod, "db-0")));
      const { metadata } = await client.get(Pod, "db-0");
      await client.patch(Pod, "db-0", { merge: { status: { phase: "Failed" } } }, { subresource: "status" });
      await eventually(async () => {
        const pod = await client.get(Pod, "db-0");
        assert.notEqual(pod.metadata?.uid, metadata?.uid);
        assert.notEqual(pod.status?.phase, "Failed");
      });
    },
  },
  {
    name: "claims go with the set when its policy says so, and tell of it before",
    async run(world) {
      const { client, eventually, namespace } = world;
      const claim = {
        metadata: { name: "data" },
        spec: {
          storageClassName: namespace,
          accessModes: ["ReadWriteOnce"],
          resources: { requests: { storage: "1Gi" } },
        },
      };
      const persistentVolumeClaimRetentionPolicy = { whenDeleted: "Delete", whenScaled: "Retain" };
      await create(world, { replicas: 1, volumeClaimTemplates: [claim], persistentVolumeClaimRetentionPolicy });
      await eventually(async () => {
        const { metadata } = await client.get(PersistentVolumeClaim, "data-db-0");
        assert.deepEqual(
          metadata?.ownerReferences?.map(({ kind, name, controller }) => [kind, name, controller]),
          [["StatefulSet", "db", true]],
        );
        assert.deepEqual(metadata?.labels, { app: "db" });
        const notes = (await client.list(Event)).items
          .filter(({ reason, regarding }) => reason === "SuccessfulCreate" && regarding?.kind === "StatefulSet")
          .map(({ note }) => note);
        assert.deepEqual(notes.toSorted(), [
          "Create Claim data-db-0 Pod db-0 in StatefulSet db success",
          "Create Pod db-0 in StatefulSet db successful",
        ]);
      });
      await client.delete(StatefulSet, "db");
      await eventually(async () => {
        assert.equal((await client.list(Pod)).items.length, 0);
        assert.equal((await client.list(PersistentVolumeClaim)).items.length, 0);
      });
    },
  },
];

async function create({ client }: World, spec: object, pod: object = {}): Promise<void> {
  const made = template("db");
  const all = { ...made, spec: { ...made.spec, ...pod } };
  const whole = { serviceName: "db", selector: { matchLabels: { app: "db" } }, template: all, ...spec };
  await client.create(StatefulSet, { metadata: { name: "db" }, spec: whole } as StatefulSet);
}

async function ready({ client, eventually }: World, count: number): Promise<void> {
  await eventually(async () => assert.equal((await client.get(StatefulSet, "db")).status?.readyReplicas, count));
}

async function images({ client }: World): Promise<string[]> {
  const { items } = await client.list(Pod);
  return items.map(({ metadata, spec }) => `${metadata?.name} ${spec?.containers[0]?.image?.split(":")[1]}`).toSorted();
}
