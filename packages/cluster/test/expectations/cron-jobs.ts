/** CronJobs: what a run looks like. When runs are due is judged in virtual time alone. */
import assert from "node:assert/strict";
import { CronJob, Job } from "@kubewright/api/batch/v1";
import { getControllerOf } from "@kubewright/core/meta";
import type { Expectation, World } from "./expectation.ts";

/** What CronJobs do. */
export const cronJobs: readonly Expectation[] = [
  {
    name: "a CronJob starts a Job from its template, names it by the time and remembers how it went",
    async run(world) {
      const { client, eventually } = world;
      await create(world, {});
      await eventually(async () => {
        const [job] = (await client.list(Job)).items;
        const { name = "", labels, annotations = {} } = job?.metadata ?? {};
        const dueAt = annotations["batch.kubernetes.io/cronjob-scheduled-timestamp"] ?? "";
        assert.equal(name, `tick-${Math.floor(Date.parse(dueAt) / 60_000)}`);
        assert.deepEqual([labels?.["team"], annotations["note"]], ["a", "b"]);
        const owner = job && getControllerOf(job);
        assert.deepEqual([owner?.kind, owner?.name, owner?.blockOwnerDeletion], ["CronJob", "tick", true]);
        const { status } = await client.get(CronJob, "tick");
        assert.ok(status?.lastScheduleTime);
        assert.ok(status.lastSuccessfulTime);
        assert.deepEqual(status.active ?? [], []);
      });
    },
  },
  {
    name: "a CronJob that is suspended, or deleted, starts nothing",
    async run(world) {
      const { client, eventually } = world;
      await create(world, { suspend: true });
      await create({ ...world }, {}, "tock");
      await eventually(async () => assert.equal((await client.list(Job)).items.length, 1));
      const [job] = (await client.list(Job)).items;
      assert.match(job?.metadata?.name ?? "", /^tock-/);
      await client.delete(CronJob, "tock", { propagationPolicy: "Background" });
      await eventually(async () => assert.equal((await client.list(Job)).items.length, 0));
      assert.equal((await client.get(CronJob, "tick")).status?.lastScheduleTime, undefined);
    },
  },
];

async function create({ client }: World, more: object, name: string = "tick"): Promise<void> {
  const containers = [{ name: "work", image: "registry.example/work:1" }];
  const template = { spec: { restartPolicy: "Never", containers } } as const;
  const metadata = { labels: { team: "a" }, annotations: { note: "b" } };
  const spec = { schedule: "@every 1s", jobTemplate: { metadata, spec: { template } }, ...more };
  await client.create(CronJob, { metadata: { name }, spec });
}
