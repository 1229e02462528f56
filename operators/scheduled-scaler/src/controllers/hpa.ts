/** Scales the target of each Hpa at its times, through the scale subresource, and reports what came of it. */
import {
  after,
  defineController,
  formatTime,
  parseTime,
  type ReconcileContext,
  readyConditions,
  SCALE_PERMISSION,
  scaleTo,
  terminal,
  writeStatus,
} from "kubewright";
import { type Tick, type Timetable, timetable } from "kubewright/cron";
import { Hpa } from "../api/v1/hpa.ts";

type Job = Hpa["spec"]["jobs"][number];

const SCHEDULED = { reason: "Scheduled", message: "the schedules are followed" };

/** The controller of Hpa. */
export const hpaController = defineController({
  for: Hpa,
  permissions: [SCALE_PERMISSION],
  async reconcile(hpa, context) {
    const nowMs = context.clock.now();
    const table = await readTimetable(hpa, nowMs, context);
    const winner = table.due.findLast(({ isLate }) => !isLate);
    const failure = winner && (await scaleFor(hpa, winner, table.due, context));
    const jobs = hpa.spec.jobs.map((job) => jobStatus(hpa, job, table, { winner, failure }));
    const problem = failure && { reason: "ScaleFailed", message: failure.message };
    await writeStatus(Hpa, hpa, { jobs, conditions: readyConditions(SCHEDULED, problem) }, context);
    if (failure !== undefined) throw failure;
    return table.nextMs === undefined ? undefined : after(table.nextMs - nowMs);
  },
});

/** A schedule that is none shows in the status and waits for another spec. */
async function readTimetable(hpa: Hpa, nowMs: number, context: ReconcileContext): Promise<Timetable<Job>> {
  const { jobs, startingDeadlineSeconds: deadlineSeconds } = hpa.spec;
  try {
    return timetable(jobs, { nowMs, sinceMs: (job) => dealtWithMs(hpa, job), deadlineSeconds });
  } catch (error) {
    const problem = { reason: "InvalidSchedule", message: error instanceof Error ? error.message : String(error) };
    const status = { jobs: hpa.status?.jobs ?? [], conditions: readyConditions(SCHEDULED, problem) };
    await writeStatus(Hpa, hpa, status, context);
    throw terminal(error);
  }
}

/** Ticks up to this time are dealt with: the last one that was, and none from before the Hpa was made. */
function dealtWithMs({ status, metadata }: Hpa, { name }: Job): number {
  const last = status?.jobs?.find((job) => job.name === name)?.lastScheduleTime ?? metadata.creationTimestamp;
  return last === undefined ? 0 : parseTime(last);
}

/** Brings the target to the size of the tick that counts; answers with what went wrong. */
async function scaleFor(
  hpa: Hpa,
  { job: { name, size }, atMs }: Tick<Job>,
  due: readonly Tick<Job>[],
  context: ReconcileContext,
): Promise<Error | undefined> {
  const passed = due.filter((tick) => tick.atMs === atMs && tick.job.name !== name).map(({ job }) => `"${job.name}"`);
  if (passed.length > 0)
    context.events.warning("JobsCollide", `job "${name}" wins over ${passed.join(", ")}, due at the same time`);
  try {
    await scaleTo(hpa.spec.scaleTarget, size, context);
    context.events.normal("Scaled", `job "${name}": ${hpa.spec.scaleTarget.name} has ${size} replicas`);
    return undefined;
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}

/** A tick that failed is not dealt with: it is tried again until the next one. */
function jobStatus(
  { status }: Hpa,
  { name }: Job,
  { due, next }: Timetable<Job>,
  { winner, failure }: { readonly winner: Tick<Job> | undefined; readonly failure: Error | undefined },
) {
  const { nextScheduleTime: _, ...before } = status?.jobs?.find((job) => job.name === name) ?? {};
  const tick = due.find(({ job }) => job.name === name);
  const nextMs = next.get(name);
  const result = tick?.isLate ? "Missed" : tick === winner ? "Scaled" : "Overruled";
  return {
    ...before,
    name,
    ...(tick && failure && { lastResult: `Failed: ${failure.message}` }),
    ...(tick && !failure && { lastScheduleTime: formatTime(tick.atMs), lastResult: result }),
    ...(nextMs !== undefined && { nextScheduleTime: formatTime(nextMs) }),
  };
}
