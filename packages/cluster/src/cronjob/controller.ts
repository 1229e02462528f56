/** The CronJob controller: starts Jobs at their times and keeps some of their history. plan.ts decides. */
import { CronJob, Job } from "@kubewright/api/batch/v1";
import { isAlreadyExists, isNotFound } from "@kubewright/core/protocol";
import {
  after,
  type Controller,
  defineController,
  type InformerEvent,
  keyOf,
  type Outcome,
  type ReconcileContext,
  watch,
} from "@kubewright/runtime";
import { isJobFinished } from "../job/plan.ts";
import { controllerKeys } from "../workload/controller-keys.ts";
import { ExpectedChanges } from "../workload/expected-changes.ts";
import { writeStatus } from "../workload/write-status.ts";
import { type CronJobStep, planCronJob, referenceTo } from "./plan.ts";
import { parseSchedule, type Schedule } from "./schedule.ts";

/** How many schedules are kept read. */
const SCHEDULES_MAX = 1000;

/** Keeps CronJobs. */
export function createCronJobController(): Controller<CronJob> {
  const memory: Memory = { schedules: new Map(), expected: new ExpectedChanges() };
  return defineController<CronJob>({
    name: "cronjob-controller",
    for: CronJob,
    skipsOwnWrites: true,
    watches: [
      watch(Job, {
        map: (job) => controllerKeys(job, "CronJob"),
        predicate: (event) => isEndOrBeginning(event) && !memory.expected.take(event),
      }),
    ],
    reconcile: (cronJob, context) => reconcile(cronJob, memory, context),
  });
}

/** What the controller remembers. */
interface Memory {
  /** By CronJob, as they were read. */
  readonly schedules: Map<string, Schedule>;
  /** Beginnings and ends of Jobs that it causes itself: it knows of them when they are told. */
  readonly expected: ExpectedChanges;
}

/** Of what happens to its Jobs only their beginning and their end concern a CronJob. */
function isEndOrBeginning({ type, object, previous }: InformerEvent<Job>): boolean {
  return type !== "updated" || previous === undefined || isJobFinished(object) !== isJobFinished(previous);
}

async function reconcile(cronJob: CronJob, memory: Memory, context: ReconcileContext): Promise<Outcome> {
  const schedule = scheduleOf(cronJob, memory.schedules, context);
  if (schedule === undefined) return undefined;
  const now = context.clock.now();
  const jobs = context.cache.list(Job, { controlledBy: cronJob });
  const step = planCronJob(cronJob, jobs, { schedule, now });
  for (const { type, reason, note } of step.notes) context.events[type](reason, note);
  await removeJobs(step.remove, memory, context);
  const started = step.create === undefined ? undefined : await start(step.create, memory, context);
  const active = started === undefined ? {} : { active: [...(step.status.active ?? []), referenceTo(started)] };
  await writeStatus(context.client, CronJob, cronJob, { ...step.status, ...active });
  return step.wakeAt === undefined ? undefined : after(step.wakeAt - now);
}

/** A schedule that makes no sense is told once and waits for a change of the CronJob. */
function scheduleOf(
  cronJob: CronJob,
  schedules: Map<string, Schedule>,
  { events }: ReconcileContext,
): Schedule | undefined {
  const { schedule = "", timeZone } = cronJob.spec ?? {};
  const key = `${cronJob.metadata?.uid} ${schedule} ${timeZone}`;
  const known = schedules.get(key);
  if (known !== undefined) return known;
  try {
    const parsed = parseSchedule(schedule, timeZone);
    if (schedules.size >= SCHEDULES_MAX) schedules.clear();
    schedules.set(key, parsed);
    return parsed;
  } catch (error) {
    const note = `unparseable schedule: "${schedule}" : ${error instanceof Error ? error.message : String(error)}`;
    events.warning("UnparseableSchedule", note);
    return undefined;
  }
}

async function start(
  job: NonNullable<CronJobStep["create"]>,
  { expected }: Memory,
  { client, events }: ReconcileContext,
): Promise<Job | undefined> {
  const beginning = { type: "added", key: keyOf(job) } as const;
  expected.expect(beginning);
  try {
    const created = await client.create(Job, job);
    events.normal("SuccessfulCreate", `Created job ${created.metadata?.name}`);
    return created;
  } catch (error) {
    expected.take(beginning);
    if (isAlreadyExists(error)) return undefined;
    events.warning("FailedCreate", `Error creating job: ${error instanceof Error ? error.message : String(error)}`);
    throw error;
  }
}

async function removeJobs(
  jobs: readonly Job[],
  { expected }: Memory,
  { client, events }: ReconcileContext,
): Promise<void> {
  for (const job of jobs) {
    const end = { type: "deleted", key: keyOf(job) } as const;
    expected.expect(end);
    try {
      await client.delete(Job, job, { propagationPolicy: "Background" });
    } catch (error) {
      expected.take(end);
      if (isNotFound(error)) continue;
      throw error;
    }
    events.normal("SuccessfulDelete", `Deleted job ${job.metadata?.name}`);
  }
}
