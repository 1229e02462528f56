import assert from "node:assert/strict";
import { Readable } from "node:stream";
import { test } from "node:test";
import { ConfigMap } from "@kubewright/api/core/v1";
import { seededRandom, silentLogger, type Transport } from "@kubewright/core/ports";
import { createClient, Informer, type InformerEvent, unstructured } from "@kubewright/runtime";
import { VirtualClock } from "@kubewright/testing";
import { answerOf } from "./faults.ts";
import { assertSame, createMap, Followed } from "./followed.ts";
import { Harness } from "./harness.ts";

test("R2: a silent watch is found within 70 s and resumed without a new list", async () => {
  await using harness = await Harness.start();
  await using followed = new Followed(harness);
  await harness.clock.advanceUntil(() => followed.informer.synced);
  followed.faults.rates = { stall: 1 };
  await createMap(harness, "missed");
  await harness.clock.advance(1000);
  assert.equal(followed.informer.store.get("default/missed"), undefined);
  followed.faults.rates = {};
  await harness.clock.advance(72_000);
  await assertSame(harness, followed.informer);
  assert.equal(followed.fetches, 1);
});

test("R3: a hundred watches that end are resumed from the last version, each event told once", async () => {
  await using harness = await Harness.start();
  await using followed = new Followed(harness);
  await harness.clock.advanceUntil(() => followed.informer.synced);
  for (let round = 0; round < 100; round++) {
    await createMap(harness, `m${round}`);
    await harness.clock.settle();
    followed.faults.rates = { end: 1 };
    await createMap(harness, `n${round}`);
    await harness.clock.advance(2000);
    followed.faults.rates = {};
    await harness.clock.advance(2000);
  }
  await harness.clock.advance(31_000);
  await assertSame(harness, followed.informer);
  assert.equal(followed.fetches, 1);
  assert.equal(new Set(followed.events.map(({ key, type }) => `${type} ${key}`)).size, followed.events.length);
});

test("R4: during an outage of 30 minutes requests are few, and 31 s after it everything is known", async () => {
  await using harness = await Harness.start();
  await using followed = new Followed(harness);
  await harness.clock.advanceUntil(() => followed.informer.synced);
  followed.faults.rates = { refuse: 1, cut: 1 };
  await createMap(harness, "late");
  const before = followed.requests.length;
  await harness.clock.advance(1_800_000);
  assert.ok(followed.requests.length - before <= 450, `${followed.requests.length - before} requests`);
  assert.notEqual(followed.informer.health().problem, undefined);
  followed.faults.rates = {};
  await harness.clock.advance(31_000);
  await assertSame(harness, followed.informer);
  assert.equal(followed.informer.health().problem, undefined);
});

test("R5: an expired version leads to one new list, and what was deleted meanwhile is told", async () => {
  await using harness = await Harness.start();
  await createMap(harness, "a");
  await using followed = new Followed(harness);
  await harness.clock.advanceUntil(() => followed.informer.synced);
  followed.faults.rates = { stall: 1 };
  await harness.client.delete(ConfigMap, "a");
  await harness.clock.advance(1000);
  followed.faults.rates = { expire: 1 };
  await harness.clock.advance(72_000);
  followed.faults.rates = {};
  await harness.clock.advance(72_000);
  await assertSame(harness, followed.informer);
  assert.equal(followed.events.at(-1)?.type, "deleted");
});

test("R6: a version that the server does not have yet leads to a new list of the newest state", async () => {
  await using harness = await Harness.start();
  await createMap(harness, "a");
  await using followed = new Followed(harness);
  await harness.clock.advanceUntil(() => followed.informer.synced);
  followed.faults.rates = { tooLarge: 1, end: 1 };
  await createMap(harness, "b");
  await harness.clock.advance(5000);
  followed.faults.rates = {};
  await harness.clock.advance(72_000);
  await assertSame(harness, followed.informer);
  assert.ok(followed.fetches >= 2);
});

