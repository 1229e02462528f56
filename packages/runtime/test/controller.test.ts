import assert from "node:assert/strict";
import { test } from "node:test";
import { ConfigMap, Secret } from "@kubewright/api/core/v1";
import { seededRandom, sleep, type Transport } from "@kubewright/core/ports";
import { cached, defineController, type Manager, type Observed, rbacRules } from "@kubewright/runtime";
import { FaultyTransport, lateWatches } from "./faults.ts";
import { configMapFor, Harness, Widget, widgetController } from "./harness.ts";

async function settledWidget(harness: Harness, manager: Manager, spec: { size?: number } = {}): Promise<void> {
  await harness.client.create(Widget, { metadata: { name: "a" }, spec });
  await harness.settled(manager);
}

test("a stranger that the cache has not seen yet is not taken over either", async () => {
  await using harness = await Harness.start();
  const { client } = harness;
  const faults = new FaultyTransport(harness.server.transport, seededRandom(3));
  const manager = await harness.manage([widgetController], { wrap: () => faults });
  faults.only = ({ path }) => path.includes("configmaps") && path.includes("watch");
  faults.rates = { stall: 1 };
  await client.create(ConfigMap, { metadata: { name: "a" }, data: { other: "mine" } }, { fieldManager: "stranger" });
  await settledWidget(harness, manager);
  const stranger = await client.get(ConfigMap, "a");
  assert.deepEqual([stranger.data, stranger.metadata?.ownerReferences ?? []], [{ other: "mine" }, []]);
});

test("in the process of the server a created child bears its mark itself, and a restart takes its fields over as anywhere", async () => {
  await using harness = await Harness.start();
  const { transport } = harness.server;
  const controllers = (data: object) => [
    defineController({ for: Widget, owns: [ConfigMap], children: (widget) => [{ ...configMapFor(widget), data }] }),
  ];
  const first = await harness.manage(controllers({ size: "1", message: "hello" }), { transport });
  await settledWidget(harness, first);
  const { metadata } = await harness.client.get(ConfigMap, "a");
  assert.match(metadata?.annotations?.["kubewright.dev/applied"] ?? "", /^widget\/[\da-z]{21}\/created$/);
  await harness.stop(first);
  const second = await harness.manage(controllers({ size: "1", message: "hello" }), { transport });
  await harness.settled(second);
  assert.equal((await harness.client.get(ConfigMap, "a")).metadata?.resourceVersion, metadata?.resourceVersion);
  await harness.stop(second);
  await harness.settled(await harness.manage(controllers({ size: "1" }), { transport }));
  const { data, metadata: applied } = await harness.client.get(ConfigMap, "a");
  assert.deepEqual(data, { size: "1" });
  assert.deepEqual(
    applied?.managedFields?.map(({ manager, operation }) => [manager, operation]),
    [["widget", "Apply"]],
  );
});

