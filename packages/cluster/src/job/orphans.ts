/** Lets go of tracked pods whose Job is gone, going or over: nobody will count them any more. */
import { Job } from "@kubewright/api/batch/v1";
import { Pod } from "@kubewright/api/core/v1";
import { deepEqual, getControllerOf } from "@kubewright/core/meta";
import {
  type CacheReader,
  type Controller,
  defineController,
  keyOf,
  type ObjectKey,
  parseKey,
  watch,
} from "@kubewright/runtime";
import { isJobFinished } from "./plan.ts";
import { isTracked } from "./pods.ts";
import { releasePod } from "./release-pod.ts";

/** Frees pods that no Job tracks. */
export const jobOrphanController: Controller<Pod> = defineController<Pod>({
  name: "job-orphan-controller",
  for: Pod,
  reconcilesDeleting: true,
  watches: [
    watch(Job, {
      map: (job, { cache }) => cache.list(Pod, { controlledBy: job }).filter(isTracked).map(keyOfPod),
      predicate: ({ type, object }) => type === "deleted" || isOver(object),
    }),
    // Nearly every pod has its Job, and needs no second look.
    watch(Pod, {
      map: (pod, { cache }) => (isUncounted(pod, cache) ? [keyOfPod(pod)] : []),
      predicate: ({ object, previous }) =>
        isTracked(object) && (previous === undefined || !isTracked(previous) || hasOtherOwners(object, previous)),
    }),
  ],
  predicate: () => false,
  async reconcile(pod, { cache, client }) {
    if (isUncounted(pod, cache)) await releasePod(pod, client);
  },
});

function hasOtherOwners({ metadata }: Pod, previous: Pod): boolean {
  return !deepEqual(metadata?.ownerReferences ?? [], previous.metadata?.ownerReferences ?? []);
}

function keyOfPod(pod: Pod): ObjectKey {
  return parseKey(keyOf(pod));
}

/** True when the pod waits to be counted, and there is no Job that would. */
function isUncounted(pod: Pod, cache: CacheReader): boolean {
  if (!isTracked(pod)) return false;
  const owner = getControllerOf(pod);
  if (owner === undefined) return true;
  if (owner.kind !== "Job") return false;
  const job = cache.get(Job, owner.name);
  return job === undefined || job.metadata?.uid !== owner.uid || isOver(job);
}

function isOver(job: Job): boolean {
  return job.metadata?.deletionTimestamp !== undefined || isJobFinished(job);
}
