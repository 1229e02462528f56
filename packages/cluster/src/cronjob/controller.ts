/** The CronJob controller: starts Jobs at their times and keeps some of their history. plan.ts decides. */
import { CronJob, Job } from "@kubewright/api/batch/v1";
import { isAlreadyExists, isNotFound } from "@kubewright/core/protocol";
import { after, type Controller, defineController, type ReconcileContext } from "@kubewright/runtime";
import { writeStatus } from "../workload/write-status.ts";
import { type CronJobStep, planCronJob, referenceTo } from "./plan.ts";
import { parseSchedule, type Schedule } from "./schedule.ts";

/** Keeps CronJobs. */
export const cronJobController: Controller<CronJob> = defineController<CronJob>({
  name: "cronjob-controller",
  for: CronJob,
  owns: [Job],
  async reconcile(cronJob, context) {
    const schedule = scheduleOf(cronJob, context);
    if (schedule === undefined) return undefined;
    const now = context.clock.now();
    const jobs = context.cache.list(Job, { controlledBy: cronJob });
    const step = planCronJob(cronJob, jobs, { schedule, now });
    for (const { type, reason, note } of step.notes) context.events[type](reason, note);
    await removeJobs(step.remove, context);
    const started = step.create === undefined ? undefined : await start(step.create, context);
    const active = started === undefined ? {} : { active: [...(step.status.active ?? []), referenceTo(started)] };
    await writeStatus(context.client, CronJob, cronJob, { ...step.status, ...active });
    return step.wakeAt === undefined ? undefined : after(step.wakeAt - now);
  },
});

/** A schedule that makes no sense is told once and waits for a change of the CronJob. */
function scheduleOf(cronJob: CronJob, { events }: ReconcileContext): Schedule | undefined {
  const { schedule = "", timeZone } = cronJob.spec ?? {};
  try {
    return parseSchedule(schedule, timeZone);
  } catch (error) {
    const note = `unparseable schedule: "${schedule}" : ${error instanceof Error ? error.message : String(error)}`;
    events.warning("UnparseableSchedule", note);
    return undefined;
  }
}

async function start(
  job: NonNullable<CronJobStep["create"]>,
  { client, events }: ReconcileContext,
): Promise<Job | undefined> {
  try {
    const created = await client.create(Job, job);
    events.normal("SuccessfulCreate", `Created job ${created.metadata?.name}`);
    return created;
  } catch (error) {
    if (isAlreadyExists(error)) return undefined;
    events.warning("FailedCreate", `Error creating job: ${error instanceof Error ? error.message : String(error)}`);
    throw error;
  }
}

async function removeJobs(jobs: readonly Job[], { client, events }: ReconcileContext): Promise<void> {
  for (const job of jobs) {
    try {
      await client.delete(Job, job, { propagationPolicy: "Background" });
    } catch (error) {
      if (isNotFound(error)) continue;
      throw error;
    }
    events.normal("SuccessfulDelete", `Deleted job ${job.metadata?.name}`);
  }
}
