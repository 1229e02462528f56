/** Scales the target of each Hpa at its times, through the scale subresource, and reports what came of it. */
import {
  after,
  createDiscovery,
  defineController,
  formatTime,
  parseTime,
  type ReconcileContext,
  terminal,
  writeStatus,
} from "kubewright";
import { Hpa } from "../api/v1/hpa.ts";
import { dueTicks, nextTick, scheduleProblem, type Tick } from "../schedule.ts";

type JobStatus = NonNullable<NonNullable<Hpa["status"]>["jobs"]>[number];

/** The controller of Hpa. */
export const hpaController = defineController({
  for: Hpa,
  permissions: [{ groups: ["*"], resources: ["*/scale"], verbs: ["get", "patch"] }],
  async reconcile(hpa, context) {
    const now = context.clock.now();
    const problem = scheduleProblem(hpa.spec.jobs);
    if (problem !== undefined) {
      await report(hpa, hpa.status?.jobs ?? [], context, { reason: "InvalidSchedule", message: problem });
      throw terminal(new Error(problem));
    }
    const ticks = dueTicks(hpa.spec.jobs, (job) => dealtWith(hpa, job.name), now);
    const failure = await scaleFor(hpa, ticks, context);
    const jobs = hpa.spec.jobs.map((job) => jobStatus(hpa, job, { ticks, failure, now }));
    await report(hpa, jobs, context, failure && { reason: "ScaleFailed", message: failure.message });
    if (failure !== undefined) throw failure;
    const next = Math.min(...hpa.spec.jobs.map((job) => nextTick(job, now) ?? Number.POSITIVE_INFINITY));
    return Number.isFinite(next) ? after(next - now) : undefined;
  },
});

/** Ticks up to this time are dealt with: the last one that was, and none from before the Hpa was made. */
function dealtWith(hpa: Hpa, job: string): number {
  const last = hpa.status?.jobs?.find(({ name }) => name === job)?.lastScheduleTime;
  return parseTime(last ?? hpa.metadata.creationTimestamp ?? formatTime(0));
}

/** Brings the target to the size of the tick that counts; answers with what went wrong. */
async function scaleFor(hpa: Hpa, ticks: readonly Tick[], context: ReconcileContext): Promise<Error | undefined> {
  const tick = ticks.findLast(({ at }) => !isTooLate(hpa, at, context.clock.now()));
  if (tick === undefined) return undefined;
  const passed = ticks.filter(({ at, job }) => at === tick.at && job !== tick.job).map(({ job }) => `"${job.name}"`);
  if (passed.length > 0) {
    context.events.warning(
      "JobsCollide",
      `job "${tick.job.name}" wins over ${passed.join(", ")}, due at the same time`,
    );
  }
  try {
    await scale(hpa, tick.job.size, context);
    context.events.normal(
      "Scaled",
      `job "${tick.job.name}": ${hpa.spec.scaleTarget.name} has ${tick.job.size} replicas`,
    );
    return undefined;
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}

/** Writes only when the size differs. */
async function scale(hpa: Hpa, size: number, { client }: ReconcileContext): Promise<void> {
  const { apiVersion, kind, name } = hpa.spec.scaleTarget;
  const [group, version] = apiVersion.includes("/") ? apiVersion.split("/") : ["", apiVersion];
  const target = await createDiscovery(client).find({ group: group ?? "", version: version ?? "", kind });
  if (target === undefined) throw new Error(`the cluster has no ${kind} in ${apiVersion}`);
  const subresource = client.subresource<{ readonly spec?: { readonly replicas?: number } }>(target, "scale");
  const current = await subresource.get(name);
  if ((current.spec?.replicas ?? 0) === size) return;
  await subresource.patch(name, { merge: { spec: { replicas: size } } });
}

function isTooLate(hpa: Hpa, at: number, now: number): boolean {
  const deadline = hpa.spec.startingDeadlineSeconds;
  return deadline !== undefined && now - at > deadline * 1000;
}

interface Round {
  readonly ticks: readonly Tick[];
  readonly failure: Error | undefined;
  readonly now: number;
}

function jobStatus(hpa: Hpa, job: Hpa["spec"]["jobs"][number], { ticks, failure, now }: Round): JobStatus {
  const before = hpa.status?.jobs?.find(({ name }) => name === job.name);
  const tick = ticks.find((each) => each.job === job);
  const next = nextTick(job, now);
  const nextScheduleTime = next === undefined ? {} : { nextScheduleTime: formatTime(next) };
  if (tick === undefined) return { ...before, name: job.name, ...nextScheduleTime };
  if (failure !== undefined)
    return { ...before, name: job.name, lastResult: `Failed: ${failure.message}`, ...nextScheduleTime };
  const lastResult = resultOf(hpa, tick, ticks, now);
  return { name: job.name, lastScheduleTime: formatTime(tick.at), lastResult, ...nextScheduleTime };
}

function resultOf(hpa: Hpa, tick: Tick, ticks: readonly Tick[], now: number): string {
  if (isTooLate(hpa, tick.at, now)) return "Missed";
  return tick === ticks.at(-1) ? "Scaled" : "Overruled";
}

/** Ready unless something is wrong; there is nothing to wait for in between. */
async function report(
  hpa: Hpa,
  jobs: readonly JobStatus[],
  context: ReconcileContext,
  problem: { readonly reason: string; readonly message: string } | undefined,
): Promise<void> {
  const message = problem?.message ?? "the schedules are followed";
  const conditions = [
    { type: "Ready", status: problem ? "False" : "True", reason: problem?.reason ?? "Scheduled", message },
    { type: "Progressing", status: "False", reason: "Scheduled", message: "waiting for the next tick" },
    { type: "Degraded", status: problem ? "True" : "False", reason: problem?.reason ?? "AsExpected", message },
  ] as const;
  await writeStatus(Hpa, hpa, { jobs: [...jobs], conditions }, context);
}
