/**
 * The clients of the benchmark, a process of its own: reads a job from its first argument, does it against one server and
 * prints the figures. The same for every server.
 */
import type { Answer } from "./answer-reader.ts";
import { Connection, encodeRequest, type PlainRequest, type Target } from "./connection.ts";
import { CONFIG_MAPS, type MeasuredKind, NAMESPACE, SELECTOR, WIDGET_DEFINITION, WIDGETS } from "./objects.ts";
import { cpuSeconds } from "./process-usage.ts";
import { openWatchers } from "./watchers.ts";

/** What to do. */
export interface Job {
  readonly action: "setup" | "create" | "update" | "get" | "list" | "pages" | "selector" | "watch";
  /** @default "widgets" */
  readonly kind?: "widgets" | "configMaps";
  /** How many requests, or for "watch" how many events. */
  readonly count: number;
  /** How many clients at once, or for "watch" how many watchers. */
  readonly clients: number;
  /** The first object to write. @default 0 */
  readonly first?: number;
}

/** A job with the server it is for. */
export interface LoadOrder {
  readonly target: Target;
  /** The server's processes, whose processor time is counted. */
  readonly pids: readonly number[];
  readonly job: Job;
}

/** What a job gave. */
export interface LoadResult {
  readonly seconds: number;
  readonly requests: number;
  readonly bytes: number;
  /** Processor time of the server. */
  readonly cpuSeconds: number;
  /** For "watch": milliseconds from the write to each watcher. */
  readonly latencyMs?: { readonly p50: number; readonly p99: number };
}

const PAGE_OBJECTS = 500;
const RETRY_MS = 50;

async function runOrder(order: LoadOrder): Promise<LoadResult> {
  const { target, job } = order;
  const kind = job.kind === "configMaps" ? CONFIG_MAPS : WIDGETS;
  switch (job.action) {
    case "setup":
      await setUp(target);
      return { seconds: 0, requests: 0, bytes: 0, cpuSeconds: 0 };
    case "create":
      return sendAll(order, creations(kind, job));
    case "update":
      return sendAll(order, await updates(target, kind, job));
    case "get":
      return sendAll(order, await reads(target, kind, job));
    case "list":
      return sendAll(order, repeated(job.count, { method: "GET", path: kind.collection }));
    case "selector": {
      const path = `${kind.collection}?labelSelector=${encodeURIComponent(SELECTOR)}`;
      return sendAll(order, repeated(job.count, { method: "GET", path }));
    }
    case "pages":
      return measured(order, () => readPages(target, kind, job));
    case "watch": {
      const { collection } = kind;
      await using watchers = await openWatchers(target, { collection, watchers: job.clients, events: job.count });
      const started = performance.now();
      const before = cpuSeconds(order.pids);
      const latencies = await watchers.latencies();
      const spent = cpuSeconds(order.pids) - before;
      const latencyMs = { p50: quantile(latencies, 0.5), p99: quantile(latencies, 0.99) };
      const seconds = (performance.now() - started) / 1000;
      return { seconds, requests: latencies.length, bytes: 0, cpuSeconds: spent, latencyMs };
    }
  }
}

/** Makes the namespace and the kind; resolves when objects of it can be written. */
async function setUp(target: Target): Promise<void> {
  const connection = await Connection.open(target);
  const send = (request: PlainRequest): Promise<Answer> => connection.send(encodeRequest(target, request), "text");
  const namespace = { apiVersion: "v1", kind: "Namespace", metadata: { name: NAMESPACE } };
  await send({ method: "POST", path: "/api/v1/namespaces", body: JSON.stringify(namespace) });
  const path = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
  await send({ method: "POST", path, body: JSON.stringify(WIDGET_DEFINITION) });
  while ((await send({ method: "GET", path: WIDGETS.collection })).status !== 200) {
    await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
  }
  connection.close();
}

function creations(kind: MeasuredKind, { count, first = 0 }: Job): readonly PlainRequest[] {
  return Array.from({ length: count }, (_, index) => ({
    method: "POST",
    path: kind.collection,
    body: JSON.stringify(kind.create(first + index)),
  }));
}

