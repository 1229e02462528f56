/** Policies of Jobs: which failures count, when an index is given up, when enough has succeeded. */
import assert from "node:assert/strict";
import { Job } from "@kubewright/api/batch/v1";
import { Pod } from "@kubewright/api/core/v1";
import type { Expectation, World } from "./expectation.ts";

const INDEX = "batch.kubernetes.io/job-completion-index";

/** What the policies of Jobs do. No node takes their pods, so that the expectation itself says how each ends. */
export const jobPolicies: readonly Expectation[] = [
  {
    name: "a Job fails at once with an exit code that its policy calls fatal",
    async run(world) {
      const onExitCodes = { containerName: "work", operator: "In", values: [40, 42] };
      const podFailurePolicy = { rules: [{ action: "FailJob", onExitCodes }] };
      await createJob(world, { completions: 2, parallelism: 2, podFailurePolicy });
      const [pod] = await pods(world, 2);
      await ends(world, pod, 42);
      const name = `${world.namespace}/${pod?.metadata?.name}`;
      const why = "failed with exit code 42 matching FailJob rule at index 0";
      await failed(world, "PodFailurePolicy", `Container work for pod ${name} ${why}`);
    },
  },
  {
    name: "a failure that the policy of a Job ignores does not count towards its limit",
    async run(world) {
      const podFailurePolicy = {
        rules: [{ action: "Ignore", onPodConditions: [{ type: "DisruptionTarget", status: "True" }] }],
      };
      await createJob(world, { backoffLimit: 0, podFailurePolicy });
      const [pod] = await pods(world, 1);
      await ends(world, pod, 137, [{ type: "DisruptionTarget", status: "True" }]);
      await world.eventually(async () => {
        assert.deepEqual((await world.client.get(Pod, pod?.metadata?.name ?? "")).metadata?.finalizers ?? [], []);
        const { status } = await world.client.get(Job, "work");
        assert.deepEqual([status?.active ?? 0, status?.failed ?? 0, status?.conditions ?? []], [0, 0, []]);
      });
    },
  },
  {
    name: "a failure that the policy of a Job counts counts towards its limit, whatever later rules say",
    async run(world) {
      const onExitCodes = { operator: "NotIn", values: [7] };
      const podFailurePolicy = {
        rules: [
          { action: "Count", onExitCodes },
          { action: "Ignore", onExitCodes },
        ],
      };
      await createJob(world, { backoffLimit: 0, podFailurePolicy });
      const [pod] = await pods(world, 1);
      await ends(world, pod, 1);
      await failed(world, "BackoffLimitExceeded", "Job has reached the specified backoff limit");
    },
  },
  {
    name: "with a limit per index a Job gives up one index, finishes the others and then fails",
    async run(world) {
      await createJob(world, { ...indexed(3), backoffLimitPerIndex: 0 });
      const all = await pods(world, 3);
      for (const { metadata } of all) {
        assert.equal(metadata?.annotations?.["batch.kubernetes.io/job-index-failure-count"], "0");
      }
      await ends(world, withIndex(all, 1), 1);
      await world.eventually(async () => {
        const { status } = await world.client.get(Job, "work");
        assert.deepEqual([status?.failedIndexes, status?.failed, status?.active], ["1", 1, 2]);
      });
      await ends(world, withIndex(all, 0), 0);
      await ends(world, withIndex(all, 2), 0);
      const status = await failed(world, "FailedIndexes", "Job has failed indexes");
      assert.deepEqual([status?.failedIndexes, status?.completedIndexes, status?.failed], ["1", "0,2", 1]);
    },
  },
  {
    name: "a Job fails once more indexes failed than it allows, and its other pods go",
    async run(world) {
      await createJob(world, { ...indexed(3), backoffLimitPerIndex: 0, maxFailedIndexes: 0 });
      const all = await pods(world, 3);
      await ends(world, withIndex(all, 2), 1);
      const message = "Job has exceeded the specified maximal number of failed indexes";
      const status = await failed(world, "MaxFailedIndexesExceeded", message);
      assert.equal(status?.failedIndexes, "2");
      await world.eventually(async () => assert.equal((await world.client.list(Pod)).items.length, 1));
    },
  },
  {
    name: "the policy of a Job can give up an index with its first failure",
    async run(world) {
      const onExitCodes = { operator: "In", values: [3] };
      const podFailurePolicy = { rules: [{ action: "FailIndex", onExitCodes }] };
      await createJob(world, { ...indexed(2), backoffLimitPerIndex: 5, podFailurePolicy });
      const all = await pods(world, 2);
      await ends(world, withIndex(all, 0), 3);
      await ends(world, withIndex(all, 1), 0);
      const status = await failed(world, "FailedIndexes", "Job has failed indexes");
      assert.deepEqual([status?.failedIndexes, status?.completedIndexes], ["0", "1"]);
    },
  },
  {
    name: "a Job succeeds as soon as its success policy is met, and its other pods go uncounted",
    async run(world) {
      const successPolicy = { rules: [{ succeededIndexes: "2" }, { succeededIndexes: "0-1", succeededCount: 1 }] };
      await createJob(world, { ...indexed(3), successPolicy });
      const all = await pods(world, 3);
      await ends(world, withIndex(all, 1), 0);
      await world.eventually(async () => {
        const { status } = await world.client.get(Job, "work");
        const conditions = status?.conditions?.map(({ type, reason, message }) => [type, reason, message]);
        assert.deepEqual(conditions, [
          ["SuccessCriteriaMet", "SuccessPolicy", "Matched rules at index 1"],
          ["Complete", "SuccessPolicy", "Matched rules at index 1"],
        ]);
        assert.deepEqual([status?.succeeded, status?.failed ?? 0, status?.completedIndexes], [1, 0, "1"]);
        assert.equal((await world.client.list(Pod)).items.length, 1);
      });
    },
  },
];

