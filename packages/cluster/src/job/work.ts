/** Which pods a Job that goes on creates and removes next. Pure; plan.ts makes it part of a step. */
import type { Job } from "@kubewright/api/batch/v1";
import type { Pod } from "@kubewright/api/core/v1";
import { rankForDeletion } from "../replicaset/pod-ranking.ts";
import { isPodFinished, isPodTerminating } from "../workload/pod-state.ts";
import { type IndexFailures, retryIndexAt } from "./index-failures.ts";
import { completionIndexOf } from "./indexes.ts";
import type { NextPod } from "./next-pod.ts";
import { replacesOnlyFailed, retryAt } from "./pods.ts";

/** The most pods created or deleted at once. */
const BURST_MAX = 500;

/** Pods to create and to remove. */
export interface Work {
  readonly create: readonly NextPod[];
  readonly remove: readonly Pod[];
  readonly wakeAt?: number | undefined;
}

interface WorkInput {
  readonly job: Job;
  readonly pods: readonly Pod[];
  readonly active: readonly Pod[];
  readonly succeeded: number;
  readonly indexes: ReadonlySet<number> | undefined;
  readonly failures: IndexFailures | undefined;
  readonly now: number;
}

/** Everything that runs has to go. */
export const stopAll = (active: readonly Pod[]): Work => ({ create: [], remove: active });

/** How many pods should run: never more than completions are missing, nor more than may run at once. */
export function workOf(input: WorkInput): Work {
  const { job, pods, active, succeeded, now } = input;
  if (job.metadata?.deletionTimestamp !== undefined) return { create: [], remove: [] };
  if (job.spec?.suspend) return stopAll(active);
  const { parallelism = 1, completions } = job.spec ?? {};
  const anyEnough = completions === undefined && succeeded > 0;
  const wanted = anyEnough ? active.length : Math.min(parallelism, (completions ?? Number.MAX_VALUE) - succeeded);
  if (active.length > wanted) return { create: [], remove: rankForDeletion(active).slice(0, active.length - wanted) };
  const held = replacesOnlyFailed(job) ? pods.filter((pod) => isPodTerminating(pod) && !isPodFinished(pod)).length : 0;
  const missing = Math.min(wanted - active.length - held, BURST_MAX);
  if (missing <= 0) return { create: [], remove: [] };
  const mayCreateAt = input.failures === undefined ? retryAt(job, pods, now) : now;
  if (mayCreateAt > now) return { create: [], remove: [], wakeAt: mayCreateAt };
  return newPods(input, missing);
}

function newPods(input: WorkInput, missing: number): Work {
  if (input.indexes === undefined) return { create: Array<NextPod>(missing).fill({}), remove: [] };
  const next: readonly NextPod[] = pendingIndexes(input, missing).map((index) => {
    const replaced = input.failures?.replaceable.get(index);
    return { index, ...(replaced === undefined ? {} : { replaced }) };
  });
  const create = next.filter(({ replaced }) => retryIndexAt(replaced) <= input.now);
  const waits = next.map(({ replaced }) => retryIndexAt(replaced)).filter((time) => time > input.now);
  return { create, remove: [], wakeAt: earliest(waits) };
}

/** The first indexes that nothing is done about: no pod runs for them, and they neither succeeded nor are given up. */
function pendingIndexes({ job, pods, active, indexes, failures }: WorkInput, missing: number): number[] {
  const completions = job.spec?.completions ?? 0;
  const ending = replacesOnlyFailed(job) ? pods.filter((pod) => isPodTerminating(pod) && !isPodFinished(pod)) : [];
  const taken = new Set([...active, ...ending].map((pod) => completionIndexOf(pod, completions)));
  const pending: number[] = [];
  for (let index = 0; index < completions && pending.length < missing; index++) {
    if (!indexes?.has(index) && !failures?.failed.has(index) && !taken.has(index)) pending.push(index);
  }
  return pending;
}

/** The first of the times that are known. */
export function earliest(times: readonly (number | undefined)[]): number | undefined {
  const known = times.filter((time) => time !== undefined);
  return known.length === 0 ? undefined : Math.min(...known);
}
