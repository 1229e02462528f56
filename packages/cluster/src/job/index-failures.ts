/**
 * `backoffLimitPerIndex`: each index of an Indexed Job has its own limit and its own wait. How often an index has failed is
 * written on its newest pod, so a failed pod keeps its finalizer until its replacement, which carries the count on, is
 * there. Pure.
 */
import type { Job } from "@kubewright/api/batch/v1";
import type { Pod } from "@kubewright/api/core/v1";
import { isPodActive } from "../workload/pod-state.ts";
import { conditionTrue } from "./conditions.ts";
import { isFailureCounted, matchFailurePolicy } from "./failure-policy.ts";
import { completionIndexOf, parseIndexes } from "./indexes.ts";
import { endOf, isPodFailure, isTracked, waitAfterMs } from "./pods.ts";

const FAILURES = "batch.kubernetes.io/job-index-failure-count";
const IGNORED_FAILURES = "batch.kubernetes.io/job-index-ignored-failure-count";

/** What is known of the indexes of a Job with a limit per index. */
export interface IndexFailures {
  /** The indexes that are given up. */
  readonly failed: ReadonlySet<number>;
  /** By index, the failed pod that waits for its replacement. */
  readonly replaceable: ReadonlyMap<number, Pod>;
}

/** The failures by index, or undefined for Jobs whose limit is one for all. */
export function indexFailures(
  job: Job,
  pods: readonly Pod[],
  succeeded: ReadonlySet<number> | undefined,
): IndexFailures | undefined {
  if (succeeded === undefined || job.spec?.backoffLimitPerIndex === undefined) return undefined;
  const completions = job.spec.completions ?? 0;
  const failed = parseIndexes(job.status?.failedIndexes, completions);
  // Once the Job is failing, its pods are stopped: that says nothing about their indexes.
  const isStopping = conditionTrue(job, "FailureTarget") !== undefined;
  const fresh = isStopping ? [] : pods.filter((pod) => isTracked(pod) && isPodFailure(job, pod));
  for (const pod of fresh) {
    const index = completionIndexOf(pod, completions);
    if (index !== undefined && isIndexFailed(job, pod)) failed.add(index);
  }
  const active = new Set(pods.filter(isPodActive).map((pod) => completionIndexOf(pod, completions)));
  const settled = new Set<number | undefined>([undefined, ...succeeded, ...failed, ...active]);
  const noted = new Set(job.status?.uncountedTerminatedPods?.failed ?? []);
  const replaceable = new Map<number, Pod>();
  for (const pod of fresh.filter(({ metadata }) => !noted.has(metadata?.uid ?? ""))) {
    const index = completionIndexOf(pod, completions);
    if (index === undefined || settled.has(index)) continue;
    const other = replaceable.get(index);
    if (other === undefined || isLater(pod, other)) replaceable.set(index, pod);
  }
  return { failed, replaceable };
}

/** The annotations of the pod that follows `replaced` in its index. */
export function failureCounts(job: Job, replaced: Pod | undefined): Readonly<Record<string, string>> {
  if (job.spec?.backoffLimitPerIndex === undefined) return {};
  if (replaced === undefined) return { [FAILURES]: "0" };
  const isCounted = isFailureCounted(job, replaced);
  const failures = countOn(replaced, FAILURES) + (isCounted ? 1 : 0);
  const ignored = countOn(replaced, IGNORED_FAILURES) + (isCounted ? 0 : 1);
  return { [FAILURES]: String(failures), ...(ignored === 0 ? {} : { [IGNORED_FAILURES]: String(ignored) }) };
}

/** When the index of a failed pod may be tried again. */
export function retryIndexAt(replaced: Pod | undefined): number {
  return replaced === undefined ? 0 : endOf(replaced) + waitAfterMs(failuresOf(replaced) + 1);
}

function isIndexFailed(job: Job, pod: Pod): boolean {
  const action = matchFailurePolicy(job, pod)?.action;
  if (action === "FailIndex") return true;
  return action !== "Ignore" && countOn(pod, FAILURES) >= (job.spec?.backoffLimitPerIndex ?? 0);
}

function isLater(pod: Pod, other: Pod): boolean {
  return failuresOf(pod) >= failuresOf(other) && endOf(pod) >= endOf(other);
}

function failuresOf(pod: Pod): number {
  return countOn(pod, FAILURES) + countOn(pod, IGNORED_FAILURES);
}

/** A count that somebody spoilt counts as none. */
function countOn({ metadata }: Pod, annotation: string): number {
  const text = metadata?.annotations?.[annotation] ?? "";
  return /^[0-9]{1,9}$/.test(text) ? Number(text) : 0;
}
