import assert from "node:assert/strict";
import { test } from "node:test";
import {
  managerOf,
  startCluster,
  startProgramLife,
  type TestCluster,
  type TestClusterOptions,
} from "@kubewright/testing";
import { defineResource, findCondition, formatTime, isConditionTrue } from "kubewright";
import { Deployment } from "kubewright/apps/v1";
import { Event } from "kubewright/events/v1";
import { z } from "zod";
import { Hpa } from "../api/v1/hpa.ts";
import { hpaController } from "./hpa.ts";

const scaleTarget = { name: "web" };

async function startWithTarget(options?: TestClusterOptions): Promise<TestCluster> {
  const cluster = await startCluster({ ...options, controllers: [hpaController] });
  await createTarget(cluster);
  return cluster;
}

async function createTarget({ client }: TestCluster): Promise<void> {
  const labels = { app: "web" };
  const template = { metadata: { labels }, spec: { containers: [{ name: "web", image: "nginx:1.27" }] } };
  const spec = { replicas: 1, selector: { matchLabels: labels }, template };
  await client.create(Deployment, { metadata: { name: "web" }, spec });
}

async function replicas({ client }: TestCluster): Promise<number | undefined> {
  return (await client.get(Deployment, "web")).spec?.replicas;
}

test("the target is scaled at the next tick", async () => {
  await using cluster = await startWithTarget();
  const jobs = [{ name: "up", schedule: "*/1 * * * *", size: 3 }];
  await cluster.client.create(Hpa, { metadata: { name: "a" }, spec: { scaleTarget, jobs } });
  await cluster.eventually(async () => assert.equal(await replicas(cluster), 3));
});

test("the target is scaled at each tick, and scaling it by hand lasts until the next one", async () => {
  await using cluster = await startWithTarget({ provider: "embedded" });
  const jobs = [{ name: "up", schedule: "*/1 * * * *", size: 3 }];
  await cluster.client.create(Hpa, { metadata: { name: "a" }, spec: { scaleTarget, jobs } });
  await cluster.settled();
  assert.equal(await replicas(cluster), 1);
  await cluster.advance("1m");
  assert.equal(await replicas(cluster), 3);
  await cluster.client.patch(Deployment, "web", { merge: { spec: { replicas: 2 } } });
  await cluster.advance("59s");
  assert.equal(await replicas(cluster), 2);
  await cluster.advance("1s");
  assert.equal(await replicas(cluster), 3);
});

test("the status tells of each job when it ran, what came of it and when it runs next", async () => {
  await using cluster = await startWithTarget({ provider: "embedded" });
  const jobs = [
    { name: "up", schedule: "0 8 * * *", size: 10 },
    { name: "down", schedule: "0 20 * * *", size: 2 },
  ];
  await cluster.client.create(Hpa, { metadata: { name: "a" }, spec: { scaleTarget, jobs } });
  await cluster.advance("9h");
  const { status } = await cluster.client.get(Hpa, "a");
  assert.deepEqual(status?.jobs, [
    {
      name: "up",
      lastScheduleTime: "2026-01-01T08:00:00Z",
      lastResult: "Scaled",
      nextScheduleTime: "2026-01-02T08:00:00Z",
    },
    { name: "down", nextScheduleTime: "2026-01-01T20:00:00Z" },
  ]);
  assert.ok(isConditionTrue(status?.conditions, "Ready"));
});

test("of several jobs due together the last in the list wins, and an event says so", async () => {
  await using cluster = await startWithTarget({ provider: "embedded" });
  const jobs = [
    { name: "five", schedule: "*/5 * * * *", size: 5 },
    { name: "seven", schedule: "*/5 * * * *", size: 7 },
  ];
  await cluster.client.create(Hpa, { metadata: { name: "a" }, spec: { scaleTarget, jobs } });
  await cluster.advance("5m");
  assert.equal(await replicas(cluster), 7);
  const events = await cluster.client.list(Event);
  const collision = events.items.find(({ reason }) => reason === "JobsCollide");
  assert.equal(collision?.note, 'job "seven" wins over "five", due at the same time');
});

