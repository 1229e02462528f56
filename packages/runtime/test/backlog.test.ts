/** R18: what changes now is answered at once, however much a restart has to look through. In virtual time. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { ConfigMap } from "@kubewright/api/core/v1";
import { seededRandom, sleep, type Transport } from "@kubewright/core/ports";
import { createManager, defineController } from "@kubewright/runtime";
import { VirtualClock } from "@kubewright/testing";

const BACKLOG = 50_000;
const CONCURRENCY = 16;
const RECONCILE_MS = 20;
const CHANGES = 200;
const LATENCY_MS_MAX = 1000;

/** A watch that begins with all objects and then tells what is pushed. */
class Stream {
  #version = BACKLOG;
  readonly #lines: string[] = [];
  #wake: () => void = () => {};

  readonly transport: Transport = {
    send: async ({ signal }) => ({ status: 200, headers: {}, body: this.#body(signal) }),
  };

  /** An object changes. */
  push(name: string): void {
    this.#version += 1;
    this.#lines.push(line("MODIFIED", name, this.#version));
    this.#wake();
  }

  async *#body(signal: AbortSignal | undefined): AsyncGenerator<Uint8Array> {
    const all = Array.from({ length: BACKLOG }, (_, index) => line("ADDED", `m${index}`, index + 1));
    const annotations = { "k8s.io/initial-events-end": "true" };
    const end = { type: "BOOKMARK", object: { metadata: { resourceVersion: String(BACKLOG), annotations } } };
    yield Buffer.from(`${all.join("")}${JSON.stringify(end)}\n`);
    while (signal?.aborted !== true) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
        signal?.addEventListener("abort", () => resolve(), { once: true });
        if (this.#lines.length > 0) resolve();
      });
      yield Buffer.from(this.#lines.splice(0).join(""));
    }
  }
}

function line(type: string, name: string, version: number): string {
  const metadata = { name, namespace: "default", resourceVersion: String(version) };
  return `${JSON.stringify({ type, object: { apiVersion: "v1", kind: "ConfigMap", metadata } })}\n`;
}

test(`R18: behind a backlog of ${BACKLOG} objects a change is answered within a second, and none of them is left out`, async () => {
  const clock = new VirtualClock();
  const stream = new Stream();
  const runs = new Map<string, number>();
  const changedMs = new Map<string, number>();
  const latenciesMs: number[] = [];
  const looking = defineController({
    for: ConfigMap,
    concurrency: CONCURRENCY,
    async reconcile({ metadata }) {
      const name = metadata?.name ?? "";
      runs.set(name, (runs.get(name) ?? 0) + 1);
      const atMs = changedMs.get(name);
      if (atMs !== undefined) latenciesMs.push(clock.monotonic() - atMs);
      changedMs.delete(name);
      await sleep(clock, RECONCILE_MS);
    },
  });
  const random = seededRandom(18);
  const manager = createManager({ transport: stream.transport, controllers: [looking], clock, random });
  const started = manager.start();
  await clock.advance(0);
  await started;
  assert.ok(manager.cache.informer(ConfigMap).store.size === BACKLOG);
  for (let change = 0; change < CHANGES; change++) {
    const name = `m${Math.floor(random.next() * BACKLOG)}`;
    if (!changedMs.has(name)) changedMs.set(name, clock.monotonic());
    stream.push(name);
    await clock.advance(100);
  }
  assert.ok(runs.size < BACKLOG, "the backlog was gone before the changes");
  await clock.advanceUntil(() => manager.idle, 600_000);
  assert.equal(runs.size, BACKLOG);
  const total = [...runs.values()].reduce((sum, count) => sum + count, 0);
  assert.ok(total <= BACKLOG + CHANGES, `${total} reconciles`);
  assert.equal(changedMs.size, 0);
  latenciesMs.sort((left, right) => left - right);
  const p99Ms = latenciesMs[Math.floor(latenciesMs.length * 0.99)] ?? Number.POSITIVE_INFINITY;
  assert.ok(p99Ms <= LATENCY_MS_MAX, `99 of 100 changes were answered within ${p99Ms} ms`);
  await manager.stop();
});