test("R7: what is there at first is asked for at its newest, never from a cache that may lag", async () => {
  await using harness = await Harness.start();
  await createMap(harness, "a");
  await using followed = new Followed(harness);
  await harness.clock.advanceUntil(() => followed.informer.synced);
  const [first] = followed.requests;
  assert.match(first?.path ?? "", /resourceVersionMatch=NotOlderThan&sendInitialEvents=true/);
  assert.doesNotMatch(first?.path ?? "", /resourceVersion=/);
  await using old = new Followed(harness, 2, { initialEvents: false });
  await harness.clock.advanceUntil(() => old.informer.synced);
  await assertSame(harness, old.informer);
  const lists = old.requests.filter(({ path }) => !path.includes("watch=true")).map(({ path }) => path);
  assert.deepEqual(lists, ["/api/v1/configmaps?limit=500"]);
});

test("R10: bytes that are no event break the watch, never lose an event", async () => {
  await using harness = await Harness.start();
  await using followed = new Followed(harness);
  await harness.clock.advanceUntil(() => followed.informer.synced);
  followed.faults.rates = { garble: 1 };
  await createMap(harness, "a");
  await harness.clock.settle();
  assert.match(followed.informer.health().problem ?? "", /no whole answer/);
  followed.faults.rates = {};
  await harness.clock.advance(5000);
  await assertSame(harness, followed.informer);
});

test("R10: an object that cannot be kept is left out, the others go on", async () => {
  await using harness = await Harness.start();
  const errors: string[] = [];
  const log = { ...silentLogger, error: (message: string) => errors.push(message) };
  const client = createClient({ transport: harness.server.transport });
  const transform = (object: ConfigMap): ConfigMap => {
    if (object.data?.["value"] === "bad") throw new Error("undecodable");
    return object;
  };
  const informer = new Informer({
    client,
    definition: ConfigMap,
    transform,
    clock: harness.clock,
    random: harness.random,
    log,
  });
  informer.start();
  await createMap(harness, "bad", "bad");
  await createMap(harness, "good");
  await harness.clock.advanceUntil(() => informer.synced);
  assert.equal(informer.store.get("default/bad"), undefined);
  assert.equal(informer.store.get("default/good")?.data?.["value"], "1");
  assert.equal(errors.length, 1);
  assert.equal(informer.health().leftOut, 1);
  await harness.client.patch(ConfigMap, "good", { merge: { data: { value: "bad" } } });
  await harness.client.delete(ConfigMap, "good");
  await harness.clock.settle();
  assert.deepEqual([...informer.store.keys()], []); // Its last state could not be kept; that it ended is known all the same.
  await informer.stop();
});

test("R11: a kind that is not installed yet is followed within 31 s of its installation, with few lines in the log", async () => {
  await using harness = await Harness.start();
  const Late = unstructured({
    group: "late.example.com",
    version: "v1",
    kind: "Late",
    plural: "lates",
    scope: "Namespaced",
  });
  const lines: string[] = [];
  const log = { ...silentLogger, warn: (message: string) => lines.push(message) };
  const client = createClient({ transport: harness.server.transport });
  const informer = new Informer({ client, definition: Late, clock: harness.clock, random: harness.random, log });
  informer.start();
  await harness.clock.advance(300_000);
  assert.equal(informer.synced, false);
  assert.match(informer.health().problem ?? "", /could not find the requested resource/);
  assert.ok(lines.length <= 6, `${lines.length} lines in 5 minutes`);
  await harness.install({ group: "late.example.com", kind: "Late" });
  await harness.clock.advance(31_000);
  assert.equal(informer.synced, true);
  await informer.stop();
});

