import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { join } from "node:path";
import { test } from "node:test";
import { promisify } from "node:util";
import { CronJob, Job } from "@kubewright/api/batch/v1";
import { Event as CoreEvent, Pod } from "@kubewright/api/core/v1";
import { Event } from "@kubewright/api/events/v1";
import { formatTime } from "@kubewright/core/meta";
import { startCluster, type TestCluster } from "@kubewright/testing";
import type { Seen } from "./programs/cronjob-week.ts";

const MINUTE_MS = 60_000;

test("a week of a CronJob every 5 minutes starts exactly the right Jobs, keeps the history limits and can be repeated", async () => {
  const [week, day, other] = await Promise.all([seenIn(1, 28), seenIn(1, 4), seenIn(2, 1)]);
  const firstMs = week.beganAt - (week.beganAt % (5 * MINUTE_MS)) + 5 * MINUTE_MS;
  const due = Array.from({ length: 7 * 288 }, (_, run) => firstMs + 5 * run * MINUTE_MS);
  const names = due.map((time) => `tick-${time / MINUTE_MS}`);
  assert.deepEqual(
    week.started,
    due.map((time, run) => [names[run], formatTime(time)]),
  );
  for (const [quarter, { jobs, pods }] of week.quarters.entries()) {
    const runs = 72 * (quarter + 1);
    assert.deepEqual({ jobs, pods }, { jobs: names.slice(runs - 3, runs), pods: 3 });
  }
  assert.deepEqual(day.quarters, week.quarters.slice(0, 4));
  assert.notEqual(other.quarters[0]?.trace, week.quarters[0]?.trace);
});

/** What a process of its own sees of such a CronJob in so many quarters of a day. */
async function seenIn(seed: number, quarters: number): Promise<Seen> {
  const file = JSON.stringify(join(import.meta.dirname, "programs/cronjob-week.ts"));
  const program = `const { passQuarters } = await import(${file});
    console.log(JSON.stringify(await passQuarters(${seed}, ${quarters})));`;
  const { stdout } = await promisify(execFile)(process.execPath, ["--input-type=module", "--eval", program]);
  return JSON.parse(stdout) as Seen;
}

test("Forbid waits for the running Job, Replace ends it, Allow runs beside it", async () => {
  const active = async (concurrencyPolicy: string): Promise<readonly [number, number]> => {
    await using cluster = await startCluster({ scripts: [{ image: "work", runsFor: "10m" }] });
    const { started } = await follow(cluster, { schedule: "*/4 * * * *", concurrencyPolicy }, "9m");
    return [started.length, (await cluster.client.get(CronJob, "tick")).status?.active?.length ?? 0];
  };
  assert.deepEqual(await active("Forbid"), [1, 1]);
  assert.deepEqual(await active("Replace"), [2, 1]);
  assert.deepEqual(await active("Allow"), [2, 2]);
});

test("a suspended CronJob starts nothing, and what it missed runs once when it is resumed", async () => {
  await using cluster = await startCluster();
  const { started } = await follow(cluster, { schedule: "*/5 * * * *", suspend: true }, "1h");
  assert.deepEqual(started, []);
  await cluster.client.patch(CronJob, "tick", { merge: { spec: { suspend: false } } });
  await cluster.settled();
  assert.equal((await cluster.client.list(Job)).items.length, 1);
});

test("failed Jobs are kept up to their own limit", async () => {
  await using cluster = await startCluster({ scripts: [{ image: "work", exitCode: 1 }] });
  await follow(cluster, { schedule: "*/5 * * * *", failedJobsHistoryLimit: 2 }, "2h");
  const jobs = (await cluster.client.list(Job)).items;
  const failed = jobs.filter(({ status }) => status?.conditions?.some(({ type }) => type === "Failed"));
  assert.equal(failed.length, 2);
});

/** What was seen of the Jobs of a CronJob. */
interface Followed {
  /** Names of the Jobs that were started. */
  readonly started: string[];
  /** The times that they were due. */
  readonly scheduled: string[];
}

