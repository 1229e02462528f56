import assert from "node:assert/strict";
import { test } from "node:test";
import { Lease } from "@kubewright/api/coordination/v1";
import { ConfigMap } from "@kubewright/api/core/v1";
import { Event } from "@kubewright/api/events/v1";
import { type Logger, seededRandom, silentLogger, sleep, type Transport } from "@kubewright/core/ports";
import { type Client, defineController, type Manager } from "@kubewright/runtime";
import { answerOf, FaultyTransport } from "./faults.ts";
import { configMapFor, Harness, Widget, widgetController } from "./harness.ts";

/** A replica that notes who reconciles what. */
async function replica(harness: Harness, identity: string): Promise<Replica> {
  const faults = new FaultyTransport(harness.server.transport, seededRandom(7));
  const seen: string[] = [];
  const noting = defineController({
    for: Widget,
    async reconcile(widget, { client, signal }) {
      seen.push(widget.metadata.name ?? "");
      const name = `${widget.metadata.name}-by-${identity}`;
      if ((await client.find(ConfigMap, name, { signal })) === undefined) {
        await client.create(ConfigMap, { metadata: { name } }, { signal });
      }
    },
  });
  let lost = false;
  const manager = await harness.manage([noting], {
    wrap: () => faults,
    leaderElection: { name: "op", namespace: "default", identity },
    onLeadershipLost: () => {
      lost = true;
    },
  });
  return { manager, faults, seen, lost: () => lost };
}

interface Replica {
  readonly manager: Manager;
  readonly faults: FaultyTransport;
  readonly seen: readonly string[];
  lost(): boolean;
}

test("one replica leads, the other waits with its caches filled", async () => {
  await using harness = await Harness.start();
  const first = await replica(harness, "one");
  await harness.clock.advance(3000);
  const second = await replica(harness, "two");
  await harness.createWidget({ name: "a" });
  await harness.clock.advance(60_000);
  assert.deepEqual([first.manager.leading, second.manager.leading], [true, false]);
  assert.deepEqual(first.seen, ["a"]);
  assert.deepEqual(second.seen, []);
  assert.deepEqual(second.manager.problems(), []);
});

test("a replica that waits queues nothing, and when it leads it looks at everything, what changed last first", async () => {
  await using harness = await Harness.start();
  const first = await replica(harness, "one");
  await harness.clock.advance(3000);
  await harness.createWidget({ name: "a" });
  const second = await replica(harness, "two");
  for (const name of ["b", "c"]) await harness.createWidget({ name }); // Made while it waits.
  await harness.client.patch(Widget, "a", { merge: { spec: { size: 2 } } });
  await harness.clock.advance(1000);
  assert.deepEqual([second.manager.leading, second.manager.idle, second.seen], [false, true, []]);
  await harness.stop(first.manager);
  await harness.clock.advance(3000);
  assert.deepEqual([second.manager.leading, second.seen], [true, ["a", "c", "b"]]);
});

test("R33: a leader that stops gives the lease back, and the next one leads within 3 s", async () => {
  await using harness = await Harness.start();
  const first = await replica(harness, "one");
  await harness.clock.advance(3000);
  const second = await replica(harness, "two");
  await harness.clock.advance(3000);
  await first.manager.stop();
  await harness.clock.advance(3000);
  assert.equal(second.manager.leading, true);
});

test("R30, R33: a leader cut off from the server refuses to write after 10 s, the next one leads within 18 s", async () => {
  await using harness = await Harness.start();
  const first = await replica(harness, "one");
  await harness.clock.advance(3000);
  const second = await replica(harness, "two");
  await harness.clock.advance(3000);
  first.faults.only = ({ path }) => path.includes("leases");
  first.faults.rates = { refuse: 1 };
  await harness.clock.advance(10_500);
  assert.equal(first.manager.leading, false);
  assert.equal(second.manager.leading, false);
  await harness.createWidget({ name: "late" });
  await harness.clock.advance(1000);
  assert.equal(await harness.client.find(ConfigMap, "late-by-one"), undefined);
  await harness.clock.advance(7000);
  assert.equal(first.lost(), true);
  assert.equal(second.manager.leading, true);
  assert.notEqual(await harness.client.find(ConfigMap, "late-by-two"), undefined);
});