test("a controller's name is short enough to name field managers after it", () => {
  const named = (length: number) =>
    defineController({ for: Widget, name: "n".repeat(length), reconcile: async () => {} });
  assert.equal(named(98).name.length, 98);
  assert.throws(() => named(99), /the controller's name "n+" is longer than 98 characters/);
});

test("after a restart what changed last goes first", async () => {
  await using harness = await Harness.start();
  const { client } = harness;
  for (const name of ["a", "b", "d", "e"]) {
    await harness.createWidget({ name });
    const status = { ready: true, observedGeneration: 1 };
    await client.patch(Widget, name, { merge: { status } }, { subresource: "status" });
  }
  await harness.createWidget({ name: "c" }); // Made while nobody looked.
  await client.patch(Widget, "b", { merge: { spec: { size: 2 } } }); // Changed while nobody looked.
  const order: string[] = [];
  const reconcile = async ({ metadata }: Widget): Promise<void> => {
    order.push(metadata.name);
  };
  const manager = await harness.manage([defineController({ for: Widget, concurrency: 1, reconcile })]);
  await harness.settled(manager);
  assert.deepEqual(order, ["b", "c", "e", "d", "a"]);
});

for (const [form, answer] of [
  ["at once", <Value>(value: Value) => value],
  ["later", async <Value>(value: Value) => value],
] as const) {
  test(`a reconcile asks once for children and once for the status, which are told ${form}`, async () => {
    await using harness = await Harness.start();
    const asked = { children: 0, status: 0 };
    const controller = defineController({
      for: Widget,
      owns: [ConfigMap],
      children: (widget) => {
        asked.children += 1;
        return answer([configMapFor(widget)]);
      },
      status: (_widget, { list }) => {
        asked.status += 1;
        return answer({ ready: list(ConfigMap).length === 1 });
      },
    });
    const manager = await harness.manage([controller]);
    await settledWidget(harness, manager, { size: 3 });
    const { status } = await harness.client.get(Widget, "a");
    assert.deepEqual(status, { ready: true, observedGeneration: 1 });
    assert.ok(asked.children > 1, "once to make the child, once to find that all is as it should be");
    assert.equal(asked.status, asked.children);
  });
}

test("children that depend on nothing that is there are not looked at again when the watch brings them, unless others changed them", async () => {
  await using harness = await Harness.start();
  const { client } = harness;
  let asked = 0;
  const children = (widget: Widget): ConfigMap[] => {
    asked += 1;
    return [configMapFor(widget)];
  };
  const manager = await harness.manage([defineController({ for: Widget, owns: [ConfigMap], children })]);
  await settledWidget(harness, manager);
  assert.equal(asked, 1);
  await client.delete(ConfigMap, "a");
  await harness.settled(manager);
  assert.equal(asked, 2);
  await client.patch(ConfigMap, "a", { merge: { data: { size: "other" } } });
  await harness.settled(manager);
  assert.ok(asked > 2, "what others do is looked at");
  assert.deepEqual((await client.get(ConfigMap, "a")).data, configMapFor(await client.get(Widget, "a")).data);
});

test("a child that others delete again and again comes back at once each time: that is no hot loop", async () => {
  await using harness = await Harness.start();
  const children = (widget: Widget): ConfigMap[] => [configMapFor(widget)];
  const manager = await harness.manage([defineController({ for: Widget, owns: [ConfigMap], children })]);
  await settledWidget(harness, manager);
  for (let times = 0; times < 30; times++) {
    await harness.client.delete(ConfigMap, "a"); // Rejects when it has not come back.
    await harness.settled(manager);
  }
});

test("children that depend on what is there are made one after the other", async () => {
  await using harness = await Harness.start();
  const children = (widget: Widget, { get }: Observed): ConfigMap[] => {
    const first = configMapFor(widget);
    return get(ConfigMap, "a") === undefined ? [first] : [first, { ...first, metadata: { name: "second" } }];
  };
  const manager = await harness.manage([defineController({ for: Widget, owns: [ConfigMap], children })]);
  await settledWidget(harness, manager);
  assert.equal((await harness.client.get(ConfigMap, "second")).metadata?.name, "second");
});

test("a child of the controller's own kind is reconciled when its owner's reconcile changed it", async () => {
  await using harness = await Harness.start();
  const { client, clock } = harness;
  const leafOf = ({ spec: { size } }: Widget): object[] => [
    { apiVersion: "example.com/v1", kind: "Widget", metadata: { name: "leaf" }, spec: { size } },
  ];
  const nesting = defineController({
    for: Widget,
    owns: [Widget, ConfigMap],
    children: (widget) => (widget.metadata.name === "parent" ? leafOf(widget) : [configMapFor(widget)]),
  });
  await harness.manage([nesting], { wrap: lateWatches(clock) });
  await harness.createWidget({ name: "parent" });
  await clock.advance(1000);
  await client.patch(Widget, "parent", { merge: { spec: { size: 2 } } });
  await clock.advance(1000);
  assert.equal((await client.get(ConfigMap, "leaf")).data?.["size"], "2");
});

test("a status sees a child that the cache can take from the watch only", async () => {
  await using harness = await Harness.start();
  const { client, clock } = harness;
  const selecting = { ...widgetController, caches: [cached(ConfigMap, { fieldSelector: { "metadata.name": "a" } })] };
  await harness.createWidget({ name: "a" });
  const status = { ready: false, observedGeneration: 1 }; // Written when the child could not be made.
  await client.patch(Widget, "a", { merge: { status } }, { subresource: "status" });
  await harness.manage([selecting], { wrap: lateWatches(clock) });
  await clock.advance(1000);
  assert.equal((await client.get(Widget, "a")).status?.ready, true);
});

test("rules are the least that a controller needs", () => {
  assert.deepEqual(rbacRules(widgetController), [
    { groups: ["example.com"], resources: ["widgets"], verbs: ["get", "list", "watch"] },
    { groups: ["example.com"], resources: ["widgets/status"], verbs: ["patch"] },
    { groups: ["example.com"], resources: ["widgets/finalizers"], verbs: ["update"] },
    { groups: [""], resources: ["configmaps"], verbs: ["get", "list", "watch", "create", "patch", "delete"] },
    { groups: ["events.k8s.io"], resources: ["events"], verbs: ["create", "patch"] },
  ]);
  const permissions = [{ groups: ["apps"], resources: ["deployments/scale"], verbs: ["get", "patch"] }];
  const declared = rbacRules({ ...widgetController, permissions, reads: [Secret] }).map(({ resources }) => resources);
  assert.ok(declared.flat().includes("deployments/scale") && declared.flat().includes("secrets"));
  const [fenced] = rbacRules({ ...widgetController, fenced: true });
  assert.deepEqual(fenced?.verbs, ["get", "list", "watch", "patch"]);
});

test("a kind that is only said how to cache is allowed to be read, and known before anything is reconciled", async () => {
  await using harness = await Harness.start();
  const { client, clock } = harness;
  const seen: (string | undefined)[] = [];
  const reading = defineController({
    for: Widget,
    caches: [cached(Secret, { labelSelector: { app: "w" } })],
    async reconcile(_widget, { cache }) {
      seen.push(cache.get(Secret, "a")?.metadata?.name);
    },
  });
  const rule = rbacRules(reading).find(({ resources }) => resources.includes("secrets"));
  assert.deepEqual(rule, { groups: [""], resources: ["secrets"], verbs: ["get", "list", "watch"] });
  await client.create(Secret, { metadata: { name: "a", labels: { app: "w" } } });
  await harness.createWidget({ name: "a" });
  const late = (transport: Transport): Transport => ({
    async send(request) {
      if (request.path.includes("secrets")) await sleep(clock, 5000);
      return transport.send(request);
    },
  });
  await harness.manage([reading], { wrap: late });
  await clock.advance(10_000);
  assert.deepEqual(seen, ["a"]);
});

test("two controllers of one name in a manager are refused: each would delete the children of the other", async () => {
  await using harness = await Harness.start();
  const other = defineController({ for: Widget, owns: [ConfigMap], children: () => [] });
  await assert.rejects(harness.manage([widgetController, other]), /two controllers are named "widget"/);
  const manager = await harness.manage([widgetController, { ...other, name: "other" }]);
  await settledWidget(harness, manager);
  assert.notEqual(await harness.client.find(ConfigMap, "a"), undefined);
});

/** How many runs; `KUBEWRIGHT_SEEDS=1000 npm test -- packages/runtime/test` makes more of them. */
const SEEDS = Number(process.env["KUBEWRIGHT_SEEDS"] ?? 40);

test(`after ${SEEDS} random runs with faults every Widget has its child and its status`, async () => {
  for (let seed = 1; seed <= SEEDS; seed++) {
    const random = seededRandom(seed * 31);
    await using harness = await Harness.start(seed);
    const { client } = harness;
    const faults = new FaultyTransport(harness.server.transport, random);
    await harness.manage([widgetController], { wrap: () => faults });
    faults.rates = {
      refuse: 0.1,
      turnAway: 0.1,
      loseAnswer: 0.1,
      cut: 0.1,
      end: 0.1,
      stall: 0.05,
      garble: 0.05,
      expire: 0.05,
    };
    for (let count = 0; count < 5; count++) await harness.createWidget({ name: `w${count}` });
    for (let step = 0; step < 15; step++) {
      const name = `w${Math.floor(random.next() * 5)}`;
      if (random.next() < 0.5) await client.patch(Widget, name, { merge: { spec: { size: step } } });
      else if ((await client.find(ConfigMap, name)) !== undefined) await client.delete(ConfigMap, name);
      await harness.clock.advance(Math.floor(random.next() * 3000));
    }
    faults.rates = {};
    await harness.clock.advance(180_000);
    for (const { metadata, spec, status } of (await client.list(Widget)).items) {
      assert.equal(
        (await client.get(ConfigMap, metadata.name ?? "")).data?.["size"],
        String(spec.size),
        `seed ${seed}`,
      );
      assert.deepEqual([status?.ready, status?.observedGeneration], [true, metadata.generation], `seed ${seed}`);
    }
  }
});
