/**
 * The embedded cluster beside kube-apiserver, etcd, kube-controller-manager, kube-scheduler and kwok: many Deployments
 * until all are available, as somebody outside sees it, over TLS, with the same clients in the same run; and a week of a
 * CronJob in virtual time, which only the embedded one has.
 */
import { spawn } from "node:child_process";
import { join } from "node:path";
import { residentBytes } from "../apiserver/process-usage.ts";
import type { RunningServer } from "../apiserver/servers.ts";
import type { Benchmark, Extent, Sample, Variant } from "../benchmark.ts";
import { prepareClusters, startEmbeddedCluster, startRealOne, weekOfCronJobMs } from "./clusters.ts";
import type { ConvergenceOrder, ConvergenceResult } from "./convergence.ts";

const OURS = "embedded";
const PEER = "Kubernetes with kwok";
const MEGABYTE = 2 ** 20;

/** How many Deployments of three replicas converge. */
const DEPLOYMENTS: Readonly<Record<Extent, number>> = { full: 1000, quick: 200 };
/** How much of the week a quick run passes. */
const HOURS: Readonly<Record<Extent, number>> = { full: 7 * 24, quick: 24 };

/** The cluster benchmark. */
export const clusterBenchmark: Benchmark = {
  name: "cluster",
  description:
    "Deployments of 3 replicas until all are available, beside kube-controller-manager, kube-scheduler and kwok",
  rounds: 3,
  units: { converged: "s", "converged, CPU": "s", memory: "MB", "week of a CronJob": "s" },
  variants: [ours(), { name: PEER, measure: (extent) => measureConvergence(startRealOne, extent) }],
  promises: [
    { metric: "converged", ours: OURS, peer: PEER, below: 1 / 3 },
    { metric: "memory", ours: OURS, peer: PEER, below: 1 / 3 },
    { metric: "week of a CronJob", ours: OURS, below: 5 },
  ],
  prepare: prepareClusters,
};

function ours(): Variant {
  return {
    name: OURS,
    measure: async (extent) => ({
      ...(await measureConvergence(startEmbeddedCluster, extent)),
      "week of a CronJob": (await weekOfCronJobMs(HOURS[extent])) / 1000,
    }),
  };
}

async function measureConvergence(start: () => Promise<RunningServer>, extent: Extent): Promise<Sample> {
  const server = await start();
  try {
    const { target, pids } = server;
    const { seconds, cpuSeconds } = await converge({ target, pids, deployments: DEPLOYMENTS[extent] });
    return { converged: seconds, "converged, CPU": cpuSeconds, memory: residentBytes(pids) / MEGABYTE };
  } finally {
    await server.stop();
  }
}

/** The clients and the observer run in a process of their own. */
async function converge(order: ConvergenceOrder): Promise<ConvergenceResult> {
  const program = join(import.meta.dirname, "convergence.ts");
  const child = spawn(process.execPath, [program, JSON.stringify(order)], { stdio: ["ignore", "pipe", "inherit"] });
  let output = "";
  for await (const chunk of child.stdout) output += String(chunk);
  if (output === "") throw new Error("the Deployments did not converge");
  return JSON.parse(output) as ConvergenceResult;
}
