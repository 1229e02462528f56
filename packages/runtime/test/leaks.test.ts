/** R15: what happens again and again leaves nothing behind: no memory, timer, socket or listener. All in virtual time. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { ConfigMap } from "@kubewright/api/core/v1";
import type { KubernetesObject } from "@kubewright/core/meta";
import { seededRandom, silentLogger, sleep, type Transport } from "@kubewright/core/ports";
import { decodeSlimWatchEvent } from "@kubewright/core/protocol";
import { createClient, createManager, defineController, Informer, type Manager } from "@kubewright/runtime";
import { VirtualClock } from "@kubewright/testing";
import type { Arrival } from "../src/cache/arrival.ts";
import { Store } from "../src/cache/store.ts";
import { HotLoopGuard } from "../src/controller/hot-loop-guard.ts";
import { Harness, Widget, widgetController } from "./harness.ts";
import { Memory } from "./memory.ts";
import { openIn } from "./open-in.ts";

setFlagsFromString("--expose-gc");
const memory = new Memory(process, runInNewContext("gc") as () => void);

/** How much larger the heap is after the third of three equal phases than after the second: 1 is no growth. The first warms up. */
async function heapGrowth(phase: () => Promise<void>): Promise<number> {
  await phase();
  await phase();
  const first = await memory.settledBytes();
  await phase();
  return (await memory.settledBytes()) / first;
}

function assertFlat(growth: number): void {
  assert.ok(growth <= 1.01, `the heap grew by ${((growth - 1) * 100).toFixed(2)} %`);
}

test("R15: 12 000 reconnects leave no memory, timer, socket or listener behind", async () => {
  const clock = new VirtualClock();
  let connects = 0;
  const line = (metadata: object): Uint8Array =>
    Buffer.from(`${JSON.stringify({ type: "BOOKMARK", object: { metadata } })}\n`);
  const transport: Transport = {
    async send({ path, signal }) {
      connects += 1;
      const annotations = path.includes("sendInitialEvents") ? { "k8s.io/initial-events-end": "true" } : {};
      const bookmark = line({ resourceVersion: String(connects), annotations });
      return { status: 200, headers: {}, body: shortWatch(bookmark, signal, connects % 2 === 0) };
    },
  };
  /** Lasts some seconds; every other one breaks. */
  async function* shortWatch(only: Uint8Array, signal: AbortSignal | undefined, breaks: boolean) {
    yield only;
    await sleep(clock, 5000, signal);
    if (breaks) throw new Error("read ECONNRESET");
  }
  const ports = { clock, random: seededRandom(1), log: silentLogger };
  const before = openIn(process);
  const informer = new Informer({ ...ports, client: createClient({ transport }), definition: ConfigMap });
  informer.start();
  await clock.advanceUntil(() => informer.synced);
  const timers = clock.pending;
  const growth = await heapGrowth(async () => {
    for (const end = connects + 4000; connects < end; ) await clock.advance(30_000);
  });
  assertFlat(growth);
  assert.equal(clock.pending, timers);
  await informer.stop();
  assert.equal(clock.pending, 0);
  assert.deepEqual(openIn(process), before);
});

/** Starts a manager in virtual time. */
async function started(manager: Manager, clock: VirtualClock): Promise<void> {
  let isStarted = false;
  const start = manager.start().then(() => {
    isStarted = true;
  });
  await clock.advanceUntil(() => isStarted);
  await start;
}

test("R15: 1 200 objects that come and go leave no memory and no timer behind in their controller", async () => {
  await using harness = await Harness.start();
  const { server, clock, random } = harness;
  await using manager = createManager({ transport: server.transport, controllers: [widgetController], clock, random });
  await started(manager, clock);
  const timers = clock.pending;
  const growth = await heapGrowth(async () => {
    for (let count = 0; count < 400; count++) {
      const name = `w${count}`;
      await harness.createWidget({ name });
      await clock.settle();
      await harness.client.delete(Widget, name);
      await harness.client.delete(ConfigMap, name);
      await clock.settle();
    }
    await clock.advance(600_000);
    server.storage.compact(server.storage.revision); // What the server remembers for watches is not the controller's.
  });
  assertFlat(growth);
  assert.equal(clock.pending, timers);
});