test("R30: a leader that sees somebody else's name in the lease writes nothing from then on", async () => {
  await using harness = await Harness.start();
  const first = await replica(harness, "one");
  await harness.clock.advance(3000);
  await harness.client.patch(Lease, "op", { merge: { spec: { holderIdentity: "two" } } });
  await harness.clock.advance(2500);
  assert.deepEqual([first.manager.leading, first.lost()], [false, true]);
});

test("R30: a leader that slept through its lease between reading and writing sends nothing", async () => {
  await using harness = await Harness.start();
  let wake: () => void = () => {};
  const asleep = new Promise<void>((resolve) => {
    wake = resolve;
  });
  const errors: string[] = [];
  const sleeper = defineController({
    for: Widget,
    async reconcile(_widget, { client }) {
      await asleep;
      await client
        .create(ConfigMap, { metadata: { name: "stale" } })
        .catch((error: Error) => errors.push(error.message));
    },
  });
  const faults = new FaultyTransport(harness.server.transport, seededRandom(7));
  await harness.manage([sleeper], {
    wrap: () => faults,
    leaderElection: { name: "op", namespace: "default", identity: "one" },
  });
  await harness.createWidget({ name: "a" });
  await harness.clock.advance(3000);
  faults.only = ({ path }) => path.includes("leases");
  faults.rates = { refuse: 1 };
  await harness.clock.advance(20_000);
  wake();
  await harness.clock.settle();
  assert.match(errors[0] ?? "", /does not lead, or could not renew its lease in time/);
  assert.equal(await harness.client.find(ConfigMap, "stale"), undefined);
});

test("R23: while every other request is turned away, the lease is renewed as before", async () => {
  await using harness = await Harness.start();
  let isLimited = false;
  let turnedAway = 0;
  let renewals = 0;
  const limiting = (transport: Transport): Transport => ({
    async send(request) {
      if (request.path.includes("leases")) renewals += request.method === "GET" ? 0 : 1;
      else if (isLimited) {
        turnedAway += 1;
        return { ...answerOf({ code: 429 }), headers: { "retry-after": "20" } };
      }
      return transport.send(request);
    },
  });
  const leaderElection = { name: "op", namespace: "default", identity: "one" };
  const manager = await harness.manage([widgetController], { wrap: limiting, leaderElection });
  await harness.clock.advance(60_000);
  const renewalsInPeace = renewals;
  assert.ok(renewalsInPeace >= 25, `${renewalsInPeace} renewals`);
  isLimited = true;
  for (let count = 0; count < 50; count++) await harness.createWidget({ name: `w${count}` });
  renewals = 0;
  for (let second = 0; second < 60; second++) {
    await harness.clock.advance(1000);
    assert.equal(manager.leading, true);
  }
  assert.ok(turnedAway >= 30, `${turnedAway} turned away`);
  assert.ok(renewals >= renewalsInPeace - 1, `${renewals} renewals instead of ${renewalsInPeace}`);
  isLimited = false;
  await harness.clock.advance(60_000);
  assert.equal((await harness.client.list(ConfigMap, { labelSelector: { app: "bench" } })).items.length, 50);
});

test("R23: a connection for the lease alone is used for the lease alone", async () => {
  await using harness = await Harness.start();
  const sent: string[] = [];
  const noting = (name: string): Transport => ({
    send(request) {
      sent.push(`${name} ${request.path.includes("/leases") ? "lease" : "other"}`);
      return harness.server.transport.send(request);
    },
  });
  const leaderElection = { name: "op", namespace: "default", identity: "one", transport: noting("own") };
  const manager = await harness.manage([widgetController], { wrap: () => noting("shared"), leaderElection });
  await harness.createWidget({ name: "a" });
  await harness.clock.advance(60_000);
  assert.equal(manager.leading, true);
  assert.deepEqual([...new Set(sent)].sort(), ["own lease", "shared other"]);
});

