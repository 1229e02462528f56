/** How the end of a pod is counted: no step before the one that makes it safe. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { Job } from "@kubewright/api/batch/v1";
import { Pod } from "@kubewright/api/core/v1";
import type { KubernetesObject } from "@kubewright/core/meta";
import { startCluster } from "@kubewright/testing";

test("the end of a pod is noted in the status, then the pod is let go, then it is counted and the Job is complete", async () => {
  await using cluster = await startCluster({ scripts: [{ image: "work", runsFor: "1m" }] });
  const { client } = cluster;
  const stop = new AbortController();
  const seen = new Map<number, string>();
  const note = ({ metadata }: KubernetesObject, step: string) => seen.set(Number(metadata?.resourceVersion), step);
  const followJobs = async (): Promise<void> => {
    for await (const event of client.watch(Job, { signal: stop.signal })) {
      if (event.type === "BOOKMARK") continue;
      const { conditions = [], succeeded = 0, uncountedTerminatedPods } = event.object.status ?? {};
      const noted = uncountedTerminatedPods?.succeeded?.length ?? 0;
      note(event.object, `Job: noted ${noted}, counted ${succeeded} ${conditions.map(({ type }) => type).join()}`);
    }
  };
  const followPods = async (): Promise<void> => {
    for await (const event of client.watch(Pod, { signal: stop.signal })) {
      if (event.type === "BOOKMARK") continue;
      const { metadata, status } = event.object;
      note(event.object, `Pod: ${status?.phase}, finalizers ${metadata?.finalizers?.length ?? 0}`);
    }
  };
  const followed = [followJobs(), followPods()];
  const template = { spec: { restartPolicy: "Never" as const, containers: [{ name: "work", image: "work" }] } };
  await client.create(Job, { metadata: { name: "work" }, spec: { template } });
  await cluster.advance("2m");
  stop.abort();
  await Promise.allSettled(followed);
  const steps = [...seen].sort(([left], [right]) => left - right).map(([, step]) => step);
  assert.deepEqual(steps.slice(-4), [
    "Pod: Succeeded, finalizers 1",
    "Job: noted 1, counted 0 SuccessCriteriaMet",
    "Pod: Succeeded, finalizers 0",
    "Job: noted 0, counted 1 SuccessCriteriaMet,Complete",
  ]);
});
