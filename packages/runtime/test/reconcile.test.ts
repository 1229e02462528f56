import assert from "node:assert/strict";
import { test } from "node:test";
import { ConfigMap, Secret } from "@kubewright/api/core/v1";
import { Event } from "@kubewright/api/events/v1";
import { silentLogger, sleep, type Transport } from "@kubewright/core/ports";
import {
  after,
  backoff,
  createManager,
  defineController,
  metadataOnly,
  terminal,
  unstructured,
} from "@kubewright/runtime";
import { FaultyTransport } from "./faults.ts";
import { configMapFor, creating, Harness, Widget } from "./harness.ts";

test("R8: a reconcile sees its own writes although the watch is silent", async () => {
  await using harness = await Harness.start();
  const faults = new FaultyTransport(harness.server.transport, harness.random);
  let runs = 0;
  const counting = defineController({
    for: Widget,
    owns: [ConfigMap],
    async reconcile(widget, context) {
      runs += 1;
      await creating.reconcile?.(widget, context);
      assert.notEqual(context.cache.get(ConfigMap, widget.metadata.name ?? ""), undefined);
      return runs < 5 ? after("1s") : undefined;
    },
  });
  await harness.manage([counting], { wrap: () => faults });
  faults.only = (request) => request.path.includes("configmaps");
  faults.rates = { stall: 1 };
  await harness.createWidget({ name: "a" });
  await harness.clock.advance(6000);
  assert.equal(runs, 5);
  assert.equal(harness.takeWrites().length, 1);
});

test("R8: a reconcile sees its own writes in each of several namespaces that are followed one by one", async () => {
  await using harness = await Harness.start();
  await harness.createNamespace("other");
  const faults = new FaultyTransport(harness.server.transport, harness.random);
  const seen: (string | undefined)[] = [];
  const reading = defineController({
    for: Widget,
    owns: [ConfigMap],
    async reconcile(widget, context) {
      await creating.reconcile?.(widget, context);
      seen.push(context.cache.get(ConfigMap, widget.metadata.name ?? "")?.metadata?.namespace);
    },
  });
  await harness.manage([reading], { wrap: () => faults, namespaces: ["default", "other"] });
  faults.only = (request) => request.path.includes("configmaps");
  faults.rates = { stall: 1 };
  for (const namespace of ["default", "other"]) await harness.createWidget({ name: "a", namespace });
  await harness.clock.advance(1000);
  assert.deepEqual(seen, ["default", "other"]);
});

test("R8: a reconcile sees its own writes and deletions in a cache of metadata, and nothing but their metadata", async () => {
  await using harness = await Harness.start();
  const faults = new FaultyTransport(harness.server.transport, harness.random);
  const Metadata = metadataOnly(ConfigMap);
  const seen: unknown[] = [];
  const writing = defineController({
    for: Widget,
    reads: [Metadata, ConfigMap],
    async reconcile({ metadata: { name = "" } }, { client, cache, signal }) {
      for (const labels of [{ step: "1" }, { step: "2" }]) {
        await client.apply(ConfigMap, { metadata: { name, labels }, data: { large: "text" } }, { signal });
        const { metadata, ...rest } = cache.get(Metadata, name) ?? {};
        seen.push(rest, metadata?.labels, metadata?.managedFields);
      }
      await client.patch(Metadata, name, { merge: { metadata: { labels: { step: "3" } } } }, { signal });
      seen.push(cache.get(Metadata, name)?.metadata.labels, cache.get(ConfigMap, name)?.data);
      await client.delete(Metadata, name, { signal });
      seen.push(cache.get(Metadata, name), cache.get(ConfigMap, name));
      const { metadata: { uid } = {} } = await client.create(ConfigMap, { metadata: { name } }, { signal });
      seen.push(uid !== undefined && cache.get(Metadata, name)?.metadata.uid === uid);
      await client.delete(ConfigMap, name, { signal });
      seen.push(cache.get(Metadata, name));
    },
  });
  await harness.manage([writing], { wrap: () => faults });
  faults.only = (request) => request.path.includes("configmaps");
  faults.rates = { stall: 1 };
  await harness.createWidget({ name: "a" });
  await harness.clock.advance(1000);
  const partial = { apiVersion: "meta.k8s.io/v1", kind: "PartialObjectMetadata" };
  assert.deepEqual(seen, [
    ...[partial, { step: "1" }, undefined],
    ...[partial, { step: "2" }, undefined],
    ...[{ step: "3" }, { large: "text" }],
    ...[undefined, undefined],
    ...[true, undefined],
  ]);
});