test("a server that is away is told in one line a minute that names its address, and anew when it was there in between", async () => {
  await using harness = await Harness.start();
  const lines: string[] = [];
  const log: Logger = {
    ...silentLogger,
    warn: (message, fields) => lines.push(`${message} ${JSON.stringify(fields)}`),
    with: () => log,
  };
  let isAway = true;
  const transport: Transport = {
    async send(request) {
      if (isAway) throw new Error("connect ECONNREFUSED 10.0.0.1:6443");
      return harness.server.transport.send(request);
    },
  };
  const leaderElection = { name: "op", namespace: "default", identity: "one", transport };
  const manager = await harness.manage([widgetController], { leaderElection, log });
  await harness.clock.advance(179_000);
  const path = "/apis/coordination.k8s.io/v1/namespaces/default/leases/op";
  const problem = `no whole answer from the API server to GET ${path}: connect ECONNREFUSED 10.0.0.1:6443`;
  const fields = JSON.stringify({ lease: "default/op", problem });
  assert.deepEqual(lines.splice(0), Array(3).fill(`cannot get the lease; trying again ${fields}`));
  isAway = false;
  await harness.clock.advance(5000);
  assert.equal(manager.leading, true);
  isAway = true;
  await harness.clock.advance(5000);
  assert.deepEqual(lines, [`cannot renew the lease; trying again ${fields}`]);
});

test("R28: the lease is given back only after the running reconcile ended", async () => {
  await using harness = await Harness.start();
  const slow = defineController({
    for: Widget,
    async reconcile(_widget, { clock, client, signal }) {
      await sleep(clock, 5000, signal);
      await client.create(ConfigMap, { metadata: { name: "done" } }, { signal });
    },
  });
  const manager = await harness.manage([slow], {
    leaderElection: { name: "op", namespace: "default", identity: "one" },
  });
  await harness.createWidget({ name: "a" });
  await harness.clock.advance(1000);
  const second = await replica(harness, "two");
  const stopping = manager.stop();
  await harness.clock.advance(3000);
  assert.equal(second.manager.leading, false);
  await harness.clock.advance(6000);
  await stopping;
  assert.notEqual(await harness.client.find(ConfigMap, "done"), undefined);
  assert.equal(second.manager.leading, true);
});

test("R28: a leader that is stopped while the server answers nothing ends within its grace and a few seconds", async () => {
  await using harness = await Harness.start();
  let isSilent = false;
  const silencing = (transport: Transport): Transport => ({
    async send(request) {
      if (isSilent) await sleep(harness.clock, 3_600_000, request.signal);
      return transport.send(request);
    },
  });
  const telling = defineController({
    for: Widget,
    async reconcile(widget, { client, events, signal }) {
      events.normal("Seen", "it was there");
      events.normal("Again", "it was there");
      await client.patch(Widget, widget, { merge: { metadata: { labels: { seen: "yes" } } } }, { signal });
    },
  });
  const manager = await harness.manage([telling], {
    wrap: silencing,
    leaderElection: { name: "op", namespace: "default", identity: "one" },
    graceMs: 10_000,
  });
  await harness.clock.advance(5000);
  isSilent = true;
  await harness.createWidget({ name: "a" });
  await harness.clock.settle();
  const tookMs = await harness.stop(manager);
  assert.ok(tookMs <= 20_000, `${tookMs} ms`);
  isSilent = false;
  await harness.clock.advance(3_600_000); // What was on its way then arrives; what waited behind it was given up.
  const { items } = await harness.client.list(Event);
  assert.deepEqual(
    items.map(({ reason }) => reason),
    ["Seen"],
  );
});

test("R32: a timing by which two could lead at once is refused", async () => {
  await using harness = await Harness.start();
  const timing = { leaseMs: 15_000, renewDeadlineMs: 10_000, retryMs: 2000 };
  const election = { name: "op", namespace: "default", identity: "one" };
  for (const wrong of [{ leaseMs: 10_000 }, { renewDeadlineMs: 2000 }, { retryMs: 0 }, { leaseMs: Number.NaN }]) {
    const leaderElection = { ...election, timing: { ...timing, ...wrong } };
    await assert.rejects(harness.manage([widgetController], { leaderElection }), /two could lead at once/);
  }
});

