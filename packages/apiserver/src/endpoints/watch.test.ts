import assert from "node:assert/strict";
import { test } from "node:test";
import { type Clock, seededRandom } from "@kubewright/core/ports";
import { decodeWatchEvents, type WatchEvent } from "@kubewright/core/protocol";
import { createContractApi } from "../contract/api.ts";
import { type ApiServer, createApiServer } from "../server/server.ts";
import { createStorage } from "../storage/memory.ts";
import { encodeFrame } from "./watch-frames.ts";
import { WatchStream } from "./watch-stream.ts";

const CONFIG_MAPS = "/api/v1/namespaces/default/configmaps";

/** Time that passes only when told to. */
class ManualClock implements Clock {
  readonly #timers = new Map<symbol, { readonly atMs: number; readonly run: () => void }>();
  #nowMs = Date.UTC(2026, 0, 1);

  get pending(): number {
    return this.#timers.size;
  }

  now(): number {
    return this.#nowMs;
  }

  monotonic(): number {
    return this.#nowMs;
  }

  schedule(delayMs: number, run: () => void): () => void {
    const id = Symbol("timer");
    this.#timers.set(id, { atMs: this.#nowMs + delayMs, run });
    return () => this.#timers.delete(id);
  }

  /** Runs what falls due, in order, letting promises settle after each. */
  async advance(byMs: number): Promise<void> {
    const untilMs = this.#nowMs + byMs;
    for (;;) {
      const due = [...this.#timers]
        .filter(([, { atMs }]) => atMs <= untilMs)
        .sort(([, a], [, b]) => a.atMs - b.atMs)[0];
      if (due === undefined) break;
      const [id, { atMs, run }] = due;
      this.#timers.delete(id);
      this.#nowMs = atMs;
      run();
      for (let turn = 0; turn < 50; turn++) await Promise.resolve();
    }
    this.#nowMs = untilMs;
  }
}

interface Watching {
  readonly events: WatchEvent[];
  readonly ended: Promise<void>;
}

async function watch(server: ApiServer, query: string, signal?: AbortSignal): Promise<Watching> {
  const path = `${CONFIG_MAPS}?watch=1${query}`;
  const response = await server.transport.send({ method: "GET", path, ...(signal === undefined ? {} : { signal }) });
  assert.equal(response.status, 200);
  const events: WatchEvent[] = [];
  const ended = (async () => {
    for await (const event of decodeWatchEvents(response.body)) events.push(event);
  })();
  return { events, ended };
}

async function start(): Promise<{ readonly clock: ManualClock; readonly server: ApiServer }> {
  const clock = new ManualClock();
  return { clock, server: await createApiServer({ clock, random: seededRandom(1), storage: createStorage() }) };
}

test("a watch ends at its timeout, with a bookmark shortly before when bookmarks are allowed", async () => {
  const { clock, server } = await start();
  await using _ = server;
  const version = server.storage.revision;
  const plain = await watch(server, `&resourceVersion=${version}&timeoutSeconds=90`);
  const marked = await watch(server, `&resourceVersion=${version}&timeoutSeconds=90&allowWatchBookmarks=true`);
  await clock.advance(89_000);
  assert.deepEqual(plain.events, []);
  assert.deepEqual(
    marked.events.map((event) => event.type),
    ["BOOKMARK", "BOOKMARK"],
  );
  assert.deepEqual(marked.events[0]?.object, {
    kind: "ConfigMap",
    apiVersion: "v1",
    metadata: { resourceVersion: String(version) },
  });
  await clock.advance(1_000);
  await Promise.all([plain.ended, marked.ended]);
  assert.equal(clock.pending, 0);
});

test("a watch without a timeout ends after half an hour to an hour", async () => {
  const { clock, server } = await start();
  await using _ = server;
  const { ended } = await watch(server, `&resourceVersion=${server.storage.revision}`);
  let isEnded = false;
  const observed = ended.then(() => {
    isEnded = true;
  });
  await clock.advance(1_799_000);
  assert.equal(isEnded, false);
  await clock.advance(1_801_000);
  await observed;
});

test("a watch that its client leaves keeps no timer and hears nothing more", async () => {
  const { clock, server } = await start();
  await using _ = server;
  const leaving = new AbortController();
  const { ended } = await watch(server, "&allowWatchBookmarks=true", leaving.signal);
  assert.ok(clock.pending > 0);
  leaving.abort();
  await ended;
  assert.equal(clock.pending, 0);
});

test("a watch from a compacted version is told so in one event", async () => {
  const { server } = await start();
  await using _ = server;
  const api = createContractApi(server.transport, "default");
  const version = server.storage.revision;
  await api.post(CONFIG_MAPS, { metadata: { name: "a" } });
  server.storage.compact(server.storage.revision);
  const { events, ended } = await watch(server, `&resourceVersion=${version}`);
  await ended;
  assert.deepEqual(events, [
    {
      type: "ERROR",
      object: {
        kind: "Status",
        apiVersion: "v1",
        metadata: {},
        status: "Failure",
        message: `too old resource version: ${version} (${server.storage.revision})`,
        reason: "Expired",
        code: 410,
      },
    },
  ]);
});

test("pages whose version is compacted expire with a token that goes on", async () => {
  const { server } = await start();
  await using _ = server;
  const api = createContractApi(server.transport, "default");
  for (const name of ["a", "b", "c"]) await api.post(CONFIG_MAPS, { metadata: { name } });
  const first = await api.get(`${CONFIG_MAPS}?limit=1`);
  await api.post(CONFIG_MAPS, { metadata: { name: "d" } });
  server.storage.compact(server.storage.revision);
  const expired = await api.get(`${CONFIG_MAPS}?limit=1&continue=${first.body.metadata.continue}`);
  assert.equal(expired.status, 410);
  assert.equal(expired.body.reason, "Expired");
  const rest = await api.get(`${CONFIG_MAPS}?continue=${expired.body.metadata.continue}`);
  assert.deepEqual(
    rest.body.items.map((item: { metadata: { name: string } }) => item.metadata.name),
    ["b", "c", "d"],
  );
});

test("a version of the future is awaited for three seconds, then refused", async () => {
  const { clock, server } = await start();
  await using _ = server;
  const api = createContractApi(server.transport, "default");
  const current = server.storage.revision;
  const late = api.get(`${CONFIG_MAPS}?resourceVersion=${current + 5}`);
  const soon = api.get(`${CONFIG_MAPS}?resourceVersion=${current + 1}`);
  for (let turn = 0; turn < 50; turn++) await Promise.resolve();
  await api.post(CONFIG_MAPS, { metadata: { name: "a" } });
  await clock.advance(3_100);
  assert.equal((await soon).status, 200);
  const refused = await late;
  assert.equal(refused.status, 504);
  assert.equal(refused.body.message, `Timeout: Too large resource version: ${current + 5}, current: ${current + 1}`);
  assert.equal(refused.headers["retry-after"], "1");
});

test("a reader that is too slow gets what waited for it, and the end", async () => {
  let ends = 0;
  const stream = new WatchStream([], () => ends++, { framesMax: 2, bytesMax: 1000 });
  for (const name of ["a", "b", "c", "d"]) stream.push(encodeFrame("ADDED", JSON.stringify(name)));
  let text = "";
  for await (const chunk of stream) text += Buffer.from(chunk).toString("utf8");
  assert.equal(text, '{"type":"ADDED","object":"a"}\n{"type":"ADDED","object":"b"}\n');
  assert.equal(ends, 1);
});

test("a frame that cannot be made ends its watch with an error, after the frames before it", async () => {
  let ended = false;
  const frames = [
    encodeFrame("ADDED", '{"metadata":{"name":"a"}}'),
    Promise.reject(new Error("no conversion")),
    encodeFrame("ADDED", '{"metadata":{"name":"b"}}'),
  ];
  const stream = new WatchStream(frames, () => {
    ended = true;
  });
  const events = [];
  for await (const event of decodeWatchEvents(stream)) events.push(event);
  assert.deepEqual(
    events.map(({ type }) => type),
    ["ADDED", "ERROR"],
  );
  assert.match(JSON.stringify(events.at(-1)), /no conversion/);
  assert.equal(ended, true);
});