test("anything with a scale subresource is a target, custom resources included, and nothing else is", async () => {
  const Farm = defineResource({
    group: "example.com",
    version: "v1",
    kind: "Farm",
    spec: z.object({ cows: z.int32().default(1) }),
    status: z.object({ cows: z.int32().optional() }),
    scale: { specReplicas: ".spec.cows", statusReplicas: ".status.cows" },
  });
  await using cluster = await startCluster({ provider: "embedded", controllers: [hpaController], resources: [Farm] });
  await cluster.client.create(Farm, { metadata: { name: "web" }, spec: { cows: 1 } });
  const jobs = [{ name: "grow", schedule: "*/1 * * * *", size: 5 }];
  const farm = { apiVersion: "example.com/v1", kind: "Farm", name: "web" };
  await cluster.client.create(Hpa, { metadata: { name: "a" }, spec: { scaleTarget: farm, jobs } });
  const service = { apiVersion: "v1", kind: "Service", name: "web" };
  await cluster.client.create(Hpa, { metadata: { name: "b" }, spec: { scaleTarget: service, jobs } });
  await cluster.advance("1m");
  assert.equal((await cluster.client.get(Farm, "web")).spec.cows, 5);
  const degraded = findCondition((await cluster.client.get(Hpa, "b")).status?.conditions, "Degraded");
  assert.equal(degraded?.message, "Service in v1 has no scale subresource");
});

test("a target that does not exist shows in the status and is scaled once it is there", async () => {
  await using cluster = await startCluster({ provider: "embedded", controllers: [hpaController] });
  const jobs = [{ name: "up", schedule: "*/1 * * * *", size: 3 }];
  await cluster.client.create(Hpa, { metadata: { name: "a" }, spec: { scaleTarget, jobs } });
  await cluster.advance("1m");
  const failed = findCondition((await cluster.client.get(Hpa, "a")).status?.conditions, "Degraded");
  assert.equal(failed?.message, 'deployments.apps "web" not found');
  await createTarget(cluster);
  await cluster.advance("1m");
  assert.equal(await replicas(cluster), 3);
});

test("a schedule that is none is refused with what one looks like", async () => {
  await using cluster = await startWithTarget();
  const jobs = [{ name: "bad", schedule: "61 * * * *", size: 3 }];
  await assert.rejects(
    cluster.client.create(Hpa, { metadata: { name: "a" }, spec: { scaleTarget, jobs } }),
    /spec\.jobs\[0\]\.schedule: Invalid value: .*must be a cron schedule: minute \(0-59\)/,
  );
});

test("a zone that is none is shown and not retried, and healed by another spec", async () => {
  await using cluster = await startWithTarget({ provider: "embedded" });
  const jobs = [{ name: "far", schedule: "*/1 * * * *", size: 3, timeZone: "Moon/Base" }];
  await cluster.client.create(Hpa, { metadata: { name: "a" }, spec: { scaleTarget, jobs } });
  await cluster.advance("1h");
  const degraded = findCondition((await cluster.client.get(Hpa, "a")).status?.conditions, "Degraded");
  assert.deepEqual([degraded?.status, degraded?.reason], ["True", "InvalidSchedule"]);
  assert.match(degraded?.message ?? "", /job "far": .* in Moon\/Base is no cron schedule/);
  const healed = [{ ...jobs[0], timeZone: "Europe/Berlin" }];
  await cluster.client.patch(Hpa, "a", { merge: { spec: { jobs: healed } } });
  await cluster.advance("1m");
  assert.equal(await replicas(cluster), 3);
  assert.ok(isConditionTrue((await cluster.client.get(Hpa, "a")).status?.conditions, "Ready"));
});

