/** Evictions, and the budgets that stand against them. */
import assert from "node:assert/strict";
import { Deployment } from "@kubewright/api/apps/v1";
import { Pod } from "@kubewright/api/core/v1";
import { PodDisruptionBudget } from "@kubewright/api/policy/v1";
import { type Expectation, server, template, type World } from "./expectation.ts";

const selector = { matchLabels: { app: "web" } };

/** What becomes of pods that somebody evicts. */
export const evictions: readonly Expectation[] = [
  {
    name: "a budget lets as many pods be evicted as it can spare, then refuses until others have taken their place",
    async run(world) {
      const { client, eventually } = world;
      await client.create(Deployment, {
        metadata: { name: "web" },
        spec: { replicas: 2, selector, template: template("web") },
      });
      await client.create(PodDisruptionBudget, { metadata: { name: "web" }, spec: { selector, minAvailable: 1 } });
      await eventually(async () => assert.equal((await budget(world))?.disruptionsAllowed, 1));
      const [first, second] = (await client.list(Pod)).items;
      await client.patch(Deployment, "web", { merge: { spec: { paused: true } } });
      await evict(world, first);
      await eventually(async () => {
        assert.notEqual((await client.find(Pod, first?.metadata?.name ?? ""))?.metadata?.uid, first?.metadata?.uid);
        const { disruptionsAllowed, currentHealthy } = (await budget(world)) ?? {};
        assert.deepEqual([disruptionsAllowed, currentHealthy], [1, 2]);
      });
      await evict(world, second);
    },
  },
  {
    name: "a pod whose budget has nothing to spare is not evicted, and the answer says why",
    async run(world) {
      const { client, eventually } = world;
      await client.create(Pod, { metadata: { name: "web", labels: { app: "web" } }, spec: { containers: [server] } });
      await client.create(PodDisruptionBudget, { metadata: { name: "web" }, spec: { selector, minAvailable: 1 } });
      await eventually(async () => assert.equal((await budget(world))?.currentHealthy, 1));
      const pod = await client.get(Pod, "web");
      await assert.rejects(
        evict(world, pod),
        (error: { status: { code: number; details?: { causes?: object[] } } }) => {
          assert.equal(error.status.code, 429);
          assert.deepEqual(error.status.details?.causes, [
            {
              reason: "DisruptionBudget",
              message: "The disruption budget web needs 1 healthy pods and has 1 currently",
            },
          ]);
          return true;
        },
      );
      assert.equal((await client.get(Pod, "web")).metadata?.deletionTimestamp, undefined);
      await client.patch(PodDisruptionBudget, "web", { merge: { spec: { minAvailable: 0 } } });
      await eventually(async () => assert.equal((await budget(world))?.disruptionsAllowed, 1));
      await evict(world, pod);
      await eventually(async () => assert.equal(await client.find(Pod, "web"), undefined));
    },
  },
];

async function budget({ client }: World): Promise<PodDisruptionBudget["status"]> {
  const { metadata, status } = await client.get(PodDisruptionBudget, "web");
  return status?.observedGeneration === metadata?.generation ? status : undefined;
}

function evict({ client, namespace }: World, pod: Pod | undefined): Promise<unknown> {
  const metadata = { name: pod?.metadata?.name ?? "", namespace };
  const body = { apiVersion: "policy/v1", kind: "Eviction", metadata };
  return client.subresource(Pod, "eviction").create(metadata, body);
}
