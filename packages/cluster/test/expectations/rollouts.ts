/** Deployments and ReplicaSets. */
import assert from "node:assert/strict";
import { Deployment, ReplicaSet } from "@kubewright/api/apps/v1";
import { Pod, ReplicationController } from "@kubewright/api/core/v1";
import { getControllerOf } from "@kubewright/core/meta";
import { type Expectation, template, type World } from "./expectation.ts";

/** What Deployments and ReplicaSets do. */
export const rollouts: readonly Expectation[] = [
  {
    name: "a Deployment runs its pods through a ReplicaSet and says so in its status",
    async run(world) {
      await deploy(world, 3);
      await rolledOut(world, 3);
      const { items: sets } = await world.client.list(ReplicaSet);
      assert.equal(sets.length, 1);
      assert.match(sets[0]?.metadata?.name ?? "", /^web-[bcdfghjklmnpqrstvwxz2456789]+$/);
      assert.equal(sets[0]?.metadata?.annotations?.["deployment.kubernetes.io/revision"], "1");
      const deployment = await world.client.get(Deployment, "web");
      const conditions = deployment.status?.conditions?.map(({ type, status, reason }) => [type, status, reason]);
      assert.deepEqual(conditions?.toSorted(), [
        ["Available", "True", "MinimumReplicasAvailable"],
        ["Progressing", "True", "NewReplicaSetAvailable"],
      ]);
      assert.equal(deployment.metadata?.annotations?.["deployment.kubernetes.io/revision"], "1");
      assert.equal(deployment.metadata.generation, 1);
    },
  },
  {
    name: "a new template rolls out through a new ReplicaSet, and going back reuses the old one",
    async run(world) {
      await deploy(world, 3);
      await rolledOut(world, 3);
      await setImage(world, "registry.example/server:2");
      await rolledOut(world, 3, "registry.example/server:2");
      await setImage(world, "registry.example/server:1");
      await rolledOut(world, 3, "registry.example/server:1");
      const { items: sets } = await world.client.list(ReplicaSet);
      const revisions = sets.map(({ metadata }) => metadata?.annotations?.["deployment.kubernetes.io/revision"]);
      assert.deepEqual(revisions.toSorted(), ["2", "3"]);
    },
  },
  {
    name: "a Deployment is scaled up and down",
    async run(world) {
      await deploy(world, 1);
      await rolledOut(world, 1);
      for (const replicas of [5, 2, 0]) {
        await world.client.patch(Deployment, "web", { merge: { spec: { replicas } } });
        await rolledOut(world, replicas);
      }
    },
  },
  {
    name: "a paused Deployment does not roll",
    async run(world) {
      await deploy(world, 2);
      await rolledOut(world, 2);
      await world.client.patch(Deployment, "web", { merge: { spec: { paused: true } } });
      await setImage(world, "registry.example/server:2");
      await world.eventually(async () => {
        const { metadata, status } = await world.client.get(Deployment, "web");
        assert.equal(status?.observedGeneration, metadata?.generation);
      });
      assert.equal((await world.client.list(ReplicaSet)).items.length, 1);
    },
  },
  {
    name: "a ReplicationController keeps its pods, too",
    async run({ client, eventually }) {
      const spec = { replicas: 2, selector: { app: "elder" }, template: template("elder") };
      await client.create(ReplicationController, { metadata: { name: "elder" }, spec });
      await eventually(async () => {
        const { status } = await client.get(ReplicationController, "elder");
        assert.deepEqual([status?.replicas, status?.readyReplicas, status?.availableReplicas], [2, 2, 2]);
      });
      await client.patch(ReplicationController, "elder", { merge: { spec: { replicas: 0 } } });
      await eventually(async () => assert.equal((await client.list(Pod)).items.length, 0));
    },
  },
  {
    name: "a pod that is deleted is replaced, and a matching orphan is adopted",
    async run(world) {
      await world.client.create(Pod, {
        metadata: { name: "orphan", labels: { app: "set" } },
        spec: template("set").spec,
      });
      const spec = { replicas: 2, selector: { matchLabels: { app: "set" } }, template: template("set") };
      await world.client.create(ReplicaSet, { metadata: { name: "set" }, spec });
      await world.eventually(async () => {
        const orphan = await world.client.get(Pod, "orphan");
        assert.equal(getControllerOf(orphan)?.name, "set");
        assert.equal((await world.client.get(ReplicaSet, "set")).status?.readyReplicas, 2);
      });
      await world.client.delete(Pod, "orphan", { gracePeriodSeconds: 0 });
      await world.eventually(async () => {
        assert.equal((await world.client.list(Pod)).items.length, 2);
        assert.equal((await world.client.get(ReplicaSet, "set")).status?.readyReplicas, 2);
      });
    },
  },
];

async function deploy({ client }: World, replicas: number): Promise<void> {
  const spec = { replicas, selector: { matchLabels: { app: "web" } }, template: template("web") };
  await client.create(Deployment, { metadata: { name: "web" }, spec });
}

async function setImage({ client }: World, image: string): Promise<void> {
  await client.patch(Deployment, "web", { merge: { spec: { template: template("web", image) } } });
}

async function rolledOut({ client, eventually }: World, replicas: number, image?: string): Promise<void> {
  await eventually(async () => {
    const { metadata, status } = await client.get(Deployment, "web");
    assert.equal(status?.observedGeneration, metadata?.generation);
    assert.deepEqual(
      [status?.replicas ?? 0, status?.updatedReplicas ?? 0, status?.availableReplicas ?? 0],
      [replicas, replicas, replicas],
    );
    const pods = (await client.list(Pod)).items;
    assert.equal(pods.length, replicas);
    for (const pod of pods) {
      assert.equal(pod.status?.phase, "Running");
      if (image !== undefined) assert.equal(pod.spec?.containers[0]?.image, image);
    }
  });
}