test("R38: a long list is taken piece by piece, and other work gets its turn in between", async () => {
  const clock = new VirtualClock();
  const objects = 20_000;
  const perPiece = 100;
  const line = (event: object): string => `${JSON.stringify(event)}\n`;
  const transport: Transport = {
    send: async ({ signal }) => ({ status: 200, headers: {}, body: initialEvents(signal) }),
  };
  async function* initialEvents(signal: AbortSignal | undefined): AsyncGenerator<Uint8Array> {
    for (let first = 0; first < objects; first += perPiece) {
      await clock.settle(); // Pieces come from the network one by one.
      const names = Array.from({ length: perPiece }, (_, index) => `m${first + index}`);
      const metadata = (name: string) => ({ name, namespace: "default", resourceVersion: "5" });
      yield Buffer.from(names.map((name) => line({ type: "ADDED", object: { metadata: metadata(name) } })).join(""));
    }
    const annotations = { "k8s.io/initial-events-end": "true" };
    yield Buffer.from(line({ type: "BOOKMARK", object: { metadata: { resourceVersion: "6", annotations } } }));
    await new Promise((_resolve, reject) => signal?.addEventListener("abort", () => reject(signal.reason)));
  }
  const ports = { clock, random: seededRandom(1), log: silentLogger };
  const informer = new Informer({ ...ports, client: createClient({ transport }), definition: ConfigMap });
  informer.start();
  let most = 0;
  for (let known = 0; !informer.synced; known = informer.store.size) {
    await clock.settle();
    most = Math.max(most, informer.store.size - known);
  }
  assert.equal(informer.store.size, objects);
  assert.ok(most <= 10 * perPiece, `${most} objects were taken within a few turns of the event loop`);
  await informer.stop();
});

test("R15: a thousand reconnects leave no timer behind", async () => {
  await using harness = await Harness.start();
  await using followed = new Followed(harness);
  await harness.clock.advanceUntil(() => followed.informer.synced);
  const before = harness.clock.pending;
  followed.faults.rates = { end: 0.5, cut: 0.3 };
  for (let round = 0; round < 300; round++) {
    await harness.client
      .patch(
        ConfigMap,
        { name: "kube-root-ca.crt", namespace: "default" },
        { merge: { data: { round: String(round) } } },
      )
      .catch(() => createMap(harness, `r${round}`));
    await harness.clock.advance(3000);
  }
  followed.faults.rates = {};
  await harness.clock.advance(80_000);
  assert.equal(harness.clock.pending, before);
});

/** How many runs; `KUBEWRIGHT_SEEDS=1000 npm test -- packages/runtime/test` makes more of them. */
const SEEDS = Number(process.env["KUBEWRIGHT_SEEDS"] ?? 150);

test(`R1: after ${SEEDS} random schedules of faults the cache has what the server has, and never went back`, async () => {
  for (let seed = 1; seed <= SEEDS; seed++) {
    const random = seededRandom(seed);
    await using harness = await Harness.start(seed);
    await using followed = new Followed(harness, seed);
    followed.faults.rates = {
      refuse: 0.1,
      turnAway: 0.1,
      loseAnswer: 0.05,
      cut: 0.1,
      end: 0.1,
      stall: 0.05,
      garble: 0.05,
      expire: 0.05,
      tooLarge: 0.05,
    };
    for (let step = 0; step < 30; step++) {
      const name = `m${Math.floor(random.next() * 5)}`;
      const exists = (await harness.client.find(ConfigMap, name)) !== undefined;
      if (!exists) await createMap(harness, name);
      else if (random.next() < 0.5) await harness.client.delete(ConfigMap, name);
      else await harness.client.patch(ConfigMap, name, { merge: { data: { value: String(step) } } });
      if (random.next() < 0.5) await harness.clock.advance(Math.floor(random.next() * 5000));
    }
    followed.faults.rates = {};
    await harness.clock.advance(140_000);
    try {
      await assertSame(harness, followed.informer);
      assertInOrder(followed.events);
      assertTold(followed);
    } catch (error) {
      throw new Error(`seed ${seed}`, { cause: error });
    }
  }
});

/** Per object the versions that handlers were told only grow; an end that was missed is told with the last state. */
function assertInOrder(events: readonly InformerEvent<ConfigMap>[]): void {
  const last = new Map<string, number>();
  for (const { key, type, object } of events) {
    const version = Number(object.metadata?.resourceVersion);
    const known = last.get(key) ?? 0;
    assert.ok(type === "deleted" ? version >= known : version > known, `${type} ${key}: from ${known} to ${version}`);
    last.set(key, version);
  }
}

/** Whoever goes by what handlers were told has what the cache has: each end was told, each beginning once, the last state at last. */
function assertTold({ events, informer }: Followed): void {
  const told = new Map<string, ConfigMap>();
  for (const { key, type, object, previous } of events) {
    assert.equal(told.has(key), type !== "added", `${type} ${key}`);
    assert.equal(previous?.metadata?.resourceVersion, told.get(key)?.metadata?.resourceVersion, `${type} ${key}`);
    if (type === "deleted") told.delete(key);
    else told.set(key, object);
  }
  const known = Array.from(informer.store.keys(), (key) => [key, informer.store.get(key)]);
  assert.deepEqual(Object.fromEntries(told), Object.fromEntries(known));
}