/** A PUT of each stored object with another content, as whoever reads, changes and writes sends it. */
async function updates(target: Target, kind: MeasuredKind, { count }: Job): Promise<readonly PlainRequest[]> {
  return (await listObjects(target, kind)).slice(0, count).map((object, index) => ({
    method: "PUT",
    path: `${kind.collection}/${object.metadata.name}`,
    body: JSON.stringify(kind.change(object, index)),
  }));
}

async function reads(target: Target, kind: MeasuredKind, { count }: Job): Promise<readonly PlainRequest[]> {
  const names = (await listObjects(target, kind)).map((object) => object.metadata.name);
  return Array.from({ length: count }, (_, index) => ({
    method: "GET",
    path: `${kind.collection}/${names[(index * 7919) % names.length]}`,
  }));
}

type Stored = Record<string, unknown> & { readonly metadata: { readonly name: string } };

async function listObjects(target: Target, kind: MeasuredKind): Promise<readonly Stored[]> {
  const connection = await Connection.open(target);
  const request = encodeRequest(target, { method: "GET", path: kind.collection });
  const { text } = await connection.send(request, "text");
  connection.close();
  const { apiVersion, kind: listKind, items } = JSON.parse(text) as { [key: string]: string } & { items: Stored[] };
  return items.map((item) => ({ apiVersion, kind: listKind?.replace(/List$/, ""), ...item }));
}

function repeated(count: number, request: PlainRequest): readonly PlainRequest[] {
  return Array.from({ length: count }, () => request);
}

/** Sends all requests, each client the next one when it has its answer. */
function sendAll(order: LoadOrder, requests: readonly PlainRequest[]): Promise<LoadResult> {
  const encoded = requests.map((request) => encodeRequest(order.target, request));
  const connections = Promise.all(Array.from({ length: order.job.clients }, () => Connection.open(order.target)));
  let next = 0;
  const run = async (connection: Connection): Promise<Count> => {
    let bytes = 0;
    let sent = 0;
    for (let request = encoded[next++]; request !== undefined; request = encoded[next++]) {
      const answer = await connection.send(request);
      if (answer.status >= 300) throw new Error(`${request.toString("latin1", 0, 100)}… answered ${answer.status}`);
      bytes += answer.bytes;
      sent += 1;
    }
    return { requests: sent, bytes };
  };
  return connections.then((open) => measured(order, () => Promise.all(open.map(run))));
}

interface Count {
  readonly requests: number;
  readonly bytes: number;
}

/** Each client reads all pages, one after the other, `count` times. */
async function readPages(target: Target, { collection }: MeasuredKind, job: Job): Promise<readonly Count[]> {
  const open = await Promise.all(Array.from({ length: job.clients }, () => Connection.open(target)));
  return Promise.all(
    open.map(async (connection) => {
      let bytes = 0;
      let requests = 0;
      for (let round = 0; round < job.count; round++) {
        let token: string | undefined = "";
        while (token !== undefined) {
          const rest = token === "" ? "" : `&continue=${encodeURIComponent(token)}`;
          const path = `${collection}?limit=${PAGE_OBJECTS}${rest}`;
          // Of a page only its token is read, from the part that stands before the items.
          const answer: Answer = await connection.send(encodeRequest(target, { method: "GET", path }), "start");
          token = /"continue":"([^"]+)"/.exec(answer.text.slice(0, 1000))?.[1];
          bytes += answer.bytes;
          requests += 1;
        }
      }
      return { requests, bytes };
    }),
  );
}

async function measured({ pids }: LoadOrder, run: () => Promise<readonly Count[]>): Promise<LoadResult> {
  const before = cpuSeconds(pids);
  const started = performance.now();
  const counts = await run();
  const seconds = (performance.now() - started) / 1000;
  return {
    seconds,
    requests: counts.reduce((total, count) => total + count.requests, 0),
    bytes: counts.reduce((total, count) => total + count.bytes, 0),
    cpuSeconds: cpuSeconds(pids) - before,
  };
}

function quantile(values: Float64Array, fraction: number): number {
  return values.toSorted()[Math.min(values.length - 1, Math.floor(values.length * fraction))] ?? Number.NaN;
}

console.log(JSON.stringify(await runOrder(JSON.parse(process.argv[2] ?? "") as LoadOrder)));
process.exit(0);
