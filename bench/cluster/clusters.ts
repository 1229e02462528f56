/** The clusters that are compared, each in processes of its own, and the week in virtual time. */
import { spawn } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { startRealCluster } from "@kubewright/testing";
import { realPrograms } from "../../tools/real-cluster/build.ts";
import { firstLine, type RunningServer } from "../apiserver/servers.ts";
import { linkBuiltPackages } from "../built-packages.ts";

const CACHE = resolve(import.meta.dirname, "../.cache/cluster");
const TOKEN = "bench-token";
/** Room for all pods: a node of kwok takes 1000. */
const NODES = 10;
/** As `kubewright cluster up` starts itself: a heap that grows by little, with a young generation that is worth its memory. */
const NODE_FLAGS = ["--max-semi-space-size=4", "--heap-growing-percent=40"];
/** Beyond what the controllers of one machine can send. */
const REQUESTS_PER_SECOND_LIFTED = 5000;

/** A user's program: the cluster in a process of its own, listening with TLS. */
const CLUSTER = `
import { createCluster } from "@kubewright/cluster";
const tokens = [{ token: ${JSON.stringify(TOKEN)}, user: { name: "admin", groups: ["system:masters"] } }];
const cluster = await createCluster({ tokens, nodes: ${NODES} });
const { url, certificateAuthority } = await cluster.apiServer.listen();
console.log(JSON.stringify({ url, certificateAuthority }));
`;

/** A user's test: a CronJob every five minutes, and the time that passes. Prints what it took from after the start. */
const WEEK = `
import { CronJob } from "@kubewright/api/batch/v1";
import { startCluster } from "@kubewright/testing";
const hours = Number(process.argv[2]);
const cluster = await startCluster();
const template = { spec: { restartPolicy: "Never", containers: [{ name: "work", image: "work" }] } };
const spec = { schedule: "*/5 * * * *", jobTemplate: { spec: { template } } };
await cluster.client.create(CronJob, { metadata: { name: "tick" }, spec });
const [started, usedBefore] = [performance.now(), process.cpuUsage()];
await cluster.advance(hours + "h");
const milliseconds = performance.now() - started;
const { user, system } = process.cpuUsage(usedBefore);
const { status } = await cluster.client.get(CronJob, "tick");
if (Date.parse(status.lastScheduleTime) !== cluster.clock.now()) throw new Error("the last Job did not start");
console.log(JSON.stringify({ milliseconds, cpuMilliseconds: (user + system) / 1000 }));
await cluster.stop();
`;

/** Builds our packages and the programs of Kubernetes. */
export async function prepareClusters(): Promise<void> {
  mkdirSync(CACHE, { recursive: true });
  writeFileSync(join(CACHE, "cluster.mjs"), CLUSTER);
  writeFileSync(join(CACHE, "week.mjs"), WEEK);
  linkBuiltPackages(CACHE);
  await realPrograms("controllers", (line) => console.error(line));
}

/** The embedded cluster, built, in a process of its own, started with these flags unless the environment says otherwise. */
export async function startEmbeddedCluster(): Promise<RunningServer> {
  const started = performance.now();
  const flags = process.env["BENCH_SERVER_FLAGS"]?.split(" ") ?? NODE_FLAGS;
  const child = spawn(process.execPath, [...flags, "cluster.mjs"], {
    cwd: CACHE,
    stdio: ["ignore", "pipe", "inherit"],
  });
  const exited = new Promise<void>((done) => child.once("exit", () => done()));
  const [line] = await Array.fromAsync(firstLine(child.stdout));
  const readyMs = performance.now() - started;
  const stop = async (): Promise<void> => {
    child.kill("SIGINT");
    await exited;
  };
  return { target: { ...JSON.parse(line ?? "{}"), token: TOKEN }, pids: [child.pid ?? -1], readyMs, stop };
}

/** kube-apiserver, etcd, kube-controller-manager, kube-scheduler and kwok; the controllers with their own limits, or none. */
export async function startRealOne(limits: "own" | "lifted"): Promise<RunningServer> {
  const programs = await realPrograms("controllers");
  const started = performance.now();
  const rate = limits === "own" ? {} : { requestsPerSecond: REQUESTS_PER_SECOND_LIFTED };
  const plane = await startRealCluster({ programs, nodes: NODES, ...rate });
  const { url, certificateAuthority, token, processes, stop } = plane;
  const pids = processes.map((program) => program.pid);
  return { target: { url, certificateAuthority, token }, pids, readyMs: performance.now() - started, stop };
}

/** What passing time took. */
export interface PassedTime {
  readonly milliseconds: number;
  /** Of all threads of the process. */
  readonly cpuMilliseconds: number;
}

/** What so many hours of a CronJob every five minutes take in a new process. */
export async function weekOfCronJob(hours: number): Promise<PassedTime> {
  const child = spawn(process.execPath, ["week.mjs", String(hours)], {
    cwd: CACHE,
    stdio: ["ignore", "pipe", "inherit"],
  });
  const [line] = await Array.fromAsync(firstLine(child.stdout));
  return JSON.parse(line ?? "") as PassedTime;
}