/** Creates the CronJob, passes time, and answers what became of it. */
async function follow(cluster: TestCluster, spec: object, duration: string): Promise<Followed> {
  const seen: Followed = { started: [], scheduled: [] };
  const stop = new AbortController();
  const { resourceVersion } = (await cluster.client.list(Job)).metadata;
  const watching = (async () => {
    for await (const event of cluster.client.watch(Job, {
      resourceVersion,
      signal: stop.signal,
      timeoutSeconds: 86_400 * 2,
    })) {
      if (event.type !== "ADDED") continue;
      const { name = "", annotations = {} } = event.object.metadata ?? {};
      seen.started.push(name);
      seen.scheduled.push(annotations["batch.kubernetes.io/cronjob-scheduled-timestamp"] ?? "");
    }
  })();
  const template = { spec: { restartPolicy: "Never", containers: [{ name: "work", image: "work" }] } } as const;
  const jobTemplate = { spec: { backoffLimit: 0, template } };
  await cluster.client.create(CronJob, { metadata: { name: "tick" }, spec: { ...spec, jobTemplate } as never });
  await cluster.advance(duration as "1h");
  stop.abort();
  await watching.catch(() => {});
  return seen;
}

test("a run that could not start in its time is left out, with a word about it, and the next one starts", async () => {
  await using cluster = await startCluster();
  const spec = { schedule: "0 * * * *", startingDeadlineSeconds: 60, suspend: true };
  await follow(cluster, spec, "90m");
  await cluster.client.patch(CronJob, "tick", { merge: { spec: { suspend: false } } });
  await cluster.settled();
  assert.deepEqual((await cluster.client.list(Job)).items, []);
  await cluster.advance("30m");
  assert.equal((await cluster.client.list(Job)).items.length, 1);
});

test("runs are at their times in the zone that the CronJob names", async () => {
  await using cluster = await startCluster({ startMs: Date.UTC(2026, 6, 1) });
  const { scheduled } = await follow(cluster, { schedule: "30 6 * * *", timeZone: "Asia/Kolkata" }, "48h");
  assert.deepEqual(scheduled, ["2026-07-01T01:00:00Z", "2026-07-02T01:00:00Z"]);
});

test("of more than a hundred missed runs the newest starts, and a warning says how many there were", async () => {
  await using cluster = await startCluster();
  await follow(cluster, { schedule: "* * * * *", suspend: true }, "3h");
  await cluster.client.patch(CronJob, "tick", { merge: { spec: { suspend: false } } });
  await cluster.settled();
  assert.equal((await cluster.client.list(Job)).items.length, 1);
  const events = (await cluster.client.list(Event)).items.filter(({ reason }) => reason === "TooManyMissedTimes");
  assert.equal(events.length, 1);
  assert.deepEqual([events[0]?.type, events[0]?.reportingController], ["Warning", "cronjob-controller"]);
});

test("events of a CronJob become one event that counts, as client-go's correlator has it", async () => {
  await using cluster = await startCluster();
  await follow(cluster, { schedule: "*/5 * * * *" }, "2h");
  const events = (await cluster.client.list(CoreEvent)).items.filter(
    ({ involvedObject, reason }) => involvedObject.kind === "CronJob" && reason === "SuccessfulCreate",
  );
  const combined = events.filter(({ message }) => message?.startsWith("(combined from similar events): Created job"));
  assert.equal(combined.length, 1);
  const [event] = combined;
  // Of 24 Jobs the tenth began it; some are told by nobody, for a source gets no more than 25 events through at once.
  assert.ok((event?.count ?? 0) > 10 && (event?.count ?? 0) <= 15, `count is ${event?.count}`);
  assert.deepEqual(event?.source, { component: "cronjob-controller" });
  assert.ok((event?.firstTimestamp ?? "") < (event?.lastTimestamp ?? ""));
});

test("a Job is deleted with its pods when its time after the end is over, not before", async () => {
  await using cluster = await startCluster();
  const template = { spec: { restartPolicy: "Never", containers: [{ name: "work", image: "work" }] } } as const;
  await cluster.client.create(Job, { metadata: { name: "work" }, spec: { ttlSecondsAfterFinished: 100, template } });
  await cluster.advance("99s");
  assert.notEqual(await cluster.client.find(Job, "work"), undefined);
  await cluster.advance("2s");
  assert.equal(await cluster.client.find(Job, "work"), undefined);
  assert.deepEqual((await cluster.client.list(Pod)).items, []);
});