test("R31: a wall clock that jumps changes nothing", async () => {
  await using harness = await Harness.start();
  const first = await replica(harness, "one");
  await harness.clock.advance(3000);
  const second = await replica(harness, "two");
  harness.clock.jump(3_600_000);
  await harness.clock.advance(60_000);
  harness.clock.jump(-7_200_000);
  await harness.clock.advance(60_000);
  assert.deepEqual([first.manager.leading, second.manager.leading], [true, false]);
});

test("R32: in random schedules of cut-off candidates two never lead at once", async () => {
  for (let seed = 1; seed <= 10; seed++) {
    const random = seededRandom(seed);
    await using harness = await Harness.start(seed);
    const replicas = [await replica(harness, "one"), await replica(harness, "two"), await replica(harness, "three")];
    for (const { faults } of replicas) faults.only = ({ path }) => path.includes("leases");
    for (let step = 0; step < 60; step++) {
      for (const { faults } of replicas) {
        if (random.next() < 0.2) faults.rates = random.next() < 0.5 ? { refuse: 1 } : { loseAnswer: 0.5 };
        else if (random.next() < 0.5) faults.rates = {};
      }
      await harness.clock.advance(Math.floor(random.next() * 4000));
      const leaders = replicas.filter(({ manager }) => manager.leading).length;
      assert.ok(leaders <= 1, `seed ${seed}: ${leaders} leaders at step ${step}`);
    }
  }
});

test("R34: what a former leader sent and the network still carries is refused when a fenced controller's next leader was there", async () => {
  await using harness = await Harness.start();
  const { client, clock } = harness;
  const fenced = { ...widgetController, fenced: true };
  const network = new HoldingNetwork("PATCH");
  await harness.manage([fenced], { wrap: network.wrap, leaderElection: { ...election, identity: "one" } });
  await harness.createWidget({ name: "a" });
  await clock.advance(3000);
  const former = await stampOn(client);
  await harness.manage([fenced], { leaderElection: { ...election, identity: "two" } });
  network.cut();
  await client.patch(Widget, "a", { merge: { spec: { size: 2 } } });
  await clock.advance(1000); // The first leader has sent its change of the child.
  await client.patch(Widget, "a", { merge: { spec: { size: 3 } } });
  await clock.advance(20_000); // The second one leads and has done its work.
  assert.equal((await client.get(ConfigMap, "a")).data?.["size"], "3");
  network.release();
  await clock.settle();
  assert.deepEqual(network.answers.slice(0, 1), ["409 /api/v1/namespaces/default/configmaps/a"]);
  await clock.advance(1000);
  assert.equal((await client.get(ConfigMap, "a")).data?.["size"], "3");
  assert.ok((await stampOn(client)) > former);
});

test("R34: a fenced controller sends no status again that was refused: it looks at the object anew", async () => {
  await using harness = await Harness.start();
  const { client, clock } = harness;
  const looks: (readonly string[] | undefined)[] = [];
  const fenced = defineController({
    for: Widget,
    fenced: true,
    children: () => [],
    status: ({ status }) => {
      looks.push(status?.conditions?.map(({ type }) => type));
      return { conditions: [{ type: "Ready", status: "True", reason: "Fine", message: "" }] };
    },
  });
  const answers: number[] = [];
  const wrap = (transport: Transport): Transport => ({
    async send(request) {
      if (!request.path.includes("/status")) return transport.send(request);
      if (answers.length === 0) {
        const conditions = [
          { type: "Audited", status: "True", reason: "Read", message: "", lastTransitionTime: "2026-01-01T00:00:00Z" },
        ];
        await client.patch(Widget, "a", { merge: { status: { conditions } } }, { subresource: "status" });
      }
      const answer = await transport.send(request);
      answers.push(answer.status);
      return answer;
    },
  });
  await harness.manage([fenced], { wrap, leaderElection: { ...election, identity: "one" } });
  await harness.createWidget({ name: "a" });
  await clock.advance(3000);
  assert.deepEqual(answers, [409, 200]);
  assert.equal(
    harness.requests.filter((request) => request.startsWith("GET ") && request.includes("widgets/a")).length,
    0,
  );
  assert.deepEqual(looks.at(-1), ["Audited", "Ready"]);
});

