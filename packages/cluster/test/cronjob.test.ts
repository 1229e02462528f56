import assert from "node:assert/strict";
import { test } from "node:test";
import { CronJob, Job } from "@kubewright/api/batch/v1";
import { Pod } from "@kubewright/api/core/v1";
import { startCluster, type TestCluster } from "@kubewright/testing";

const MINUTE_MS = 60_000;

test("hours of a CronJob every 5 minutes starts exactly the right Jobs and keeps the history limits", async () => {
  await using cluster = await startCluster();
  const started = await follow(cluster, { schedule: "*/5 * * * *" }, "4h");
  const first = cluster.clock.now() / MINUTE_MS - 4 * 60 + 5;
  assert.deepEqual(
    started,
    Array.from({ length: 48 }, (_, run) => `tick-${first + 5 * run}`),
  );
  const jobs = (await cluster.client.list(Job)).items;
  assert.deepEqual(
    jobs.map(({ metadata }) => metadata?.name),
    started.slice(-3),
  );
  assert.equal((await cluster.client.list(Pod)).items.length, 3);
});

test("Forbid waits for the running Job, Replace ends it, Allow runs beside it", async () => {
  const active = async (concurrencyPolicy: string): Promise<readonly [number, number]> => {
    await using cluster = await startCluster({ scripts: [{ image: "work", runsFor: "10m" }] });
    const started = await follow(cluster, { schedule: "*/4 * * * *", concurrencyPolicy }, "9m");
    return [started.length, (await cluster.client.get(CronJob, "tick")).status?.active?.length ?? 0];
  };
  assert.deepEqual(await active("Forbid"), [1, 1]);
  assert.deepEqual(await active("Replace"), [2, 1]);
  assert.deepEqual(await active("Allow"), [2, 2]);
});

test("a suspended CronJob starts nothing, and what it missed runs once when it is resumed", async () => {
  await using cluster = await startCluster();
  const started = await follow(cluster, { schedule: "*/5 * * * *", suspend: true }, "1h");
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

/** Creates the CronJob, passes time, and answers the names of the Jobs that were started. */
async function follow(cluster: TestCluster, spec: object, duration: string): Promise<string[]> {
  const started: string[] = [];
  const stop = new AbortController();
  const { resourceVersion } = (await cluster.client.list(Job)).metadata;
  const watching = (async () => {
    for await (const event of cluster.client.watch(Job, {
      resourceVersion,
      signal: stop.signal,
      timeoutSeconds: 86_400 * 2,
    })) {
      if (event.type === "ADDED") started.push(event.object.metadata?.name ?? "");
    }
  })();
  const template = { spec: { restartPolicy: "Never", containers: [{ name: "work", image: "work" }] } } as const;
  const jobTemplate = { spec: { backoffLimit: 0, template } };
  await cluster.client.create(CronJob, { metadata: { name: "tick" }, spec: { ...spec, jobTemplate } as never });
  await cluster.advance(duration as "1h");
  stop.abort();
  await watching.catch(() => {});
  return started;
}

test("the same seed gives the same trace, another seed another one", async () => {
  const trace = async (seed: number): Promise<string[]> => {
    await using cluster = await startCluster({ seed });
    const seen: string[] = [];
    const stop = new AbortController();
    const watching = (async () => {
      const { resourceVersion } = (await cluster.client.list(Pod)).metadata;
      for await (const event of cluster.client.watch(Pod, { resourceVersion, signal: stop.signal })) {
        if (event.type !== "BOOKMARK") seen.push(`${event.type} ${JSON.stringify(event.object)}`);
      }
    })();
    await follow(cluster, { schedule: "*/5 * * * *" }, "20m");
    stop.abort();
    await watching.catch(() => {});
    return seen;
  };
  const first = await trace(1);
  assert.ok(first.length >= 4 * 3, "each pod is created, bound and told to have ended");
  assert.deepEqual(await trace(1), first);
  assert.notDeepEqual(await trace(2), first);
});