test("R12: changing an object from the cache throws", async () => {
  await using harness = await Harness.start();
  let thrown: unknown;
  const careless = defineController({
    for: Widget,
    async reconcile(widget) {
      try {
        Object.assign(widget.spec, { size: 99 });
      } catch (error) {
        thrown = error;
      }
    },
  });
  const manager = await harness.manage([careless]);
  await harness.createWidget({ name: "a" });
  await harness.settled(manager);
  assert.ok(thrown instanceof TypeError);
});

test("R13: reading a kind that was not declared is an error, not a list of the cluster", async () => {
  await using harness = await Harness.start();
  let message = "";
  const curious = defineController({
    for: Widget,
    async reconcile(_widget, { cache }) {
      try {
        cache.list(Secret);
      } catch (error) {
        message = String(error);
      }
    },
  });
  const manager = await harness.manage([curious]);
  await harness.createWidget({ name: "a" });
  await harness.settled(manager);
  assert.match(message, /secrets is not cached; add it to the controller's owns, watches or reads/);
  assert.equal(
    harness.requests.some((request) => request.includes("secrets")),
    false,
  );
});

test("R17: a failing object waits longer and longer, the others do not notice", async () => {
  await using harness = await Harness.start();
  const timesMs: number[] = [];
  let fine = 0;
  const failing = defineController({
    for: Widget,
    async reconcile(widget) {
      if (widget.metadata.name !== "bad") fine += 1;
      else {
        timesMs.push(harness.clock.monotonic());
        throw new Error("no");
      }
    },
  });
  await harness.manage([failing]);
  await harness.createWidget({ name: "bad" });
  await harness.createWidget({ name: "good" });
  await harness.clock.advance(10_000);
  const waitsMs = timesMs.slice(1).map((timeMs, index) => timeMs - (timesMs[index] ?? 0));
  assert.ok(
    waitsMs.every((waitMs, index) => waitMs >= 5 * 2 ** index && waitMs <= 5.6 * 2 ** index),
    waitsMs.join(" "),
  );
  assert.equal(fine, 1);
});

test("R17: a fresh change does not wait for the backoff", async () => {
  await using harness = await Harness.start();
  let runs = 0;
  const failing = defineController({
    for: Widget,
    async reconcile() {
      runs += 1;
      throw new Error("no");
    },
  });
  const manager = await harness.manage([failing]);
  await harness.createWidget({ name: "a" });
  await harness.clock.advance(60_000);
  const before = runs;
  await harness.client.patch(Widget, "a", { merge: { spec: { size: 5 } } });
  await harness.settled(manager);
  assert.equal(runs, before + 1);
});

test("R17: after an outage of an hour every object that failed meanwhile is there within a minute", async () => {
  await using harness = await Harness.start();
  const faults = new FaultyTransport(harness.server.transport, harness.random);
  const manager = await harness.manage([creating], { wrap: () => faults });
  faults.only = ({ method }) => method !== "GET"; // At first they come by the watch, and fail.
  faults.rates = { refuse: 1 };
  for (let count = 0; count < 20; count++) await harness.createWidget({ name: `w${count}` });
  await harness.clock.advance(10_000);
  faults.only = () => true;
  faults.rates = { refuse: 1, cut: 1 };
  await harness.clock.advance(3_600_000);
  harness.takeWrites();
  await harness.clock.advance(1_000_000);
  assert.ok(harness.takeWrites().length <= 40, "objects are tried about once in 1 000 s while the server is away");
  faults.rates = {};
  await harness.clock.advance(60_000);
  await harness.settled(manager);
  assert.equal((await harness.client.list(ConfigMap)).items.length, 20);
  assert.equal(harness.takeWrites().length, 20);
});

test("a terminal error is not retried until the object changes", async () => {
  await using harness = await Harness.start();
  let runs = 0;
  const failing = defineController({
    for: Widget,
    async reconcile() {
      runs += 1;
      throw terminal(new Error("never"));
    },
  });
  const manager = await harness.manage([failing]);
  await harness.createWidget({ name: "a" });
  await harness.clock.advance(3_600_000);
  assert.equal(runs, 1);
  await harness.client.patch(Widget, "a", { merge: { spec: { size: 5 } } });
  await harness.settled(manager);
  assert.equal(runs, 2);
});

test("a retry limit gives a key up until it changes", async () => {
  await using harness = await Harness.start();
  let runs = 0;
  const failing = defineController({
    for: Widget,
    backoff: { retriesMax: 3 },
    async reconcile() {
      runs += 1;
      throw new Error("no");
    },
  });
  await harness.manage([failing]);
  await harness.createWidget({ name: "a" });
  await harness.clock.advance(3_600_000);
  assert.equal(runs, 4);
});

test("backoff polls with growing waits and logs no error", async () => {
  await using harness = await Harness.start();
  const errors: string[] = [];
  let runs = 0;
  const polling = defineController({
    for: Widget,
    async reconcile() {
      runs += 1;
      return runs < 6 ? backoff("not yet") : undefined;
    },
  });
  const log = { ...silentLogger, error: (message: string) => errors.push(message), with: () => log };
  await harness.manage([polling], { log });
  await harness.createWidget({ name: "a" });
  await harness.clock.advance(10_000);
  assert.equal(runs, 6);
  assert.deepEqual(errors, []);
});

test("R19: a controller that writes without end is slowed down within two minutes, with an event", async () => {
  await using harness = await Harness.start();
  let runs = 0;
  const restless = defineController({
    for: Widget,
    async reconcile(widget, { client, signal }) {
      runs += 1;
      const merge = { metadata: { annotations: { runs: String(runs) } } };
      await client.patch(Widget, widget, { merge }, { signal });
    },
  });
  await harness.manage([restless]);
  await harness.createWidget({ name: "a" });
  await harness.clock.advance(120_000);
  assert.ok(runs < 40, `${runs} reconciles in two minutes`);
  await harness.clock.advance(3_600_000);
  assert.ok(runs < 60, `${runs} reconciles in an hour`);
  const events = await harness.client.list(Event);
  assert.equal(events.items[0]?.reason, "HotLoop");
});

test("R20: a reconcile that never returns is given up after its timeout, and its key is retried", async () => {
  await using harness = await Harness.start();
  let runs = 0;
  const endless = defineController({
    for: Widget,
    timeout: "10s",
    async reconcile() {
      runs += 1;
      if (runs === 1) await new Promise(() => {});
    },
  });
  const manager = await harness.manage([endless]);
  await harness.createWidget({ name: "a" });
  await harness.clock.advance(11_000);
  assert.equal(runs, 2);
  assert.match(manager.metrics.print(), /controller_runtime_reconcile_timeouts_total\{controller="widget"\} 1/);
});

test("R20: whatever a reconcile throws is an error of that key alone", async () => {
  await using harness = await Harness.start();
  let runs = 0;
  const odd = defineController({
    for: Widget,
    async reconcile() {
      runs += 1;
      if (runs === 1) throw undefined;
      if (runs === 2) throw "text";
    },
  });
  await harness.manage([odd]);
  await harness.createWidget({ name: "a" });
  await harness.clock.advance(1000);
  assert.equal(runs, 3);
});

test("R28: stopping lets the running reconcile finish and starts no other", async () => {
  await using harness = await Harness.start();
  const finished: string[] = [];
  const slow = defineController({
    for: Widget,
    concurrency: 1,
    async reconcile(widget, { clock, client, signal }) {
      await sleep(clock, 5000, signal);
      await client.create(ConfigMap, { metadata: { name: widget.metadata.name ?? "" } }, { signal });
      finished.push(widget.metadata.name ?? "");
    },
  });
  const manager = await harness.manage([slow]);
  await harness.createWidget({ name: "a" });
  await harness.createWidget({ name: "b" });
  await harness.clock.settle();
  await harness.stop(manager);
  assert.deepEqual(finished, ["a"]);
  assert.equal((await harness.client.get(ConfigMap, "a")).metadata?.name, "a");
});

test("R28: a reconcile that does not finish in time is aborted", async () => {
  await using harness = await Harness.start();
  let reason: unknown;
  const stuck = defineController({
    for: Widget,
    async reconcile(_widget, { clock, signal }) {
      await sleep(clock, 3_600_000, signal).catch((error: unknown) => {
        reason = error;
      });
    },
  });
  const manager = await harness.manage([stuck], { graceMs: 30_000 });
  await harness.createWidget({ name: "a" });
  await harness.clock.settle();
  const tookMs = await harness.stop(manager);
  assert.equal(tookMs, 30_000);
  assert.match(String(reason), /the manager stops/);
});

test("R28: what was recorded before the end is sent before it", async () => {
  await using harness = await Harness.start();
  const slowly = (transport: Transport): Transport => ({
    async send(request) {
      if (request.path.includes("events")) await sleep(harness.clock, 2000, request.signal);
      return transport.send(request);
    },
  });
  const recording = defineController({
    for: Widget,
    async reconcile(_widget, { events }) {
      events.normal("Seen", "it was there");
    },
  });
  const manager = await harness.manage([recording], { wrap: slowly });
  await harness.createWidget({ name: "a" });
  await harness.settled(manager);
  assert.deepEqual((await harness.client.list(Event)).items, []);
  await harness.stop(manager);
  assert.deepEqual(
    (await harness.client.list(Event)).items.map(({ reason }) => reason),
    ["Seen"],
  );
});

test("R29: an outage of ten minutes ends in convergence without a doubled write", async () => {
  await using harness = await Harness.start();
  const faults = new FaultyTransport(harness.server.transport, harness.random);
  const manager = await harness.manage([creating], { wrap: () => faults });
  faults.rates = { refuse: 1, cut: 1 };
  for (let count = 0; count < 20; count++) await harness.createWidget({ name: `w${count}` });
  await harness.clock.advance(600_000);
  assert.ok(manager.problems().length > 0);
  harness.takeWrites();
  faults.rates = {};
  await harness.clock.advance(60_000);
  assert.equal((await harness.client.list(ConfigMap)).items.length, 20);
  assert.equal(harness.takeWrites().length, 20);
  assert.deepEqual(manager.problems(), []);
});

test("R9: a change of a child that only a new list brings wakes its owner", async () => {
  await using harness = await Harness.start();
  const faults = new FaultyTransport(harness.server.transport, harness.random);
  const sizes: (string | undefined)[] = [];
  const reading = defineController({
    for: Widget,
    owns: [ConfigMap],
    async reconcile(widget, context) {
      await creating.reconcile?.(widget, context);
      sizes.push(context.cache.get(ConfigMap, widget.metadata.name ?? "")?.data?.["size"]);
    },
  });
  await harness.manage([reading], { wrap: () => faults });
  await harness.createWidget({ name: "a" });
  await harness.clock.advance(1000);
  faults.only = ({ path }) => path.includes("configmaps");
  faults.rates = { expire: 1 };
  await harness.client.patch(ConfigMap, "a", { merge: { data: { size: "drifted" } } });
  await harness.clock.settle();
  faults.rates = {};
  await harness.clock.advance(100_000);
  assert.equal(sizes.at(-1), "drifted");
});

test("R20: a reconcile that comes back after NaN failed, and the others go on", async () => {
  await using harness = await Harness.start();
  const seen = new Set<string>();
  const reckoning = defineController({
    for: Widget,
    async reconcile({ metadata }) {
      seen.add(metadata.name ?? "");
      return metadata.name === "a" ? after(Date.parse("no date") - 1) : undefined;
    },
  });
  const manager = await harness.manage([reckoning]);
  await harness.createWidget({ name: "a" });
  await harness.clock.advance(1000);
  await harness.createWidget({ name: "b" });
  await harness.clock.advance(1000);
  assert.deepEqual([...seen], ["a", "b"]);
  assert.equal(manager.history.list()[0]?.reason, 'NaN is no duration; give milliseconds, or a text such as "30s"');
});

test("with a resync every object is looked at again, whatever its reconcile ended with", async () => {
  await using harness = await Harness.start();
  const runs = new Map<string, number>();
  const ending = defineController({
    for: Widget,
    resync: "1m",
    backoff: { retriesMax: 1 },
    async reconcile({ metadata: { name = "" } }) {
      runs.set(name, (runs.get(name) ?? 0) + 1);
      if (name === "after") return after("1h");
      if (name === "terminal") throw terminal(new Error("no use"));
      if (name === "given-up") throw new Error("no luck");
      return undefined;
    },
  });
  await harness.manage([ending]);
  for (const name of ["done", "after", "terminal", "given-up"]) await harness.createWidget({ name });
  await harness.clock.advance(10_000);
  runs.clear();
  await harness.clock.advance(70_000);
  assert.deepEqual([...runs.keys()].sort(), ["after", "done", "given-up", "terminal"]);
});

test("a fresh change goes before objects that are looked at again because of the resync", async () => {
  await using harness = await Harness.start();
  const seen: string[] = [];
  const slow = defineController({
    for: Widget,
    resync: "10s",
    concurrency: 1,
    async reconcile({ metadata: { name = "" } }, { clock }) {
      seen.push(name);
      await sleep(clock, 3000);
    },
  });
  const manager = await harness.manage([slow]);
  for (let count = 0; count < 10; count++) await harness.createWidget({ name: `w${count}` });
  await harness.clock.advance(100_000); // By now several wait for their turn.
  seen.splice(0);
  await harness.createWidget({ name: "fresh" });
  await harness.clock.advance(7000);
  await harness.stop(manager);
  assert.ok(seen.slice(0, 2).includes("fresh"), seen.join(", "));
});

test("a rate limit spreads reconciles over time", async () => {
  await using harness = await Harness.start();
  let runs = 0;
  const limited = defineController({
    for: Widget,
    rateLimit: { perSecond: 2, burst: 5 },
    async reconcile() {
      runs += 1;
    },
  });
  await harness.manage([limited]);
  for (let count = 0; count < 20; count++) await harness.createWidget({ name: `w${count}` });
  await harness.clock.settle();
  assert.equal(runs, 5);
  await harness.clock.advance(5000);
  assert.equal(runs, 15);
  await harness.clock.advance(5000);
  assert.equal(runs, 20);
});

test("R15: after stop no timer is left, whatever was going on", async () => {
  await using harness = await Harness.start();
  const before = harness.clock.pending;
  for (let round = 0; round < 10; round++) {
    const busy = defineController({
      for: Widget,
      resync: "1m",
      owns: [ConfigMap],
      async reconcile(_widget, { clock, signal }) {
        await sleep(clock, 1000, signal);
        return round % 2 === 0 ? after("30s") : backoff("later");
      },
    });
    const leaderElection = { name: "op", namespace: "default", identity: `replica-${round}` };
    const manager = await harness.manage([busy], { leaderElection });
    await harness.createWidget({ name: `w${round}` });
    await harness.clock.advance(20_000);
    await harness.stop(manager);
  }
  assert.equal(harness.clock.pending, before);
});

test("R11: a controller whose kind is missing waits, the others work", async () => {
  await using harness = await Harness.start();
  const Late = unstructured({
    group: "late.example.com",
    version: "v1",
    kind: "Late",
    plural: "lates",
    scope: "Namespaced",
  });
  const late: string[] = [];
  const lateController = defineController({
    for: metadataOnly(Late),
    async reconcile(object) {
      late.push(object.metadata.name ?? "");
    },
  });
  await using manager = createManager({
    transport: harness.server.transport,
    controllers: [creating, lateController],
    clock: harness.clock,
    random: harness.random,
  });
  const started = manager.start().catch(() => {});
  await harness.createWidget({ name: "a" });
  await harness.clock.advance(10_000);
  assert.notEqual(await harness.client.find(ConfigMap, "a"), undefined);
  assert.match(manager.problems().join(), /lates.late.example.com: .*could not find/);
  await harness.install({ group: "late.example.com", kind: "Late" });
  await harness.client.create(Late, { metadata: { name: "x" }, ...{ spec: {} } });
  await harness.clock.advance(31_000);
  assert.deepEqual(late, ["x"]);
  await started;
});

test("a status says which generation it was made from, also when the object changes while its children are written", async () => {
  await using harness = await Harness.start();
  const { client, clock } = harness;
  const written: string[] = [];
  const wrap = (transport: Transport): Transport => ({
    async send(request) {
      if (request.method === "POST" && request.path.includes("configmaps")) {
        await client.patch(Widget, "a", { merge: { spec: { size: 2 } } });
        await sleep(clock, 1000); // The watch brings the change meanwhile.
      }
      const response = await transport.send(request);
      if (request.path.includes("/status")) {
        const { status } = await client.get(Widget, "a");
        const [ready] = status?.conditions ?? [];
        written.push(`${ready?.message} ${ready?.observedGeneration} ${status?.observedGeneration}`);
      }
      return response;
    },
  });
  const sized = defineController({
    for: Widget,
    owns: [ConfigMap],
    children: (widget) => [configMapFor(widget)],
    status: ({ spec }) => ({
      conditions: [{ type: "Ready", status: "True", reason: "Sized", message: `size ${spec.size}` }],
    }),
  });
  await harness.manage([sized], { wrap });
  await harness.createWidget({ name: "a" });
  await clock.advance(5000);
  assert.deepEqual(written, ["size 1 1 1", "size 2 2 2"]);
});

test("R26: an object whose status tells how far its end is goes after one finalize", async () => {
  await using harness = await Harness.start();
  let finalized = 0;
  const telling = defineController({
    for: Widget,
    async reconcile() {},
    async finalize(widget, { client }) {
      finalized += 1;
      if (finalized > 5) throw terminal(new Error("it starts over and over"));
      const gone = { type: "Gone", status: "False", reason: "Ending", message: `try ${finalized}` };
      const conditions = [{ ...gone, lastTransitionTime: "2026-01-01T00:00:00Z" }];
      await client.patch(Widget, widget, { merge: { status: { conditions } } }, { subresource: "status" });
    },
  });
  const manager = await harness.manage([telling]);
  await harness.createWidget({ name: "a" });
  await harness.settled(manager);
  await harness.client.delete(Widget, "a");
  await harness.clock.advance(10_000);
  assert.deepEqual([await harness.client.find(Widget, "a"), finalized], [undefined, 1]);
});

test("R26: a controller that reconciles deleted objects, too, finalizes them first, so that they can go", async () => {
  await using harness = await Harness.start();
  const seen: string[] = [];
  const both = defineController({
    for: Widget,
    reconcilesDeleting: true,
    async reconcile({ metadata }) {
      seen.push(metadata.deletionTimestamp === undefined ? "reconcile" : "reconcile deleted");
    },
    async finalize() {
      seen.push("finalize");
    },
  });
  const manager = await harness.manage([both]);
  await harness.createWidget({ name: "a", finalizers: ["example.com/other"] });
  await harness.settled(manager);
  await harness.client.delete(Widget, "a");
  await harness.settled(manager);
  assert.deepEqual([...new Set(seen)], ["reconcile", "finalize", "reconcile deleted"]);
  assert.deepEqual((await harness.client.get(Widget, "a")).metadata.finalizers, ["example.com/other"]);
});

test("R26: an object that is being deleted already gets no finalizer", async () => {
  await using harness = await Harness.start();
  await harness.createWidget({ name: "a", finalizers: ["example.com/other"] });
  await harness.client.delete(Widget, "a");
  const seen: string[] = [];
  const late = defineController({
    for: Widget,
    reconcilesDeleting: true,
    async reconcile(widget) {
      seen.push(widget.metadata.name ?? "");
    },
    async finalize() {},
  });
  const manager = await harness.manage([late]);
  await harness.settled(manager);
  assert.deepEqual(seen, ["a"]);
  assert.deepEqual(harness.takeWrites(), []);
});