test("a tick asks for the scale alone: the kind of the target is known after the first one", async () => {
  await using life = await startProgramLife(managerOf([hpaController]));
  const { cluster } = life;
  await createTarget(cluster);
  const jobs = [{ name: "up", schedule: "*/1 * * * *", size: 3 }];
  await cluster.client.create(Hpa, { metadata: { name: "a" }, spec: { scaleTarget, jobs } });
  await cluster.advance("5m");
  life.transport.requests.splice(0);
  await cluster.advance("1m");
  const asked = life.transport.requests.map((line) => line.replace(/\?.*/, "").replace(/ \/api.*\//, " "));
  assert.deepEqual(asked.toSorted(), ["GET scale", "PATCH status"]);
});

test("through a year each job of a day ticks at its local time, daylight saving included", async () => {
  // The size is all that counts here, so nothing runs pods: a year of them takes half a minute.
  await using cluster = await startCluster({
    provider: "embedded",
    controllers: [hpaController],
    clusterControllers: [],
  });
  await createTarget(cluster);
  const timeZone = "Europe/Berlin";
  const jobs = [
    { name: "morning", schedule: "0 8 * * *", size: 2, timeZone },
    { name: "evening", schedule: "0 20 * * *", size: 1, timeZone },
  ];
  await cluster.client.create(Hpa, { metadata: { name: "a" }, spec: { scaleTarget, jobs } });
  const summer = { from: Date.UTC(2026, 2, 29, 1), to: Date.UTC(2026, 9, 25, 1) };
  for (let half = 0; half < 2 * 365; half++) {
    await cluster.advance("12h");
    const [localHour, size] = half % 2 === 0 ? [8, 2] : [20, 1];
    const winterMs = Date.UTC(2026, 0, 1 + Math.floor(half / 2), localHour - 1);
    const expectedMs = winterMs >= summer.from && winterMs < summer.to ? winterMs - 3_600_000 : winterMs;
    const { status } = await cluster.client.get(Hpa, "a");
    assert.equal(status?.jobs?.[half % 2]?.lastScheduleTime, formatTime(expectedMs));
    assert.equal(await replicas(cluster), size, formatTime(expectedMs));
  }
});

/** The target and the status after twelve hours in which both jobs of the day fell due, and the operator was down. */
async function afterDowntime(more: { readonly startingDeadlineSeconds?: number }) {
  await using life = await startProgramLife(managerOf([hpaController]));
  const { cluster } = life;
  await createTarget(cluster);
  const jobs = [
    { name: "up", schedule: "0 8 * * *", size: 10 },
    { name: "down", schedule: "0 12 * * *", size: 2 },
  ];
  await cluster.client.create(Hpa, { metadata: { name: "a" }, spec: { scaleTarget, jobs, ...more } });
  await cluster.advance("1h");
  const before = await cluster.client.get(Deployment, "web");
  await life.downFor("12h");
  await life.settled();
  const { spec, metadata } = await cluster.client.get(Deployment, "web");
  const { status } = await cluster.client.get(Hpa, "a");
  const results = status?.jobs?.map(({ lastResult }) => lastResult);
  const changes = (metadata?.generation ?? 0) - (before.metadata?.generation ?? 0);
  return { replicas: spec?.replicas, changes, results };
}

test("after downtime only the latest missed tick counts", async () => {
  assert.deepEqual(await afterDowntime({}), { replicas: 2, changes: 1, results: ["Overruled", "Scaled"] });
});

test("a tick that was missed by more than the deadline is left out", async () => {
  const late = await afterDowntime({ startingDeadlineSeconds: 1800 });
  assert.deepEqual(late, { replicas: 1, changes: 0, results: ["Missed", "Missed"] });
  const inTime = await afterDowntime({ startingDeadlineSeconds: 7200 });
  assert.deepEqual(inTime, { replicas: 2, changes: 1, results: ["Missed", "Scaled"] });
});