test("R34: a deletion that a former leader sent spares the child that a fenced controller's next leader wants again", async () => {
  await using harness = await Harness.start();
  const { client, clock } = harness;
  const fenced = defineController({
    for: Widget,
    owns: [ConfigMap],
    fenced: true,
    children: (widget) => (widget.spec.size > 0 ? [configMapFor(widget)] : []),
  });
  const network = new HoldingNetwork("DELETE");
  await harness.manage([fenced], { wrap: network.wrap, leaderElection: { ...election, identity: "one" } });
  await harness.createWidget({ name: "a" });
  await clock.advance(3000);
  const { uid } = (await client.get(ConfigMap, "a")).metadata ?? {};
  await harness.manage([fenced], { leaderElection: { ...election, identity: "two" } });
  network.cut();
  await client.patch(Widget, "a", { merge: { spec: { size: 0 } } });
  await clock.advance(1000); // The first leader has sent its deletion of the child.
  await client.patch(Widget, "a", { merge: { spec: { size: 1 } } });
  await clock.advance(20_000); // The second one leads, and has found and stamped the child.
  network.release();
  await clock.advance(1000);
  assert.deepEqual(network.answers.slice(0, 1), ["409 /api/v1/namespaces/default/configmaps/a"]);
  assert.equal((await client.get(ConfigMap, "a")).metadata?.uid, uid);
});

const election = { name: "op", namespace: "default" };

/** The network of a leader: once it is cut, its lease is out of reach, and requests of one method are held until they are released. */
class HoldingNetwork {
  /** What held requests were answered: "409 /api/v1/…". */
  readonly answers: string[] = [];
  readonly #method: string;
  readonly #released = Promise.withResolvers<void>();
  #isCut = false;

  constructor(method: string) {
    this.#method = method;
  }

  readonly wrap = (transport: Transport): Transport => ({
    send: async (request) => {
      if (this.#isCut && request.path.includes("leases")) throw new Error("connect ECONNREFUSED");
      const isHeld = this.#isCut && request.method === this.#method;
      if (isHeld) await this.#released.promise;
      const response = await transport.send(request);
      if (isHeld) this.answers.push(`${response.status} ${request.path.split("?")[0]}`);
      return response;
    },
  });

  cut(): void {
    this.#isCut = true;
  }

  release(): void {
    this.#released.resolve();
  }
}

test("R34: a fenced controller goes on where its Lease was deleted, however often it had changed hands", async () => {
  await using harness = await Harness.start();
  const { client, clock } = harness;
  const fenced = { ...widgetController, fenced: true };
  const lead = (identity: string): Promise<Manager> =>
    harness.manage([fenced], { leaderElection: { name: "op", namespace: "default", identity } });
  await harness.createWidget({ name: "a" });
  for (const identity of ["one", "two", "three"]) {
    const manager = await lead(identity);
    await clock.advance(20_000);
    await manager.stop();
  }
  await client.delete(Lease, "op");
  await client.patch(Widget, "a", { merge: { spec: { size: 2 } } });
  await lead("four");
  await clock.advance(20_000);
  assert.equal((await client.get(ConfigMap, "a")).data?.["size"], "2");
});

/** The epoch that stands on the Widget. */
async function stampOn(client: Client): Promise<number> {
  const { metadata } = await client.get(Widget, "a");
  return Number(metadata.annotations?.["kubewright.dev/epoch"]);
}

test("a fenced controller's steady state sends nothing, and without an election it stamps nothing", async () => {
  await using harness = await Harness.start();
  const manager = await harness.manage([{ ...widgetController, fenced: true }]);
  await harness.createWidget({ name: "a" });
  await harness.settled(manager);
  assert.equal((await harness.client.get(Widget, "a")).metadata.annotations, undefined);
  assert.equal(harness.takeWrites().length, 2);
});
