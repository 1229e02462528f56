/**
 * The clients of the cluster benchmark, a process of its own: reads an order from its first argument, creates Deployments
 * from 16 connections, and prints how long it took until a watch of its own saw all of them available.
 */
import { Deployment } from "@kubewright/api/apps/v1";
import { createClient, createHttpTransport } from "@kubewright/runtime";
import { Connection, encodeRequest, type Target } from "../apiserver/connection.ts";
import { cpuSeconds } from "../apiserver/process-usage.ts";

const CLIENTS = 16;
const REPLICAS = 3;
const COLLECTION = "/apis/apps/v1/namespaces/default/deployments";
const LIMIT_MS = 600_000;

/** What to do. */
export interface ConvergenceOrder {
  readonly target: Target;
  /** The processes of the cluster. */
  readonly pids: readonly number[];
  readonly deployments: number;
}

/** What it took. */
export interface ConvergenceResult {
  /** From the first request until the last Deployment was seen to be available. */
  readonly seconds: number;
  /** Processor time of the cluster's processes meanwhile. */
  readonly cpuSeconds: number;
}

async function run({ target, pids, deployments }: ConvergenceOrder): Promise<ConvergenceResult> {
  const stop = new AbortController();
  const observer = await observe(target, deployments, stop.signal);
  const connections = await Promise.all(Array.from({ length: CLIENTS }, () => Connection.open(target)));
  const before = cpuSeconds(pids);
  const started = performance.now();
  await createAll(target, connections, deployments);
  await observer.allAvailable;
  const seconds = (performance.now() - started) / 1000;
  stop.abort();
  return { seconds, cpuSeconds: cpuSeconds(pids) - before };
}

/** Begins to watch; `allAvailable` resolves when so many Deployments have been seen available. */
async function observe(
  target: Target,
  count: number,
  signal: AbortSignal,
): Promise<{ readonly allAvailable: Promise<void> }> {
  const transport = createHttpTransport({
    server: target.url,
    tls: async () => ({ ca: target.certificateAuthority }),
    headers: async () => ({ authorization: `Bearer ${target.token}` }),
  });
  const client = createClient({ transport });
  const { metadata } = await client.list(Deployment);
  const watch = client.watch(Deployment, { resourceVersion: metadata.resourceVersion, timeoutSeconds: 3600, signal });
  const available = new Set<string>();
  const follow = async (): Promise<void> => {
    for await (const event of watch) {
      if (event.type === "BOOKMARK") continue;
      const { metadata, status } = event.object;
      if (status?.availableReplicas === REPLICAS) available.add(metadata?.name ?? "");
      if (available.size === count) return;
    }
    throw new Error("the watch ended too early");
  };
  return { allAvailable: follow() };
}

async function createAll(target: Target, connections: readonly Connection[], count: number): Promise<void> {
  let next = 0;
  await Promise.all(
    connections.map(async (connection) => {
      for (let index = next++; index < count; index = next++) {
        const body = JSON.stringify(deployment(`web-${index}`));
        const { status, text } = await connection.send(
          encodeRequest(target, { method: "POST", path: COLLECTION, body }),
          "text",
        );
        if (status !== 201) throw new Error(`creating a Deployment was answered ${status}: ${text}`);
      }
    }),
  );
}

function deployment(name: string): Deployment {
  const labels = { app: name };
  return {
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata: { name },
    spec: {
      replicas: REPLICAS,
      selector: { matchLabels: labels },
      template: {
        metadata: { labels },
        spec: { containers: [{ name: "web", image: "registry.example/web:1", ports: [{ containerPort: 8080 }] }] },
      },
    },
  };
}

setTimeout(() => {
  console.error(`not all Deployments were available after ${LIMIT_MS / 1000} s`);
  process.exit(1);
}, LIMIT_MS).unref();
console.log(JSON.stringify(await run(JSON.parse(process.argv[2] ?? "") as ConvergenceOrder)));
process.exit(0);
