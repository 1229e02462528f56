/** Limits of Jobs: failures, time, pods at once. */
import assert from "node:assert/strict";
import { Job } from "@kubewright/api/batch/v1";
import { Pod } from "@kubewright/api/core/v1";
import { Event } from "@kubewright/api/events/v1";
import type { Expectation, World } from "./expectation.ts";

/** What ends Jobs, and what their pods look like. No node takes the pods. */
export const jobLimits: readonly Expectation[] = [
  {
    name: "a Job that is active beyond its deadline fails, and its pods go",
    async run(world) {
      const { client, eventually } = world;
      await createJob(world, { activeDeadlineSeconds: 1, parallelism: 2, completions: 2 });
      await eventually(async () => {
        const { status } = await client.get(Job, "work");
        const message = "Job was active longer than specified deadline";
        assert.deepEqual(
          status?.conditions?.map((each) => [each.type, each.status, each.reason, each.message]),
          [
            ["FailureTarget", "True", "DeadlineExceeded", message],
            ["Failed", "True", "DeadlineExceeded", message],
          ],
        );
        assert.deepEqual([status?.active ?? 0, status?.failed, status?.terminating ?? 0], [0, 2, 0]);
        assert.equal((await client.list(Pod)).items.length, 0);
        const events = (await client.list(Event)).items.filter(({ reason }) => reason === "DeadlineExceeded");
        assert.deepEqual(
          events.map(({ type, note, reportingController }) => [type, note, reportingController]),
          [["Warning", message, "job-controller"]],
        );
      });
    },
  },
  {
    name: "a Job that is suspended loses its pods and forgets when it started",
    async run(world) {
      const { client, eventually } = world;
      await createJob(world, { parallelism: 2, completions: 2 });
      await eventually(async () => {
        const { status } = await client.get(Job, "work");
        assert.deepEqual([status?.active, status?.ready ?? 0], [2, 0]);
        assert.ok(status?.startTime);
      });
      await client.patch(Job, "work", { merge: { spec: { suspend: true } } });
      await eventually(async () => {
        const { status } = await client.get(Job, "work");
        assert.deepEqual([status?.active ?? 0, status?.failed ?? 0, status?.startTime], [0, 0, undefined]);
        assert.deepEqual(
          status?.conditions?.map(({ type, status: state }) => [type, state]),
          [["Suspended", "True"]],
        );
        assert.equal((await client.list(Pod)).items.length, 0);
      });
      await client.patch(Job, "work", { merge: { spec: { suspend: false } } });
      await eventually(async () => {
        const { status } = await client.get(Job, "work");
        assert.equal(status?.active, 2);
        const [condition] = status?.conditions ?? [];
        assert.deepEqual(
          [condition?.type, condition?.status, condition?.reason, condition?.message],
          ["Suspended", "False", "JobResumed", "Job resumed"],
        );
      });
    },
  },
  {
    name: "a Job runs as many pods at once as it may, and follows when that changes",
    async run(world) {
      const { client, eventually } = world;
      await createJob(world, { parallelism: 3, completions: 5 });
      const counted = (count: number): Promise<void> =>
        eventually(async () => {
          assert.equal((await client.list(Pod)).items.length, count);
          assert.equal((await client.get(Job, "work")).status?.active ?? 0, count);
        });
      await counted(3);
      await client.patch(Job, "work", { merge: { spec: { parallelism: 1 } } });
      await counted(1);
      await client.patch(Job, "work", { merge: { spec: { parallelism: 0 } } });
      await counted(0);
      await client.patch(Job, "work", { merge: { spec: { parallelism: 9 } } });
      await counted(5);
    },
  },
  {
    name: "pods of an Indexed Job know their index by label, annotation, host name and environment",
    async run(world) {
      await createJob(world, { parallelism: 1, completions: 1, completionMode: "Indexed" });
      await world.eventually(async () => {
        const [pod] = (await world.client.list(Pod)).items;
        const { name = "", labels, annotations, finalizers } = pod?.metadata ?? {};
        assert.match(name, /^work-0-[a-z0-9]{5}$/);
        assert.equal(labels?.["batch.kubernetes.io/job-completion-index"], "0");
        assert.equal(annotations?.["batch.kubernetes.io/job-completion-index"], "0");
        assert.equal(labels?.["batch.kubernetes.io/job-name"], "work");
        assert.deepEqual(finalizers, ["batch.kubernetes.io/job-tracking"]);
        assert.equal(pod?.spec?.hostname, "work-0");
        assert.deepEqual(pod?.spec?.containers[0]?.env, [
          {
            name: "JOB_COMPLETION_INDEX",
            valueFrom: {
              fieldRef: { apiVersion: "v1", fieldPath: "metadata.labels['batch.kubernetes.io/job-completion-index']" },
            },
          },
        ]);
      });
    },
  },
];

async function createJob({ client }: World, spec: object): Promise<void> {
  const containers = [{ name: "work", image: "registry.example/work:1" }];
  const template = {
    spec: { restartPolicy: "Never", nodeSelector: { "example.com/nowhere": "" }, containers },
  } as const;
  await client.create(Job, { metadata: { name: "work" }, spec: { ...spec, template } });
}