function indexed(completions: number): object {
  return { completionMode: "Indexed", completions, parallelism: completions };
}

async function createJob({ client }: World, spec: object): Promise<void> {
  const template = {
    spec: {
      restartPolicy: "Never",
      nodeSelector: { "example.com/nowhere": "" },
      containers: [{ name: "work", image: "registry.example/work:1" }],
    },
  } as const;
  await client.create(Job, { metadata: { name: "work" }, spec: { ...spec, template } });
}

async function pods({ client, eventually }: World, count: number): Promise<readonly Pod[]> {
  await eventually(async () => assert.equal((await client.list(Pod)).items.length, count));
  return (await client.list(Pod)).items;
}

function withIndex(all: readonly Pod[], index: number): Pod | undefined {
  return all.find(({ metadata }) => metadata?.labels?.[INDEX] === String(index));
}

/** Says how a pod ended, as its kubelet would. */
async function ends(
  { client }: World,
  pod: Pod | undefined,
  exitCode: number,
  conditions: readonly object[] = [],
): Promise<void> {
  const { image = "" } = pod?.spec?.containers[0] ?? {};
  const phase = exitCode === 0 ? "Succeeded" : "Failed";
  const state = { terminated: { exitCode } };
  const containerStatuses = [{ name: "work", image, imageID: "", ready: false, restartCount: 0, state }];
  const name = pod?.metadata?.name ?? "";
  const merge = { status: { phase, containerStatuses, conditions } };
  await client.patch(Pod, name, { merge }, { subresource: "status" });
}

async function failed({ client, eventually }: World, reason: string, message: string): Promise<Job["status"]> {
  await eventually(async () => {
    const { status } = await client.get(Job, "work");
    const conditions = status?.conditions?.map((each) => [each.type, each.reason, each.message]);
    assert.deepEqual(conditions, [
      ["FailureTarget", reason, message],
      ["Failed", reason, message],
    ]);
    assert.deepEqual(status?.uncountedTerminatedPods ?? {}, {});
  });
  return (await client.get(Job, "work")).status;
}
