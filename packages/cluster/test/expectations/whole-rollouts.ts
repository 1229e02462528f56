/** Whole states of Deployments and their ReplicaSets, field by field, and what was told on the way. */
import assert from "node:assert/strict";
import { Deployment, ReplicaSet } from "@kubewright/api/apps/v1";
import { Pod } from "@kubewright/api/core/v1";
import { type Expectation, selecting, server } from "./expectation.ts";
import { createdPods, told } from "./told.ts";

const LAST_APPLIED = "kubectl.kubernetes.io/last-applied-configuration";

/** What rollouts write where. */
export const wholeRollouts: readonly Expectation[] = [
  {
    name: "everything that a Deployment and its ReplicaSet say when all is well",
    async run(world) {
      const { client, eventually } = world;
      const annotations = { [LAST_APPLIED]: "{}", team: "a" };
      await client.create(Deployment, {
        metadata: { name: "web", annotations },
        spec: selecting("web", { replicas: 2 }),
      });
      await eventually(async () => {
        const deployment = await client.get(Deployment, "web");
        const [set] = (await client.list(ReplicaSet)).items;
        const name = set?.metadata?.name ?? "";
        const revision = { "deployment.kubernetes.io/revision": "1" };
        assert.deepEqual(deployment.metadata?.annotations, { ...annotations, ...revision });
        const counts = { replicas: 2, readyReplicas: 2, availableReplicas: 2, terminatingReplicas: 0 };
        const { conditions = [], ...status } = deployment.status ?? {};
        assert.deepEqual(status, { ...counts, updatedReplicas: 2, observedGeneration: 1 });
        assert.deepEqual(
          conditions.map(({ lastUpdateTime, lastTransitionTime, ...condition }) => {
            assert.ok(Date.parse(lastUpdateTime ?? "") >= Date.parse(lastTransitionTime ?? ""));
            return condition;
          }),
          [
            {
              type: "Available",
              status: "True",
              reason: "MinimumReplicasAvailable",
              message: "Deployment has minimum availability.",
            },
            {
              type: "Progressing",
              status: "True",
              reason: "NewReplicaSetAvailable",
              message: `ReplicaSet "${name}" has successfully progressed.`,
            },
          ],
        );
        const hash = set?.metadata?.labels?.["pod-template-hash"] ?? "";
        assert.match(hash, /^[bcdfghjklmnpqrstvwxz2456789]+$/);
        assert.equal(name, `web-${hash}`);
        const labels = { app: "web", "pod-template-hash": hash };
        assert.deepEqual(
          [set?.metadata?.labels, set?.spec?.selector, set?.spec?.template?.metadata],
          [labels, { matchLabels: labels }, { labels }],
        );
        assert.deepEqual(set?.metadata?.annotations, {
          team: "a",
          ...revision,
          "deployment.kubernetes.io/desired-replicas": "2",
          "deployment.kubernetes.io/max-replicas": "3",
        });
        const owner = { apiVersion: "apps/v1", kind: "Deployment", name: "web", uid: deployment.metadata?.uid };
        assert.deepEqual(set?.metadata?.ownerReferences, [{ ...owner, controller: true, blockOwnerDeletion: true }]);
        assert.deepEqual(set?.status, { ...counts, fullyLabeledReplicas: 2, observedGeneration: 1 });
        assert.deepEqual(await told(world, "web"), [`ScalingReplicaSet Scaled up replica set ${name} from 0 to 2`]);
        assert.deepEqual(await told(world, name), await createdPods(world));
        const [pod] = (await client.list(Pod)).items;
        const assigned = `Successfully assigned ${world.namespace}/${pod?.metadata?.name} to ${pod?.spec?.nodeName}`;
        assert.ok((await told(world, pod?.metadata?.name)).includes(`Scheduled ${assigned}`));
        assert.match(pod?.metadata?.name ?? "", new RegExp(`^${name}-[a-z0-9]{5}$`));
        assert.equal(pod?.metadata?.generateName, `${name}-`);
      });
    },
  },
  {
    name: "pods are available when they were ready for as long as the Deployment asks",
    async run(world) {
      const { client, eventually } = world;
      const spec = selecting("web", { replicas: 1, minReadySeconds: 3 });
      await client.create(Deployment, { metadata: { name: "web" }, spec });
      const status = async () => (await client.get(Deployment, "web")).status;
      const reasons = async () => (await status())?.conditions?.map(({ reason }) => reason).toSorted();
      await eventually(async () => {
        const { readyReplicas, availableReplicas = 0, unavailableReplicas } = (await status()) ?? {};
        assert.deepEqual([readyReplicas, availableReplicas, unavailableReplicas], [1, 0, 1]);
        assert.deepEqual(await reasons(), ["MinimumReplicasUnavailable", "ReplicaSetUpdated"]);
      });
      await eventually(async () => {
        const { availableReplicas, unavailableReplicas = 0 } = (await status()) ?? {};
        assert.deepEqual([availableReplicas, unavailableReplicas], [1, 0]);
        assert.deepEqual(await reasons(), ["MinimumReplicasAvailable", "NewReplicaSetAvailable"]);
      });
    },
  },
  {
    name: "a ReplicaSet that comes back has a new revision and remembers the old one, and each step is told",
    async run(world) {
      const { client, eventually } = world;
      await client.create(Deployment, { metadata: { name: "web" }, spec: selecting("web", { replicas: 1 }) });
      const roll = async (image: string, revision: string): Promise<void> => {
        const containers = [{ ...server, image }];
        await client.patch(Deployment, "web", { merge: { spec: { template: { spec: { containers } } } } });
        await eventually(async () => {
          const { metadata, status } = await client.get(Deployment, "web");
          assert.equal(metadata?.annotations?.["deployment.kubernetes.io/revision"], revision);
          assert.deepEqual([status?.observedGeneration, status?.updatedReplicas], [metadata?.generation, 1]);
          assert.deepEqual([status?.replicas, status?.availableReplicas], [1, 1]);
        });
      };
      await roll(server.image, "1");
      const [first] = (await client.list(ReplicaSet)).items;
      const name = first?.metadata?.name ?? "";
      await roll("registry.example/server:2", "2");
      await roll(server.image, "3");
      const { metadata } = await client.get(ReplicaSet, name);
      assert.equal(metadata?.annotations?.["deployment.kubernetes.io/revision"], "3");
      assert.equal(metadata?.annotations?.["deployment.kubernetes.io/revision-history"], "1");
      const other = (await client.list(ReplicaSet)).items.find((each) => each.metadata?.name !== name);
      await eventually(async () =>
        assert.deepEqual(
          (await told(world, "web")).toSorted(),
          [
            `ScalingReplicaSet Scaled up replica set ${name} from 0 to 1`,
            `ScalingReplicaSet Scaled up replica set ${other?.metadata?.name} from 0 to 1`,
            `ScalingReplicaSet Scaled down replica set ${name} from 1 to 0`,
            `ScalingReplicaSet Scaled down replica set ${other?.metadata?.name} from 1 to 0`,
          ].toSorted(),
        ),
      );
    },
  },
];
