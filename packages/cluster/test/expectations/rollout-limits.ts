/** Deployments whose rollouts are limited: by strategy, by time, by history, by quota. */
import assert from "node:assert/strict";
import { Deployment, ReplicaSet } from "@kubewright/api/apps/v1";
import { Pod, ResourceQuota } from "@kubewright/api/core/v1";
import { Event } from "@kubewright/api/events/v1";
import { type Expectation, template, type World } from "./expectation.ts";

const NEXT = "registry.example/server:2";
const nowhere = { nodeSelector: { "example.com/nowhere": "" } };

/** What holds rollouts back. */
export const rolloutLimits: readonly Expectation[] = [
  {
    name: "a rollout that makes no progress in its time says so, and goes on when it can",
    async run(world) {
      await deploy(world, { progressDeadlineSeconds: 1 }, nowhere);
      const name = await setName(world);
      await progressing(world, [
        "False",
        "ProgressDeadlineExceeded",
        `ReplicaSet "${name}" has timed out progressing.`,
      ]);
      const { conditions = [] } = (await world.client.get(Deployment, "web")).status ?? {};
      const available = conditions.find(({ type }) => type === "Available");
      assert.deepEqual(
        [available?.status, available?.reason, available?.message],
        ["False", "MinimumReplicasUnavailable", "Deployment does not have minimum availability."],
      );
      await world.client.patch(Deployment, "web", {
        json: [{ op: "remove", path: "/spec/template/spec/nodeSelector" }],
      });
      await world.eventually(async () => {
        const { status } = await world.client.get(Deployment, "web");
        assert.equal(status?.availableReplicas, 2);
        assert.equal(status.conditions?.find(({ type }) => type === "Progressing")?.reason, "NewReplicaSetAvailable");
      });
    },
  },
  {
    name: "Recreate starts nothing new before everything old is gone",
    async run(world) {
      const { client, eventually } = world;
      await deploy(world, { strategy: { type: "Recreate" } });
      await eventually(async () => assert.equal((await client.get(Deployment, "web")).status?.readyReplicas, 2));
      const hold = "example.com/hold";
      const [pod] = (await client.list(Pod)).items;
      const name = pod?.metadata?.name ?? "";
      await client.patch(Pod, name, { merge: { metadata: { finalizers: [hold] } } });
      await client.patch(Deployment, "web", { merge: { spec: { template: template("web", NEXT) } } });
      await eventually(async () => {
        const { metadata, status } = await client.get(Deployment, "web");
        assert.equal(status?.observedGeneration, metadata?.generation);
        assert.notEqual((await client.get(Pod, name)).metadata?.deletionTimestamp, undefined);
      });
      await client.patch(Pod, name, { merge: { metadata: { finalizers: null } } });
      await eventually(async () => {
        assert.equal((await client.get(Deployment, "web")).status?.readyReplicas, 2);
        const pods = (await client.list(Pod)).items;
        assert.deepEqual(
          pods.map(({ spec }) => spec?.containers[0]?.image),
          [NEXT, NEXT],
        );
      });
    },
  },
  {
    name: "no more old ReplicaSets are kept than the history may have",
    async run(world) {
      const { client, eventually } = world;
      await deploy(world, { revisionHistoryLimit: 1 });
      for (const number of [1, 2, 3, 4]) {
        const image = `registry.example/server:${number}`;
        await client.patch(Deployment, "web", { merge: { spec: { template: template("web", image) } } });
        await eventually(async () => {
          const { metadata, status } = await client.get(Deployment, "web");
          assert.equal(status?.observedGeneration, metadata?.generation);
          assert.deepEqual([status?.replicas, status?.updatedReplicas, status?.availableReplicas], [2, 2, 2]);
        });
      }
      await eventually(async () => {
        const sets = (await client.list(ReplicaSet)).items;
        const revisions = sets.map(({ metadata }) => metadata?.annotations?.["deployment.kubernetes.io/revision"]);
        assert.deepEqual(revisions.toSorted(), ["3", "4"]);
      });
    },
  },
  {
    name: "a Deployment whose ReplicaSet's name is taken counts the collision and takes another name",
    async run(world) {
      const { client, eventually } = world;
      await deploy(world, {});
      const name = await setName(world);
      await client.delete(Deployment, "web", { propagationPolicy: "Foreground" });
      // It is there until the last of what it owns is gone, and a moment longer.
      await eventually(async () => assert.equal(await client.find(Deployment, "web"), undefined));
      const spec = { replicas: 0, selector: { matchLabels: { app: "other" } }, template: template("other") };
      await client.create(ReplicaSet, { metadata: { name }, spec });
      await deploy(world, {});
      await eventually(async () => {
        const { status } = await client.get(Deployment, "web");
        assert.deepEqual([status?.collisionCount, status?.readyReplicas], [1, 2]);
      });
      const sets = (await client.list(ReplicaSet)).items;
      assert.equal(sets.length, 2);
      assert.deepEqual(
        sets.filter(({ metadata }) => metadata?.name === name).map(({ metadata }) => metadata?.ownerReferences),
        [undefined],
      );
    },
  },
  {
    name: "a Deployment whose pods are refused says so",
    async run(world) {
      const { client, eventually } = world;
      await client.create(ResourceQuota, { metadata: { name: "none" }, spec: { hard: { pods: "0" } } });
      await eventually(async () =>
        assert.deepEqual((await client.get(ResourceQuota, "none")).status?.used, { pods: "0" }),
      );
      await deploy(world, {});
      await eventually(async () => {
        const { conditions = [], unavailableReplicas } = (await client.get(Deployment, "web")).status ?? {};
        const failure = conditions.find(({ type }) => type === "ReplicaFailure");
        assert.deepEqual([failure?.status, failure?.reason, unavailableReplicas], ["True", "FailedCreate", 2]);
        assert.match(failure?.message ?? "", /exceeded quota: none/);
      });
      const [set] = (await client.list(ReplicaSet)).items;
      await progressing(world, ["True", "NewReplicaSetCreated", `Created new replica set "${set?.metadata?.name}"`]);
      await client.patch(Deployment, "web", { merge: { spec: { paused: true } } });
      await progressing(world, ["Unknown", "DeploymentPaused", "Deployment is paused"]);
      await client.patch(Deployment, "web", { merge: { spec: { paused: false } } });
      await progressing(world, ["Unknown", "DeploymentResumed", "Deployment is resumed"]);
    },
  },
  {
    name: "a Deployment that is paused says so, can be scaled, and rolls when it is resumed",
    async run(world) {
      const { client, eventually } = world;
      await deploy(world, {});
      await eventually(async () => assert.equal((await client.get(Deployment, "web")).status?.readyReplicas, 2));
      await client.patch(Deployment, "web", { merge: { spec: { paused: true } } });
      await progressing(world, ["Unknown", "DeploymentPaused", "Deployment is paused"]);
      await client.patch(Deployment, "web", { merge: { spec: { replicas: 3, template: template("web", NEXT) } } });
      await eventually(async () => assert.equal((await client.get(Deployment, "web")).status?.readyReplicas, 3));
      assert.equal((await client.list(ReplicaSet)).items.length, 1);
      await client.patch(Deployment, "web", { merge: { spec: { paused: false } } });
      await eventually(async () => {
        const { status } = await client.get(Deployment, "web");
        assert.deepEqual([status?.replicas, status?.updatedReplicas, status?.availableReplicas], [3, 3, 3]);
        assert.equal(status?.conditions?.find(({ type }) => type === "Progressing")?.reason, "NewReplicaSetAvailable");
      });
    },
  },
  {
    name: "annotations of a Deployment are found on its ReplicaSet, with its sizes, and events tell of scaling",
    async run(world) {
      const { client, eventually } = world;
      const spec = { replicas: 4, selector: { matchLabels: { app: "web" } }, template: template("web") };
      await client.create(Deployment, { metadata: { name: "web", annotations: { "example.com/team": "a" } }, spec });
      const name = await setName(world);
      await eventually(async () => {
        const [set] = (await client.list(ReplicaSet)).items;
        assert.deepEqual(set?.metadata?.annotations, {
          "example.com/team": "a",
          "deployment.kubernetes.io/desired-replicas": "4",
          "deployment.kubernetes.io/max-replicas": "5",
          "deployment.kubernetes.io/revision": "1",
        });
        const events = (await client.list(Event)).items.filter(({ reason }) => reason === "ScalingReplicaSet");
        assert.deepEqual(
          events.map(({ note, reportingController }) => [note, reportingController]),
          [[`Scaled up replica set ${name} from 0 to 4`, "deployment-controller"]],
        );
      });
    },
  },
];

async function deploy({ client }: World, more: object, pod: object = {}): Promise<void> {
  const made = template("web");
  const all = { ...made, spec: { ...made.spec, ...pod } };
  const spec = { replicas: 2, selector: { matchLabels: { app: "web" } }, template: all, ...more };
  await client.create(Deployment, { metadata: { name: "web" }, spec } as Deployment);
}

async function setName({ client, eventually }: World): Promise<string> {
  await eventually(async () => assert.equal((await client.list(ReplicaSet)).items.length, 1));
  return (await client.list(ReplicaSet)).items[0]?.metadata?.name ?? "";
}

async function progressing({ client, eventually }: World, told: readonly string[]): Promise<void> {
  await eventually(async () => {
    const { conditions = [] } = (await client.get(Deployment, "web")).status ?? {};
    const condition = conditions.find(({ type }) => type === "Progressing");
    assert.deepEqual([condition?.status, condition?.reason, condition?.message], told);
  });
}
