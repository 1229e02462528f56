/**
 * Many watchers of one kind, each on a connection of its own, and one writer. An event is written when all watchers have the
 * one before, so what is measured is how long the server takes to tell everybody, not a queue that the benchmark builds.
 */
import type { TLSSocket } from "node:tls";
import { Connection, encodeRequest, openSocket, type Target } from "./connection.ts";

/** What to watch, and how much. */
export interface WatchJob {
  readonly collection: string;
  readonly watchers: number;
  readonly events: number;
}

/** How many connections are opened at once. */
const OPENING_MAX = 50;
const BRACE = 0x7d;
const NEWLINE = 0x0a;

/** Watchers that wait for events. */
export interface Watchers extends AsyncDisposable {
  /** Milliseconds from the moment a write is sent to each watcher's receipt of its event; one value for each of both. */
  latencies(): Promise<Float64Array>;
}

/** Opens all watches. */
export async function openWatchers(target: Target, job: WatchJob): Promise<Watchers> {
  const writer = await Connection.open(target);
  const list = encodeRequest(target, { method: "GET", path: `${job.collection}?limit=1` });
  const page = JSON.parse((await writer.send(list, "text")).text) as ListPage;
  const round = new Round(job);
  const path = `${job.collection}?watch=1&resourceVersion=${page.metadata.resourceVersion}`;
  const request = encodeRequest(target, { method: "GET", path });
  const sockets: TLSSocket[] = [];
  for (let opened = 0; opened < job.watchers; opened += OPENING_MAX) {
    const several = Array.from({ length: Math.min(OPENING_MAX, job.watchers - opened) }, () =>
      openWatch(target, request, () => round.received()),
    );
    sockets.push(...(await Promise.all(several)));
  }
  return {
    async latencies() {
      for (let event = 0; event < job.events; event++) {
        const body = JSON.stringify({ metadata: { annotations: { "bench.example.com/event": String(event) } } });
        const change = { method: "PATCH", path: `${job.collection}/${page.items[0]?.metadata.name}`, body };
        const patch = encodeRequest(target, { ...change, contentType: "application/merge-patch+json" });
        const told = round.begin();
        await Promise.all([writer.send(patch), told]);
      }
      return round.latencies;
    },
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      writer.close();
    },
  };
}

interface ListPage {
  readonly metadata: { readonly resourceVersion: string };
  readonly items: readonly { readonly metadata: { readonly name: string } }[];
}

/** One event on its way to all watchers. */
class Round {
  readonly latencies: Float64Array;
  readonly #watchers: number;
  #count = 0;
  #missing = 0;
  #started = 0;
  #done: () => void = () => {};

  constructor({ watchers, events }: WatchJob) {
    this.#watchers = watchers;
    this.latencies = new Float64Array(watchers * events);
  }

  /** Starts the clock; resolves when every watcher has its event. */
  begin(): Promise<void> {
    this.#missing = this.#watchers;
    this.#started = performance.now();
    return new Promise((resolve) => {
      this.#done = resolve;
    });
  }

  received(): void {
    this.latencies[this.#count++] = performance.now() - this.#started;
    this.#missing -= 1;
    if (this.#missing === 0) this.#done();
  }
}

/** Opens a watch; resolves when the server has begun to answer. `onEvent` is called at the end of each event. */
async function openWatch(target: Target, request: Buffer, onEvent: () => void): Promise<TLSSocket> {
  const socket = await openSocket(target);
  let last = 0;
  return new Promise((resolve, reject) => {
    socket.once("error", reject);
    socket.once("close", () => reject(new Error("the server closed a watch")));
    socket.on("data", (chunk: Buffer) => {
      resolve(socket);
      // An event is a line of JSON: its last bytes are a brace and a newline, which nothing else in the stream is.
      for (let at = chunk.indexOf(NEWLINE); at >= 0; at = chunk.indexOf(NEWLINE, at + 1)) {
        if ((at === 0 ? last : chunk[at - 1]) === BRACE) onEvent();
      }
      last = chunk[chunk.length - 1] ?? 0;
    });
    socket.write(request);
  });
}
