/**
 * Exact counting of a Job's ended pods. A pod's end is first noted by uid in the status, then the pod loses its
 * finalizer, then the note becomes part of the counter: whatever is lost in between, no pod is counted twice or never.
 */
import type { Job, JobStatus } from "@kubewright/api/batch/v1";
import type { Pod } from "@kubewright/api/core/v1";
import { isFailureCounted } from "./failure-policy.ts";
import { isPodFailure, isTracked } from "./pods.ts";

/** Where the counting stands. */
export interface Count {
  /** Part of the counters. */
  readonly succeeded: number;
  readonly failed: number;
  /** Noted by uid; their pods lose the finalizer next. */
  readonly noted: { readonly succeeded: readonly string[]; readonly failed: readonly string[] };
  /** Failures that the Job's policy ignores: their pods lose the finalizer, and nothing is counted. */
  readonly ignored: readonly string[];
}

/** The next state of the counting, given all pods of the Job; the ends of `kept` ones are left for later. */
export function countPods(job: Job, pods: readonly Pod[], kept: ReadonlySet<Pod>): Count {
  const status: JobStatus = job.status ?? {};
  const before = status.uncountedTerminatedPods;
  const tracked = new Map(pods.filter(isTracked).map((pod) => [pod.metadata?.uid ?? "", pod]));
  const { held: succeeded, settled: newSucceeded } = partition(before?.succeeded, tracked);
  const { held: failed, settled: newFailed } = partition(before?.failed, tracked);
  const ignored: string[] = [];
  const known = new Set([...succeeded, ...failed]);
  for (const [uid, pod] of tracked) {
    if (known.has(uid) || kept.has(pod)) continue;
    if (pod.status?.phase === "Succeeded") succeeded.push(uid);
    else if (isPodFailure(job, pod)) (isFailureCounted(job, pod) ? failed : ignored).push(uid);
  }
  return {
    succeeded: (status.succeeded ?? 0) + newSucceeded,
    failed: (status.failed ?? 0) + newFailed,
    noted: { succeeded, failed },
    ignored,
  };
}

/** Of pods that are noted, those that still have the finalizer, and how many have lost it. */
function partition(
  noted: readonly string[] = [],
  tracked: ReadonlyMap<string, Pod>,
): { readonly held: string[]; readonly settled: number } {
  const held = noted.filter((uid) => tracked.has(uid));
  return { held, settled: noted.length - held.length };
}
