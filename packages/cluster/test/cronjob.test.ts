import assert from "node:assert/strict";
import { test } from "node:test";
import { CronJob, Job } from "@kubewright/api/batch/v1";
import { Event as CoreEvent, Pod } from "@kubewright/api/core/v1";
import { Event } from "@kubewright/api/events/v1";
import { formatTime } from "@kubewright/core/meta";
import { startCluster, type TestCluster } from "@kubewright/testing";

const MINUTE_MS = 60_000;

test("a day of a CronJob every 5 minutes starts exactly the right Jobs, keeps the history limits and can be repeated", async () => {
  await using cluster = await startCluster({ seed: 1 });
  const firstMs = cluster.clock.now() - (cluster.clock.now() % (5 * MINUTE_MS)) + 5 * MINUTE_MS;
  const { started, scheduled, trace } = await follow(cluster, { schedule: "*/5 * * * *" }, "24h");
  const due = Array.from({ length: 288 }, (_, run) => firstMs + 5 * run * MINUTE_MS);
  assert.deepEqual(
    started,
    due.map((time) => `tick-${time / MINUTE_MS}`),
  );
  assert.deepEqual(scheduled, due.map(formatTime));
  const jobs = (await cluster.client.list(Job)).items;
  assert.deepEqual(
    jobs.map(({ metadata }) => metadata?.name),
    started.slice(-3),
  );
  assert.equal((await cluster.client.list(Pod)).items.length, 3);

  await using again = await startCluster({ seed: 1 });
  const beginning = (await follow(again, { schedule: "*/5 * * * *" }, "2h")).trace;
  assert.ok(beginning.length >= 24 * 3, "each Job is created, started and completed");
  assert.deepEqual(beginning, trace.slice(0, beginning.length));
});

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
  /** Every change of every Job. Resource versions count all writes to the cluster, so it tells of those, too. */
  readonly trace: string[];
}

/** Creates the CronJob, passes time, and answers what became of it. */
async function follow(cluster: TestCluster, spec: object, duration: string): Promise<Followed> {
  const seen: Followed = { started: [], scheduled: [], trace: [] };
  const stop = new AbortController();
  const { resourceVersion } = (await cluster.client.list(Job)).metadata;
  const watching = (async () => {
    for await (const event of cluster.client.watch(Job, {
      resourceVersion,
      signal: stop.signal,
      timeoutSeconds: 86_400 * 2,
    })) {
      if (event.type === "BOOKMARK") continue;
      seen.trace.push(`${event.type} ${JSON.stringify(event.object)}`);
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

test("another seed gives another trace", async () => {
  const trace = async (seed: number): Promise<readonly string[]> => {
    await using cluster = await startCluster({ seed });
    return (await follow(cluster, { schedule: "*/5 * * * *" }, "20m")).trace;
  };
  assert.notDeepEqual(await trace(1), await trace(2));
});

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
