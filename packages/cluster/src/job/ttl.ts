/** Deletes Jobs some time after they ended, when they ask for it. */
import { Job } from "@kubewright/api/batch/v1";
import { after, type Controller, defineController } from "@kubewright/runtime";
import { conditionTrue } from "./conditions.ts";

/** Keeps `ttlSecondsAfterFinished`. */
export const ttlController: Controller<Job> = defineController<Job>({
  name: "ttl-after-finished-controller",
  for: Job,
  predicate: ({ object }) => expiresAt(object) !== undefined,
  async reconcile(job, { client, clock }) {
    const dueAt = expiresAt(job);
    if (dueAt === undefined) return undefined;
    const now = clock.now();
    if (dueAt > now) return after(dueAt - now);
    const { resourceVersion = "" } = job.metadata ?? {};
    await client.delete(Job, job, { propagationPolicy: "Foreground", resourceVersion });
    return undefined;
  },
});

/** When the Job may be deleted; undefined while it runs, or when it is to be kept. */
function expiresAt(job: Job): number | undefined {
  const seconds = job.spec?.ttlSecondsAfterFinished;
  if (seconds === undefined) return undefined;
  const end = conditionTrue(job, "Complete") ?? conditionTrue(job, "Failed");
  if (end?.lastTransitionTime === undefined) return undefined;
  return Date.parse(end.lastTransitionTime) + seconds * 1000;
}