test("R4: watches that bring something and end at once are not asked for again at once", async () => {
  const clock = new VirtualClock();
  let requests = 0;
  const bookmark = (annotations: object): Uint8Array =>
    Buffer.from(
      `${JSON.stringify({ type: "BOOKMARK", object: { metadata: { resourceVersion: "6", annotations } } })}\n`,
    );
  const transport: Transport = {
    send: async ({ path }) => {
      requests += 1;
      if (requests > 1000) throw new Error("asked too often");
      const isFirst = path.includes("sendInitialEvents");
      const body = [bookmark(isFirst ? { "k8s.io/initial-events-end": "true" } : {})];
      return { status: 200, headers: {}, body: Readable.from(body) };
    },
  };
  const ports = { clock, random: seededRandom(1), log: silentLogger };
  const informer = new Informer({ ...ports, client: createClient({ transport }), definition: ConfigMap });
  informer.start();
  await clock.advance(60_000);
  assert.ok(informer.synced);
  assert.ok(requests > 10 && requests <= 160, `${requests} requests in a minute`);
  await informer.stop();
});

/** An informer on a server that answers as `send` says, and its clock. */
function informerOn(
  send: Transport["send"],
  options: Partial<ConstructorParameters<typeof Informer<ConfigMap>>[0]> = {},
) {
  const clock = new VirtualClock();
  const ports = { clock, random: seededRandom(1), log: silentLogger };
  const client = createClient({ transport: { send } });
  return { clock, informer: new Informer<ConfigMap>({ ...ports, client, definition: ConfigMap, ...options }) };
}

/** The body of a watch: these events, and then silence until the signal aborts. */
async function* watchBody(signal: AbortSignal | undefined, ...events: readonly object[]): AsyncGenerator<Uint8Array> {
  for (const event of events) yield Buffer.from(`${JSON.stringify(event)}\n`);
  await new Promise((_resolve, reject) => {
    if (signal?.aborted === true) reject(signal.reason);
    signal?.addEventListener("abort", () => reject(signal.reason));
  });
}

/** The bookmark behind the initial objects. */
function initialEnd(resourceVersion: string): object {
  const annotations = { "k8s.io/initial-events-end": "true" };
  return { type: "BOOKMARK", object: { metadata: { resourceVersion, annotations } } };
}

function mapAt(resourceVersion: string, name = "a"): ConfigMap {
  return { metadata: { name, namespace: "default", uid: `uid of ${name}`, resourceVersion } };
}

test("R5: versions that expire again and again are listed anew ever more rarely", async () => {
  let lists = 0;
  const { clock, informer } = informerOn(async ({ path }) => {
    if (path.includes("sendInitialEvents")) return answerOf({ ...FAILURE, reason: "Invalid", code: 422 });
    if (path.includes("watch=true")) return answerOf({ ...FAILURE, reason: "Expired", code: 410 });
    lists += 1;
    if (lists > 1000) throw new Error("asked too often");
    return answerOf({ code: 200, kind: "ConfigMapList", items: [], metadata: { resourceVersion: "6" } });
  });
  informer.start();
  await clock.advance(60_000);
  await informer.stop();
  assert.ok(lists >= 5 && lists <= 10, `${lists} lists in a minute`);
});

const FAILURE = { kind: "Status", apiVersion: "v1", metadata: {}, status: "Failure" };

test("R8: the late answer to an own write does not bring back what a list has shown to be gone", async () => {
  const { clock, informer } = informerOn(async ({ signal }) => ({
    status: 200,
    headers: {},
    body: watchBody(signal, initialEnd("7")),
  }));
  informer.start();
  await clock.advanceUntil(() => informer.synced);
  informer.observeWritten(mapAt("5")); // It was created at version 5, and deleted before the list at version 7.
  assert.equal(informer.store.get("default/a"), undefined);
  informer.observeWritten(mapAt("8"));
  assert.equal(informer.store.get("default/a")?.metadata?.resourceVersion, "8");
  await informer.stop();
});

