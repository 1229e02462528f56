/**
 * A CronJob every 5 minutes, passed in virtual time, for cronjob.test.ts, which runs it in a process of its own: the test runner follows
 * every promise, which takes longer than a week.
 */
import { createHash } from "node:crypto";
import { CronJob, Job } from "@kubewright/api/batch/v1";
import { Pod } from "@kubewright/api/core/v1";
import type { Client } from "@kubewright/runtime";
import { startCluster } from "@kubewright/testing";

/** What was seen. */
export interface Seen {
  /** When it began, in milliseconds since the epoch. */
  readonly beganAt: number;
  /** The Jobs that were started, and the times that they were due. */
  readonly started: readonly (readonly [name: string, due: string])[];
  /** After each quarter of a day: the Jobs that were there, how many pods, and a digest of all changes of Jobs until then. */
  readonly quarters: readonly { readonly jobs: readonly string[]; readonly pods: number; readonly trace: string }[];
}

/** What is seen of it in so many quarters of a day. */
export async function passQuarters(seed: number, count: number): Promise<Seen> {
  await using cluster = await startCluster({ seed });
  const { client, clock } = cluster;
  const beganAt = clock.now();
  const watch = await watchJobs(client);
  const template = { spec: { restartPolicy: "Never", containers: [{ name: "work", image: "work" }] } } as const;
  const spec = { schedule: "*/5 * * * *", jobTemplate: { spec: { template } } };
  await client.create(CronJob, { metadata: { name: "tick" }, spec });
  const quarters: Array<Seen["quarters"][number]> = [];
  while (quarters.length < count) {
    await cluster.advance("6h");
    const jobs = (await client.list(Job)).items.map(({ metadata }) => metadata?.name ?? "");
    quarters.push({ jobs, pods: (await client.list(Pod)).items.length, trace: watch.digest() });
  }
  await watch.stop();
  return { beganAt, started: watch.started, quarters };
}

/** Follows all changes of Jobs. Their resource versions count all writes to the cluster, so the digest tells of those, too. */
async function watchJobs(client: Client) {
  const started: Array<readonly [name: string, due: string]> = [];
  const trace = createHash("sha256");
  const stop = new AbortController();
  const { resourceVersion } = (await client.list(Job)).metadata;
  const options = { resourceVersion, signal: stop.signal, timeoutSeconds: 86_400 * 8, dropsManagedFields: true };
  const watching = (async () => {
    for await (const event of client.watch(Job, options)) {
      if (event.type === "BOOKMARK") continue;
      trace.update(`${event.type} ${JSON.stringify(event.object)}\n`);
      if (event.type !== "ADDED") continue;
      const { name = "", annotations = {} } = event.object.metadata ?? {};
      started.push([name, annotations["batch.kubernetes.io/cronjob-scheduled-timestamp"] ?? ""]);
    }
  })();
  return {
    started,
    digest: () => trace.copy().digest("hex"),
    async stop(): Promise<void> {
      stop.abort();
      await watching.catch(() => {});
    },
  };
}
