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
  const tracked = new Set(pods.filter(isTracked).map((pod) => pod.metadata?.uid));
  const before = {
    succeeded: status.uncountedTerminatedPods?.succeeded ?? [],
    failed: status.uncountedTerminatedPods?.failed ?? [],
  };
  const isSettled = (uid: string): boolean => !tracked.has(uid);
  const known = new Set([...before.succeeded, ...before.failed]);
  const fresh = pods.filter((pod) => isTracked(pod) && !known.has(pod.metadata?.uid ?? "") && !kept.has(pod));
  const failures = fresh.filter((pod) => isPodFailure(job, pod));
  return {
    succeeded: (status.succeeded ?? 0) + before.succeeded.filter(isSettled).length,
    failed: (status.failed ?? 0) + before.failed.filter(isSettled).length,
    noted: {
      succeeded: [
        ...before.succeeded.filter((uid) => !isSettled(uid)),
        ...uidsOf(fresh.filter((pod) => pod.status?.phase === "Succeeded")),
      ],
      failed: [
        ...before.failed.filter((uid) => !isSettled(uid)),
        ...uidsOf(failures.filter((pod) => isFailureCounted(job, pod))),
      ],
    },
    ignored: uidsOf(failures.filter((pod) => !isFailureCounted(job, pod))),
  };
}

function uidsOf(pods: readonly Pod[]): string[] {
  return pods.map((pod) => pod.metadata?.uid ?? "");
}
