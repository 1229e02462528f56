/** The pods of a Job: how one ended, and how long to wait after failures. Pure. */
import type { Job } from "@kubewright/api/batch/v1";
import type { Pod } from "@kubewright/api/core/v1";

/** Keeps a pod until its end has been counted. */
export const TRACKING_FINALIZER = "batch.kubernetes.io/job-tracking";

const RETRY_WAIT_MS = 10_000;
const RETRY_WAIT_MS_MAX = 600_000;

/** True while the end of the pod has not been counted. */
export function isTracked(pod: Pod): boolean {
  return pod.metadata?.finalizers?.includes(TRACKING_FINALIZER) === true;
}

/**
 * True when the pod counts as a failure. A pod that is being deleted may never get to say how it ended, so it counts
 * too, unless the Job replaces only pods that failed.
 */
export function isPodFailure(job: Job, pod: Pod): boolean {
  const phase = pod.status?.phase;
  if (phase === "Failed") return true;
  if (pod.metadata?.deletionTimestamp === undefined || phase === "Succeeded") return false;
  return replacesOnlyFailed(job) ? phase === undefined || phase === "Pending" : true;
}

/** True when pods that are still terminating hold their place. */
export function replacesOnlyFailed(job: Job): boolean {
  return job.spec?.podReplacementPolicy === "Failed" || job.spec?.podFailurePolicy !== undefined;
}

/** When the next pod may be created: at once, or after a wait that doubles with each failure since the last success. */
export function retryAt(job: Job, pods: readonly Pod[], now: number): number {
  const succeeded = pods.filter((pod) => pod.status?.phase === "Succeeded").map(endOf);
  const lastSuccess = Math.max(0, ...succeeded);
  const failures = pods
    .filter((pod) => isPodFailure(job, pod))
    .map(endOf)
    .filter((end) => end > lastSuccess);
  if (failures.length === 0) return now;
  return Math.max(...failures) + waitAfterMs(failures.length);
}

/** How long to wait after so many failures in a row. */
export function waitAfterMs(failures: number): number {
  return Math.min(RETRY_WAIT_MS * 2 ** (failures - 1), RETRY_WAIT_MS_MAX);
}

/** When the pod ended, as far as it says: its last container, else when it was not ready any more, was deleted or made. */
export function endOf({ metadata, status }: Pod): number {
  const ends = (status?.containerStatuses ?? [])
    .map(({ state }) => Date.parse(state?.terminated?.finishedAt ?? ""))
    .filter((end) => !Number.isNaN(end));
  if (ends.length > 0) return Math.max(...ends);
  const unready = status?.conditions?.find(({ type, status: state }) => type === "Ready" && state === "False");
  const told = unready?.lastTransitionTime ?? metadata?.deletionTimestamp ?? metadata?.creationTimestamp;
  return told === undefined ? 0 : Date.parse(told);
}