test("a namespace that is left and followed again at once is complete, and known to be so only then", async () => {
  const releases: Array<() => void> = [];
  const { clock, informer } = informerOn(
    async ({ signal }) => {
      const body = watchBody(signal, { type: "ADDED", object: mapAt("5") }, initialEnd("6"));
      if (releases.length === 0) releases.push(() => {});
      else await new Promise<void>((resolve) => releases.push(resolve));
      return { status: 200, headers: {}, body };
    },
    { namespaces: "later" },
  );
  informer.start();
  informer.namespacesKnown();
  informer.follow("default");
  await clock.advanceUntil(() => informer.synced);
  const left = informer.unfollow("default");
  informer.follow("default");
  await left;
  await clock.settle();
  assert.equal(informer.synced, false);
  releases.at(-1)?.();
  await clock.advanceUntil(() => informer.synced);
  assert.deepEqual([...informer.store.keys()], ["default/a"]);
  await informer.stop();
});

test("a namespace whose former watch ends late keeps what it had when it was followed again", async () => {
  let requests = 0;
  let end = (): void => {};
  const { clock, informer } = informerOn(
    async ({ signal }) => {
      requests += 1;
      const body = watchBody(signal, { type: "ADDED", object: mapAt("5") }, initialEnd("6"));
      if (requests > 1) return { status: 200, headers: {}, body };
      await new Promise<void>((resolve) => {
        end = resolve; // Takes its time to notice that it was aborted.
      });
      throw signal?.reason;
    },
    { namespaces: "later" },
  );
  informer.start();
  informer.namespacesKnown();
  informer.follow("default");
  await clock.settle();
  const left = informer.unfollow("default");
  informer.follow("default");
  await clock.settle();
  end();
  await left;
  await clock.advanceUntil(() => informer.synced);
  await clock.settle();
  assert.deepEqual([...informer.store.keys()], ["default/a"]);
  await informer.stop();
});

test("R8: own writes in a namespace that was left and is followed again are read at once", async () => {
  let objects: readonly object[] = [{ type: "ADDED", object: mapAt("5") }];
  const { clock, informer } = informerOn(
    async ({ signal }) => ({ status: 200, headers: {}, body: watchBody(signal, ...objects, initialEnd("6")) }),
    { namespaces: "later" },
  );
  informer.start();
  informer.namespacesKnown();
  informer.follow("default");
  await clock.advanceUntil(() => informer.synced);
  await informer.unfollow("default");
  assert.deepEqual([...informer.store.keys()], []);
  objects = []; // Somebody deleted it meanwhile.
  informer.follow("default");
  await clock.advanceUntil(() => informer.synced);
  informer.observeWritten(mapAt("9"));
  assert.equal(informer.store.get("default/a")?.metadata?.resourceVersion, "9");
  await informer.stop();
});

test("R10: an own write that cannot be kept is left out, and the write succeeds", async () => {
  const { clock, informer } = informerOn(
    async ({ signal }) => ({ status: 200, headers: {}, body: watchBody(signal, initialEnd("6")) }),
    {
      transform: () => {
        throw new Error("undecodable");
      },
    },
  );
  informer.start();
  await clock.advanceUntil(() => informer.synced);
  informer.observeWritten(mapAt("9"));
  assert.equal(informer.health().leftOut, 1);
  await informer.stop();
});

test("R8: own writes are read at once in a cache of the objects with a label, too, and only if they have it", async () => {
  const { clock, informer } = informerOn(
    async ({ signal }) => ({ status: 200, headers: {}, body: watchBody(signal, initialEnd("6")) }),
    { labelSelector: "app in (web, shop),!hidden" },
  );
  informer.start();
  await clock.advanceUntil(() => informer.synced);
  const labelled = (name: string, labels: Readonly<Record<string, string>>): ConfigMap => {
    const { metadata } = mapAt("9", name);
    return { metadata: { ...metadata, labels } };
  };
  informer.observeWritten(labelled("a", { app: "web" }));
  informer.observeWritten(labelled("b", { app: "web", hidden: "yes" }));
  informer.observeWritten(labelled("c", {}));
  assert.deepEqual([...informer.store.keys()], ["default/a"]);
  await informer.stop();
});
