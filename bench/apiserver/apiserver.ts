/**
 * The embedded API server beside kube-apiserver with etcd: start, writes, reads, lists, watches and memory, over TLS, with the
 * same clients (load.ts) in the same run.
 */
import { spawn } from "node:child_process";
import { join } from "node:path";
import type { Benchmark, BenchmarkPromise, Extent, Sample, Variant } from "../benchmark.ts";
import { median } from "../benchmark.ts";
import type { Job, LoadOrder, LoadResult } from "./load.ts";
import { residentBytes } from "./process-usage.ts";
import { inProcessStartMs, prepareServers, type RunningServer, startEmbedded, startReal } from "./servers.ts";

const OURS = "embedded";
const PEER = "kube-apiserver+etcd";
const MEGABYTE = 2 ** 20;
const CLIENTS = 16;
/** Whole lists are tens of megabytes: so many clients at once take them as fast as the server gives them. */
const LIST_CLIENTS = 4;
/** Garbage of the writes may go before memory is read, on both sides. */
const MEMORY_SETTLE_MS = 10_000;

interface Counts {
  /** Objects of each kind. */
  readonly objects: number;
  readonly warmUp: number;
  readonly updates: number;
  readonly gets: number;
  readonly lists: number;
  readonly selections: number;
  readonly watchers: number;
  readonly events: number;
  readonly starts: number;
}

const COUNTS: Readonly<Record<Extent, Counts>> = {
  full: {
    objects: 10_000,
    warmUp: 1000,
    updates: 5000,
    gets: 20_000,
    lists: 12,
    selections: 160,
    watchers: 1000,
    events: 50,
    starts: 5,
  },
  quick: {
    objects: 2000,
    warmUp: 500,
    updates: 1000,
    gets: 4000,
    lists: 8,
    selections: 80,
    watchers: 200,
    events: 20,
    starts: 3,
  },
};

const atLeast = (metric: string, factor: number): BenchmarkPromise => ({
  metric,
  ours: OURS,
  peer: PEER,
  atLeast: factor,
});
const below = (metric: string, factor: number): BenchmarkPromise => ({ metric, ours: OURS, peer: PEER, below: factor });

/** The API server benchmark. */
export const apiserverBenchmark: Benchmark = {
  name: "apiserver",
  description: "the embedded API server beside kube-apiserver with etcd, over TLS, same clients",
  rounds: 3,
  units: {
    ready: "ms",
    "in-process start": "ms",
    "custom creates": "/s",
    "custom creates, CPU": "s/1000",
    "ConfigMap creates": "/s",
    "ConfigMap creates, CPU": "s/1000",
    memory: "MB",
    "custom updates": "/s",
    "custom updates, CPU": "s/1000",
    "ConfigMap updates": "/s",
    "ConfigMap updates, CPU": "s/1000",
    gets: "/s",
    "gets, CPU": "s/1000",
    "whole list": "MB/s",
    "list by pages": "MB/s",
    "list by label": "MB/s",
    "list by label, CPU": "s/1000",
    "watch p50": "ms",
    "watch p99": "ms",
    "watch, CPU": "s/1000",
  },
  variants: [variant(OURS, startEmbedded), variant(PEER, startReal)],
  promises: [
    below("ready", 1 / 20),
    { metric: "in-process start", ours: OURS, below: 150 },
    ...["custom creates", "custom updates", "ConfigMap creates", "ConfigMap updates"].map((each) => atLeast(each, 3)),
    ...["gets", "whole list", "list by pages", "list by label"].map((each) => atLeast(each, 2)),
    below("watch p99", 1),
    below("memory", 1 / 3),
  ],
  prepare: prepareServers,
};

function variant(name: string, start: () => Promise<RunningServer>): Variant {
  return {
    name,
    async measure(extent) {
      const counts = COUNTS[extent];
      const started = name === OURS ? await measureStarts(counts) : {};
      const server = await start();
      try {
        return { ready: server.readyMs, ...started, ...(await measureServer(server, counts)) };
      } finally {
        await server.stop();
      }
    },
  };
}

