/** The Job controller: runs pods until enough of them ended well. plan.ts decides, this carries it out. */
import { Job, type JobStatus } from "@kubewright/api/batch/v1";
import { Pod } from "@kubewright/api/core/v1";
import { isNotFound } from "@kubewright/core/protocol";
import {
  after,
  type Controller,
  defineController,
  keyOf,
  type Outcome,
  type ReconcileContext,
  watch,
} from "@kubewright/runtime";
import { claimFromCache } from "../workload/adopt.ts";
import { controllerKeys } from "../workload/controller-keys.ts";
import { ExpectedChanges } from "../workload/expected-changes.ts";
import { slowStart } from "../workload/slow-start.ts";
import { writeStatus } from "../workload/write-status.ts";
import { conditionTrue } from "./conditions.ts";
import { podForJob } from "./next-pod.ts";
import { isJobFinished, type JobStep, planJob } from "./plan.ts";
import { isTracked } from "./pods.ts";
import { releasePod } from "./release-pod.ts";

/** Keeps Jobs. */
export function createJobController(): Controller<Job> {
  const released = new ExpectedChanges();
  return defineController<Job>({
    name: "job-controller",
    for: Job,
    skipsOwnWrites: true,
    watches: [
      watch(Pod, {
        map: (pod) => controllerKeys(pod, "Job"),
        predicate: (event) => isTracked(event.object) || !released.take(event),
      }),
    ],
    async reconcile(job, context) {
      if (isJobFinished(job) || isManagedElsewhere(job)) return undefined;
      return proceed(job, await claimFromCache(job, Pod, context), { context, released });
    },
  });
}

interface JobPorts {
  readonly context: ReconcileContext;
  /** Pods that lose their finalizer: the next step takes them into account. */
  readonly released: ExpectedChanges;
}

/** One step, and the next one when pods were let go: their ends can be counted then, as kube-controller-manager does at once. */
async function proceed(job: Job, pods: readonly Pod[], ports: JobPorts): Promise<Outcome> {
  const { context } = ports;
  const now = context.clock.now();
  const first = planJob(job, pods, now);
  const problem = first.create.length === 0 ? undefined : await createPods(job, first, context);
  const isStart = first.create.length > 0 && first.release.length === 0 && first.remove.length === 0;
  // New pods bring the next reconcile, which counts them: a status before that would be outdated at once.
  if (isStart && problem === undefined) return undefined;
  const step = first.create.length > 0 ? planJob(job, podsOf(job, context), now) : first;
  const status = step.status();
  const written = await writeStatus(context.client, Job, job, status);
  tell(job, status, context);
  const isAnyReleased = step.release.length > 0 && (await letAllGo(step.release, ports));
  if (step.remove.length > 0) await removePods(step, context);
  if (problem !== undefined) throw problem.error;
  if (isAnyReleased) return proceed(written, podsOf(job, context), ports);
  return step.wakeAt === undefined ? undefined : after(Math.max(0, step.wakeAt - now));
}

function podsOf(job: Job, { cache }: ReconcileContext): readonly Pod[] {
  return cache.list(Pod, { controlledBy: job });
}

/** True when any of them was still there. */
async function letAllGo(pods: readonly Pod[], ports: JobPorts): Promise<boolean> {
  return (await Promise.all(pods.map((pod) => letGo(pod, ports)))).includes(true);
}

async function letGo(pod: Pod, { context, released }: JobPorts): Promise<boolean> {
  const change = { type: "updated", key: keyOf(pod) } as const;
  released.expect(change);
  try {
    return await releasePod(pod, context.client);
  } catch (error) {
    released.take(change);
    throw error;
  }
}

function isManagedElsewhere(job: Job): boolean {
  return (job.spec?.managedBy ?? "kubernetes.io/job-controller") !== "kubernetes.io/job-controller";
}

async function removePods(step: JobStep, { client, events }: ReconcileContext): Promise<void> {
  await Promise.all(
    step.remove.map(async (pod) => {
      if (step.removeUncounted) await releasePod(pod, client);
      try {
        await client.delete(Pod, pod);
      } catch (error) {
        if (isNotFound(error)) return;
        throw error;
      }
      events.normal("SuccessfulDelete", `Deleted pod: ${pod.metadata?.name}`);
    }),
  );
}

/** Creates what is missing; the first failure ends it, and is thrown only when the status has been written. */
async function createPods(
  job: Job,
  step: JobStep,
  { client, events }: ReconcileContext,
): Promise<{ readonly error: unknown } | undefined> {
  const wanted = [...step.create];
  try {
    await slowStart(wanted.length, async () => {
      const pod = await client.create(Pod, podForJob(job, wanted.shift() ?? {}));
      events.normal("SuccessfulCreate", `Created pod: ${pod.metadata?.name}`);
    });
  } catch (error) {
    events.warning("FailedCreate", `Error creating: ${error instanceof Error ? error.message : String(error)}`);
    return { error };
  }
  return undefined;
}

/** Events about what this step made of the Job. */
function tell(job: Job, status: JobStatus, { events }: ReconcileContext): void {
  const isNew = (type: string, state: "True" | "False"): boolean =>
    status.conditions?.some((each) => each.type === type && each.status === state) === true &&
    !job.status?.conditions?.some((each) => each.type === type && each.status === state);
  if (isNew("Complete", "True")) events.normal("Completed", "Job completed");
  if (isNew("Suspended", "True")) events.normal("Suspended", "Job suspended");
  if (isNew("Suspended", "False")) events.normal("Resumed", "Job resumed");
  if (!isNew("Failed", "True")) return;
  const failed = conditionTrue({ ...job, status }, "Failed");
  events.warning(failed?.reason ?? "Failed", failed?.message ?? "");
}
