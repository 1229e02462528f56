/** Lets go of tracked pods whose Job is gone, going or over: nobody will count them any more. */
import { Job } from "@kubewright/api/batch/v1";
import { Pod } from "@kubewright/api/core/v1";
import { getControllerOf } from "@kubewright/core/meta";
import { type Controller, defineController, keyOf, parseKey, watch } from "@kubewright/runtime";
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
      map: (job, { cache }) => cache.list(Pod, { controlledBy: job }).map((pod) => parseKey(keyOf(pod))),
      predicate: ({ type, object }) => type === "deleted" || isOver(object),
    }),
  ],
  predicate: ({ object }) => isTracked(object),
  async reconcile(pod, { cache, client }) {
    const owner = getControllerOf(pod);
    if (!isTracked(pod) || (owner !== undefined && owner.kind !== "Job")) return;
    const job = owner === undefined ? undefined : cache.get(Job, owner.name);
    if (job === undefined || job.metadata?.uid !== owner?.uid || isOver(job)) await releasePod(pod, client);
  },
});

function isOver(job: Job): boolean {
  return job.metadata?.deletionTimestamp !== undefined || isJobFinished(job);
}