/** Our start is short, so that one measurement says little. */
async function measureStarts({ starts }: Counts): Promise<Sample> {
  const ready: number[] = [];
  const inProcess: number[] = [];
  for (let count = 0; count < starts; count++) {
    const server = await startEmbedded();
    await server.stop();
    ready.push(server.readyMs);
    inProcess.push(await inProcessStartMs());
  }
  return { ready: median(ready), "in-process start": median(inProcess) };
}

async function measureServer(server: RunningServer, counts: Counts): Promise<Sample> {
  const run = (job: Job): Promise<LoadResult> => runLoad({ target: server.target, pids: server.pids, job });
  await run({ action: "setup", count: 1, clients: 1 });
  for (const kind of ["widgets", "configMaps"] as const) {
    await run({ action: "create", kind, count: counts.warmUp, clients: CLIENTS });
    await run({ action: "update", kind, count: counts.warmUp, clients: CLIENTS });
  }
  return { ...(await measureWrites(run, server, counts)), ...(await measureReads(run, counts)) };
}

type Run = (job: Job) => Promise<LoadResult>;

async function measureWrites(run: Run, server: RunningServer, counts: Counts): Promise<Sample> {
  const [first, count, clients] = [counts.warmUp, counts.objects - counts.warmUp, CLIENTS];
  const created = await run({ action: "create", kind: "widgets", first, count, clients });
  await new Promise((resolve) => setTimeout(resolve, MEMORY_SETTLE_MS));
  const memory = residentBytes(server.pids) / MEGABYTE;
  const configMaps = await run({ action: "create", kind: "configMaps", first, count: counts.updates, clients });
  const updated = await run({ action: "update", kind: "widgets", count: counts.updates, clients });
  const updatedMaps = await run({ action: "update", kind: "configMaps", count: counts.updates, clients });
  return {
    ...rates("custom creates", created),
    memory,
    ...rates("ConfigMap creates", configMaps),
    ...rates("custom updates", updated),
    ...rates("ConfigMap updates", updatedMaps),
  };
}

async function measureReads(run: Run, counts: Counts): Promise<Sample> {
  const gets = await run({ action: "get", count: counts.gets, clients: CLIENTS });
  const whole = await run({ action: "list", count: counts.lists, clients: LIST_CLIENTS });
  const pages = await run({ action: "pages", count: counts.lists / LIST_CLIENTS, clients: LIST_CLIENTS });
  const selected = await run({ action: "selector", count: counts.selections, clients: CLIENTS });
  const watch = await run({ action: "watch", count: counts.events, clients: counts.watchers });
  return {
    ...rates("gets", gets),
    "whole list": throughput(whole),
    "list by pages": throughput(pages),
    "list by label": throughput(selected),
    "list by label, CPU": perThousand(selected),
    "watch p50": watch.latencyMs?.p50 ?? Number.NaN,
    "watch p99": watch.latencyMs?.p99 ?? Number.NaN,
    "watch, CPU": perThousand(watch),
  };
}

function rates(metric: string, result: LoadResult): Sample {
  return { [metric]: result.requests / result.seconds, [`${metric}, CPU`]: perThousand(result) };
}

/** Processor time of the server for a thousand requests, or deliveries. */
function perThousand({ cpuSeconds, requests }: LoadResult): number {
  return (cpuSeconds / requests) * 1000;
}

function throughput({ bytes, seconds }: LoadResult): number {
  return bytes / MEGABYTE / seconds;
}

/** The clients run in a process of their own, so that they and the server have one each. */
async function runLoad(order: LoadOrder): Promise<LoadResult> {
  const program = join(import.meta.dirname, "load.ts");
  const child = spawn(process.execPath, [program, JSON.stringify(order)], { stdio: ["ignore", "pipe", "inherit"] });
  let output = "";
  for await (const chunk of child.stdout) output += String(chunk);
  if (output === "") throw new Error(`the clients failed at "${order.job.action}"`);
  return JSON.parse(output) as LoadResult;
}