test("R15: the reconciles that are remembered keep no states of large objects", async () => {
  await using harness = await Harness.start();
  const { server, clock, random, client } = harness;
  await harness.createWidget({ name: "large" });
  const follower = defineController({ for: Widget, async reconcile() {} });
  await using manager = createManager({ transport: server.transport, controllers: [follower], clock, random });
  await started(manager, clock);
  const update = async (size: number): Promise<void> => {
    const message = Buffer.alloc(100_000, String(size)).toString(); // Not by repeat: that shares its parts.
    await client.patch(Widget, "large", { merge: { spec: { size, message } } });
    await clock.settle();
    server.storage.compact(server.storage.revision);
  };
  await update(1);
  const before = await memory.settledBytes();
  for (let size = 2; size < 200; size++) await update(size);
  const keptBytes = (await memory.settledBytes()) - before;
  assert.ok(keptBytes < 3_000_000, `${keptBytes} bytes are kept`);
  const { causes } = manager.history.list().at(-1) ?? {};
  assert.deepEqual(causes?.at(-1), {
    kind: "updated",
    resource: "widgets.example.com",
    key: "default/large",
    fields: ["spec.size", "spec.message"],
  });
});

test("R15: objects that are deleted after a reconcile that wrote leave no memory behind", async () => {
  const guard = new HotLoopGuard();
  let nowMs = 0;
  const growth = await heapGrowth(async () => {
    for (let count = 0; count < 50_000; count++) {
      nowMs += 100;
      guard.note(`default/w${nowMs}`, { generation: 1, wrote: true, nowMs });
    }
  });
  assertFlat(growth);
  const note = (): number => guard.note("default/hot", { generation: 1, wrote: true, nowMs });
  const holdsMs = Array.from({ length: 22 }, note).slice(-3);
  assert.deepEqual(holdsMs, [0, 5000, 10_000]);
});

test("R15: 1 200 managers that start and stop leave no memory, timer, socket or listener behind", async () => {
  await using harness = await Harness.start();
  const { server, clock, random } = harness;
  const before = { timers: clock.pending, ...openIn(process) };
  const growth = await heapGrowth(async () => {
    for (let count = 0; count < 400; count++) {
      const manager = createManager({ transport: server.transport, controllers: [widgetController], clock, random });
      await started(manager, clock);
      await manager.stop();
    }
    await clock.settle();
  });
  assertFlat(growth);
  assert.deepEqual({ timers: clock.pending, ...openIn(process) }, before);
});

for (const [scope, namespace] of [
  ["namespaced", { namespace: "a-namespace-with-a-long-name" }],
  ["cluster-scoped", {}],
] as const) {
  test(`R15: former states of ${scope} objects go, although their names were read from them`, async () => {
    const store = new Store();
    const put = (resourceVersion: string, value: string): void => {
      for (let index = 0; index < 200; index++) {
        const metadata = { name: `an-object-with-a-long-name-${index}`, ...namespace, resourceVersion };
        const event = { type: "ADDED", object: { kind: "A", apiVersion: "v1", metadata, value: value + index } };
        store.put(decodeSlimWatchEvent(Buffer.from(JSON.stringify(event))) as unknown as Arrival<KubernetesObject>);
      }
    };
    const before = await memory.settledBytes();
    put("1", "x".repeat(50_000));
    put("2", "small");
    const kept = (await memory.settledBytes()) - before;
    assert.ok(kept < 1_000_000, `${kept} bytes of 200 former states of 50 000 bytes are still there`);
  });
}
