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
import { prepareClusters, startEmbeddedCluster, startRealOne, weekOfCronJob } from "./clusters.ts";
import type { ConvergenceOrder, ConvergenceResult } from "./convergence.ts";

const OURS = "embedded";
/** The controllers may send as many requests as they can. */
const LIFTED = "Kubernetes with kwok, limits lifted";
/** As it comes: 20 and 50 requests a second. */
const AS_IT_COMES = "Kubernetes with kwok, as it comes";
const MEGABYTE = 2 ** 20;

/** How many Deployments of three replicas converge. */
const DEPLOYMENTS: Readonly<Record<Extent, number>> = { full: 1000, quick: 200 };
/** As it comes a thousand would take many minutes, nearly all of them waiting: so many tell as much for each of them. */
const DEPLOYMENTS_AS_IT_COMES: Readonly<Record<Extent, number>> = { full: 200, quick: 50 };
/** How much of the week a quick run passes. */
const HOURS: Readonly<Record<Extent, number>> = { full: 7 * 24, quick: 24 };

/** The cluster benchmark. */
export const clusterBenchmark: Benchmark = {
  name: "cluster",
  description:
    "Deployments of 3 replicas until all are available, beside kube-controller-manager, kube-scheduler and kwok",
  rounds: 3,
  units: {
    Deployments: "",
    converged: "s",
    "each Deployment": "ms",
    "each Deployment, CPU": "ms",
    memory: "MB",
    "week of a CronJob": "s",
    "week of a CronJob, CPU": "s",
  },
  variants: [
    { name: LIFTED, measure: (extent) => measureConvergence(() => startRealOne("lifted"), DEPLOYMENTS[extent]) },
    ours(),
    {
      name: AS_IT_COMES,
      measure: (extent) => measureConvergence(() => startRealOne("own"), DEPLOYMENTS_AS_IT_COMES[extent]),
    },
  ],
  promises: [
    { metric: "each Deployment", ours: OURS, peer: LIFTED, below: 1 / 3 },
    { metric: "memory", ours: OURS, peer: LIFTED, below: 1 / 3 },
    { metric: "each Deployment", ours: OURS, peer: AS_IT_COMES, below: 1 / 3 },
    { metric: "week of a CronJob", ours: OURS, below: 5 },
  ],
  prepare: prepareClusters,
};

function ours(): Variant {
  return {
    name: OURS,
    measure: async (extent) => {
      const convergence = await measureConvergence(startEmbeddedCluster, DEPLOYMENTS[extent]);
      const { milliseconds, cpuMilliseconds } = await weekOfCronJob(HOURS[extent]);
      return {
        ...convergence,
        "week of a CronJob": milliseconds / 1000,
        "week of a CronJob, CPU": cpuMilliseconds / 1000,
      };
    },
  };
}

async function measureConvergence(start: () => Promise<RunningServer>, deployments: number): Promise<Sample> {
  const server = await start();
  try {
    const { target, pids } = server;
    const { seconds, cpuSeconds } = await converge({ target, pids, deployments });
    return {
      Deployments: deployments,
      converged: seconds,
      "each Deployment": (1000 * seconds) / deployments,
      "each Deployment, CPU": (1000 * cpuSeconds) / deployments,
      memory: residentBytes(pids) / MEGABYTE,
    };
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
