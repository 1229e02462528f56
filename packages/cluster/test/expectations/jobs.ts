/** Jobs. */
import assert from "node:assert/strict";
import { Job } from "@kubewright/api/batch/v1";
import { Pod } from "@kubewright/api/core/v1";
import type { Expectation, World } from "./expectation.ts";

/** What Jobs do. Their pods end well by themselves. */
export const jobs: readonly Expectation[] = [
  {
    name: "a Job runs its pods to the end, counts each once and completes",
    async run(world) {
      await createJob(world, { completions: 5, parallelism: 2 });
      await completed(world, 5);
      const pods = (await world.client.list(Pod)).items;
      assert.equal(pods.length, 5);
      for (const { metadata } of pods) assert.deepEqual(metadata?.finalizers ?? [], []);
    },
  },
  {
    name: "an Indexed Job gives each pod an index and completes them all",
    async run(world) {
      await createJob(world, { completions: 3, parallelism: 3, completionMode: "Indexed" });
      await completed(world, 3);
      assert.equal((await world.client.get(Job, "work")).status?.completedIndexes, "0-2");
      const pods = (await world.client.list(Pod)).items;
      const indexes = pods.map(({ metadata }) => metadata?.labels?.["batch.kubernetes.io/job-completion-index"]);
      assert.deepEqual(indexes.toSorted(), ["0", "1", "2"]);
    },
  },
  {
    name: "a suspended Job has no pods until it is resumed",
    async run(world) {
      await createJob(world, { suspend: true });
      await world.eventually(async () => {
        const { status } = await world.client.get(Job, "work");
        const condition = status?.conditions?.find(({ type }) => type === "Suspended");
        assert.deepEqual([condition?.status, condition?.reason], ["True", "JobSuspended"]);
      });
      assert.equal((await world.client.list(Pod)).items.length, 0);
      await world.client.patch(Job, "work", { merge: { spec: { suspend: false } } });
      await completed(world, 1);
    },
  },
  {
    name: "a Job that asks for it is deleted after it ended, with its pods",
    async run(world) {
      await createJob(world, { ttlSecondsAfterFinished: 0 });
      await world.eventually(async () => {
        assert.equal(await world.client.find(Job, "work"), undefined);
        assert.equal((await world.client.list(Pod)).items.length, 0);
      });
    },
  },
];

async function createJob({ client }: World, spec: object): Promise<void> {
  const template = {
    spec: { restartPolicy: "Never", containers: [{ name: "work", image: "registry.example/work:1" }] },
  } as const;
  await client.create(Job, { metadata: { name: "work" }, spec: { ...spec, template } });
}

async function completed({ client, eventually }: World, succeeded: number): Promise<void> {
  await eventually(async () => {
    const { status } = await client.get(Job, "work");
    const complete = status?.conditions?.find(({ type }) => type === "Complete");
    assert.deepEqual([complete?.status, complete?.reason], ["True", "CompletionsReached"]);
    assert.equal(status?.succeeded, succeeded);
    assert.equal(status?.active ?? 0, 0);
    assert.deepEqual(status?.uncountedTerminatedPods ?? {}, {});
    assert.ok(status?.completionTime);
  });
}
