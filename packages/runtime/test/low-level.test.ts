/** A controller put together by hand from informers, a queue, workers and a recorder, without a manager. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { ConfigMap } from "@kubewright/api/core/v1";
import { Event } from "@kubewright/api/events/v1";
import { type Logger, silentLogger } from "@kubewright/core/ports";
import {
  Cache,
  createChildKeeper,
  createClient,
  createEventRecorder,
  enqueueObjects,
  enqueueOwners,
  type KeptChild,
  runWorkers,
  WorkQueue,
} from "@kubewright/runtime";
import { configMapFor, Harness, Widget } from "./harness.ts";

/** Keeps the ConfigMap of each Widget, as a sample-controller does. */
class Program implements AsyncDisposable {
  readonly kept: KeptChild<ConfigMap>[] = [];
  readonly queue: WorkQueue;
  readonly #stop: () => Promise<void>;

  private constructor(harness: Harness, log: Logger) {
    const { clock, random, server } = harness;
    const ports = { clock, random, log };
    const cache = new Cache({ ...ports, client: createClient({ transport: server.transport }) });
    const client = createClient({ transport: server.transport, ...cache.observers });
    const events = createEventRecorder({ ...ports, client, controller: "widget-program" });
    const children = createChildKeeper({ for: Widget, controller: "widget-program", client, cache, events });
    this.queue = new WorkQueue({ clock, random, backoff: { retriesMax: 3 } });
    const widgets = cache.informer(Widget);
    enqueueObjects(widgets, this.queue);
    enqueueOwners(cache.informer(ConfigMap), this.queue, Widget);
    cache.start();
    const work = async (key: string): Promise<void> => {
      const widget = widgets.store.get(key);
      if (widget !== undefined) this.kept.push(await children.keep(widget, ConfigMap, configMapFor(widget)));
    };
    const workers = cache.whenSynced().then(() => runWorkers({ queue: this.queue, count: 2, log, work }));
    this.#stop = async () => {
      await (await workers).stop();
      await cache.stop();
      await events.flush();
    };
  }

  static async start(harness: Harness, log = silentLogger): Promise<Program> {
    const program = new Program(harness, log);
    await harness.clock.settle();
    return program;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#stop();
  }
}

test("by hand: children are made, restored and left alone when they are as they should be", async () => {
  await using harness = await Harness.start();
  await using program = await Program.start(harness);
  await harness.createWidget({ name: "a" });
  await harness.clock.advance(100);
  assert.equal((await harness.client.get(ConfigMap, "a")).data?.["message"], "hello");
  await harness.client.delete(ConfigMap, "a");
  await harness.clock.advance(100);
  await harness.client.patch(ConfigMap, "a", { merge: { data: { message: "drifted" } } });
  await harness.clock.advance(100);
  assert.equal((await harness.client.get(ConfigMap, "a")).data?.["message"], "hello");
  const count = program.kept.length;
  await harness.client.patch(ConfigMap, "a", { merge: { metadata: { labels: { touched: "yes" } } } });
  await harness.clock.advance(100);
  assert.deepEqual(
    program.kept.slice(count).map(({ written }) => written),
    [false],
  );
});

test("by hand: work that fails is tried again as often as the queue says, then left until a change", async () => {
  await using harness = await Harness.start();
  const errors: string[] = [];
  const log = { ...silentLogger, error: (message: string) => errors.push(message) };
  await harness.client.create(ConfigMap, { metadata: { name: "a" } });
  await using program = await Program.start(harness, log);
  await harness.createWidget({ name: "a" });
  await harness.clock.advance(3_600_000);
  assert.equal(errors.filter((message) => message === "work on a key failed").length, 4);
  assert.equal(errors.at(-1), "work on a key failed too often; waiting for a change");
  const [event] = (await harness.client.list(Event)).items;
  assert.deepEqual([event?.reason, event?.regarding?.name], ["ErrResourceExists", "a"]);
  await harness.client.delete(ConfigMap, "a");
  await harness.client.patch(Widget, "a", { merge: { spec: { size: 2 } } });
  await harness.clock.advance(100);
  assert.equal((await harness.client.get(ConfigMap, "a")).data?.["size"], "2");
  assert.equal(program.queue.failures("default/a"), 0);
});

test("by hand: stopping lets the work at hand finish and leaves no timer", async () => {
  await using harness = await Harness.start();
  const before = harness.clock.pending;
  await harness.createWidget({ name: "a" });
  {
    await using _program = await Program.start(harness);
  }
  assert.equal((await harness.client.get(ConfigMap, "a")).data?.["message"], "hello");
  assert.equal(harness.clock.pending, before);
});

test("events go out together once all else that can run has run, or when somebody flushes", async () => {
  await using harness = await Harness.start();
  const { client, clock, random } = harness;
  const events = createEventRecorder({ client, clock, random, log: silentLogger, controller: "widget-program" });
  const notes = async (): Promise<unknown[]> => (await client.list(Event)).items.map(({ note }) => note).sort();
  const regarding = await client.create(ConfigMap, { metadata: { name: "told" } });
  const tell = (note: string): void => events.record({ type: "Normal", regarding, reason: "Told", note });
  tell("one");
  tell("two");
  await clock.settle();
  assert.deepEqual(await notes(), []);
  await clock.advance(0);
  assert.deepEqual(await notes(), ["one", "two"]);
  tell("three");
  await events.flush();
  assert.deepEqual(await notes(), ["one", "three", "two"]);
});
