/** When a Job tries again: each time after twice the wait, up to ten minutes. Times are virtual, so they are exact. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { Job } from "@kubewright/api/batch/v1";
import { Pod } from "@kubewright/api/core/v1";
import { startCluster } from "@kubewright/testing";

test("a Job whose pods fail waits ten seconds, then twice as long each time, and gives up at its limit", async () => {
  await using cluster = await startCluster({ scripts: [{ image: "work", exitCode: 1 }] });
  const { client, clock } = cluster;
  const template = { spec: { restartPolicy: "Never" as const, containers: [{ name: "work", image: "work" }] } };
  const startMs = clock.now();
  await client.create(Job, { metadata: { name: "work" }, spec: { backoffLimit: 8, template } });
  await cluster.advance("2h");
  const created = (await client.list(Pod)).items.map(({ metadata }) => Date.parse(metadata?.creationTimestamp ?? ""));
  const seconds = created.toSorted((left, right) => left - right).map((time) => (time - startMs) / 1000);
  const waits = seconds.slice(1).map((time, index) => time - (seconds[index] ?? 0));
  assert.deepEqual(waits, [10, 20, 40, 80, 160, 320, 600, 600]);
  const { status } = await client.get(Job, "work");
  assert.deepEqual(
    status?.conditions?.map(({ type, reason, message }) => [type, reason, message]),
    ["FailureTarget", "Failed"].map((type) => [
      type,
      "BackoffLimitExceeded",
      "Job has reached the specified backoff limit",
    ]),
  );
  assert.equal(status?.failed, 9);
});
