import assert from "node:assert/strict";
import { test } from "node:test";
import type { Job } from "@kubewright/api/batch/v1";
import type { Pod } from "@kubewright/api/core/v1";
import { type Random, seededRandom } from "@kubewright/core/ports";
import { COMPLETION_INDEX, formatIndexes, parseIndexes } from "./indexes.ts";
import { type NextPod, podForJob } from "./next-pod.ts";
import { isJobFinished, planJob } from "./plan.ts";
import { isTracked, TRACKING_FINALIZER } from "./pods.ts";

const RUNS = 200;

test("whatever fails or is lost between the steps, each end is counted once and the Job ends as its limits say", () => {
  for (let seed = 1; seed <= RUNS; seed++) {
    const random = seededRandom(seed);
    const world = createWorld(random);
    for (let step = 0; step < 2000 && !isJobFinished(world.job); step++) advance(world, random);
    const { status, spec } = world.job;
    assert.ok(isJobFinished(world.job), `seed ${seed}`);
    assert.equal(status?.failed ?? 0, world.failed, `seed ${seed}`);
    if (spec?.completionMode !== "Indexed") assert.equal(status?.succeeded ?? 0, world.succeeded, `seed ${seed}`);
    const complete = status?.conditions?.some(({ type }) => type === "Complete");
    if (complete) assert.equal(status?.succeeded, spec?.completions, `seed ${seed}`);
    else if (spec?.backoffLimitPerIndex === undefined) assert.ok((status?.failed ?? 0) > (spec?.backoffLimit ?? 0));
    else assertFailedIndexes(world, seed);
    assert.equal(world.pods.filter(isTracked).length, 0, `seed ${seed}`);
    assert.ok(world.activeMax <= (spec?.parallelism ?? 1), `seed ${seed}`);
  }
});

/** An index is given up with the failure after its limit, and nothing is tried for it afterwards. */
function assertFailedIndexes({ job, failures }: JobWorld, seed: number): void {
  const { backoffLimitPerIndex = 0, completions = 0 } = job.spec ?? {};
  const failed = parseIndexes(job.status?.failedIndexes, completions);
  assert.ok(failed.size > 0, `seed ${seed}`);
  for (const [index, count] of failures) {
    assert.equal(failed.has(Number(index)), count === backoffLimitPerIndex + 1, `seed ${seed}, index ${index}`);
    assert.ok(count <= backoffLimitPerIndex + 1, `seed ${seed}, index ${index}`);
  }
  assert.equal(failed.size + parseIndexes(job.status?.completedIndexes, completions).size, completions, `seed ${seed}`);
}

test("indexes are written as runs and read back", () => {
  const indexes = new Set([0, 1, 2, 5, 7, 8]);
  assert.equal(formatIndexes(indexes), "0-2,5,7,8");
  assert.deepEqual(parseIndexes("0-2,5,7,8", 100), indexes);
  assert.deepEqual(parseIndexes("0-9", 3), new Set([0, 1, 2]));
});

interface JobWorld {
  job: Job;
  pods: Pod[];
  now: number;
  created: number;
  succeeded: number;
  failed: number;
  /** By index. */
  readonly failures: Map<string, number>;
  activeMax: number;
}

function createWorld(random: Random): JobWorld {
  const completions = 1 + pick(random, 6);
  const template = { spec: { restartPolicy: "Never", containers: [] } } as const;
  const completionMode = pick(random, 2) === 0 ? "Indexed" : "NonIndexed";
  const spec = {
    completions,
    parallelism: 1 + pick(random, 3),
    ...(completionMode === "Indexed" && pick(random, 2) === 0
      ? { backoffLimit: 2 ** 31 - 1, backoffLimitPerIndex: pick(random, 3) }
      : { backoffLimit: pick(random, 4) }),
    completionMode,
    template,
  };
  const job = {
    metadata: { name: "job", uid: "job", namespace: "default" },
    kind: "Job",
    apiVersion: "batch/v1",
    spec,
  };
  return { job: job as Job, pods: [], now: 0, created: 0, succeeded: 0, failed: 0, failures: new Map(), activeMax: 0 };
}

/** One reconcile, of which any later part may be lost, and then something happens to a pod. */
function advance(world: JobWorld, random: Random): void {
  const step = planJob(world.job, world.pods, world.now);
  const lost = pick(random, 5);
  if (lost !== 0) world.job = { ...world.job, status: step.status() };
  if (lost > 1) for (const pod of step.release) replace(world, pod, { metadata: { ...pod.metadata, finalizers: [] } });
  if (lost > 2) for (const pod of step.remove) end(world, pod, "Failed");
  if (lost > 3) for (const next of step.create) create(world, next);
  const running = world.pods.filter(({ status }) => status?.phase === "Running");
  world.activeMax = Math.max(world.activeMax, running.length);
  const [one] = running;
  if (one !== undefined && pick(random, 2) === 0) end(world, one, pick(random, 3) === 0 ? "Failed" : "Succeeded");
  world.now += 700_000;
}

function create(world: JobWorld, next: NextPod): void {
  const uid = `pod-${world.created++}`;
  const pod = podForJob(world.job, next);
  world.pods.push({ ...pod, metadata: { ...pod.metadata, uid, name: uid }, status: { phase: "Running" } });
}

function end(world: JobWorld, pod: Pod, phase: "Failed" | "Succeeded"): void {
  assert.ok(pod.metadata?.finalizers?.includes(TRACKING_FINALIZER));
  world[phase === "Failed" ? "failed" : "succeeded"] += 1;
  const index = pod.metadata?.annotations?.[COMPLETION_INDEX] ?? "";
  if (phase === "Failed") world.failures.set(index, (world.failures.get(index) ?? 0) + 1);
  replace(world, pod, { status: { phase } });
}

function replace(world: JobWorld, pod: Pod, change: Partial<Pod>): void {
  world.pods = world.pods.map((each) => (each.metadata?.uid === pod.metadata?.uid ? { ...each, ...change } : each));
}

function pick(random: Random, below: number): number {
  return Math.floor(random.next() * below);
}
