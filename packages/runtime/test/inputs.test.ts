/** What makes a controller work: predicates, mapped watches, sources from outside, kinds that come and go. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { ConfigMap, Secret } from "@kubewright/api/core/v1";
import { setController } from "@kubewright/core/meta";
import { silentLogger, sleep } from "@kubewright/core/ports";
import {
  cached,
  defineController,
  metadataOnly,
  type ReconcileContext,
  type Source,
  unstructured,
  watch,
} from "@kubewright/runtime";
import { FaultyTransport, lateWatches } from "./faults.ts";
import { Harness, Widget } from "./harness.ts";

const Crd = unstructured({
  ...{ group: "apiextensions.k8s.io", version: "v1", kind: "CustomResourceDefinition" },
  ...{ plural: "customresourcedefinitions", scope: "Cluster" as const },
});

/** A controller that notes what it is asked to look at. */
function noting(seen: string[], options: object = {}) {
  return defineController<Widget>({
    for: Widget,
    async reconcile(widget) {
      seen.push(widget.metadata.name ?? "");
    },
    ...options,
  });
}

test("changes that the predicate does not care for wake nobody", async () => {
  await using harness = await Harness.start();
  const seen: string[] = [];
  const predicate = ({ object }: { object: Widget }): boolean => object.spec.size > 1;
  const manager = await harness.manage([noting(seen, { predicate })]);
  await harness.client.create(Widget, { metadata: { name: "small" }, spec: { size: 1 } });
  await harness.client.create(Widget, { metadata: { name: "large" }, spec: { size: 2 } });
  await harness.settled(manager);
  assert.deepEqual(seen, ["large"]);
  await harness.client.patch(Widget, "small", { merge: { spec: { size: 3 } } });
  await harness.settled(manager);
  assert.deepEqual(seen, ["large", "small"]);
});

test("what the predicate does not care for is not looked at when a controller begins, unless other kinds call for it", async () => {
  await using harness = await Harness.start();
  const { client } = harness;
  const owner = await client.create(Widget, { metadata: { name: "owner" }, spec: { size: 1 } });
  for (const [name, size] of [
    ["small", 1],
    ["mapped", 1],
    ["large", 2],
  ] as const)
    await client.create(Widget, { metadata: { name }, spec: { size } });
  const child = setController(
    { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "child", namespace: "default" } },
    owner,
    {
      kind: Widget,
    },
  );
  await client.create(ConfigMap, child as ConfigMap);
  await client.create(Secret, { metadata: { name: "secret", labels: { for: "mapped" } } });
  const seen: string[] = [];
  const controller = noting(seen, {
    predicate: ({ object }: { object: Widget }): boolean => object.spec.size > 1,
    owns: [ConfigMap],
    watches: [
      watch(Secret, { map: ({ metadata }) => [{ name: metadata?.labels?.["for"] ?? "", namespace: "default" }] }),
    ],
  });
  await harness.settled(await harness.manage([controller]));
  assert.deepEqual(seen.toSorted(), ["large", "mapped", "owner"]);
});

test("what a predicate fails for is looked at when a controller begins", async () => {
  await using harness = await Harness.start();
  for (const name of ["a", "b"]) await harness.createWidget({ name });
  const seen: string[] = [];
  const predicate = ({ object }: { object: Widget }): boolean => {
    if (object.metadata.name === "a") throw new Error("no such thing");
    return false;
  };
  await harness.settled(await harness.manage([noting(seen, { predicate })]));
  assert.deepEqual(seen, ["a"]);
});

/** A controller that writes a status, and notes with it what it saw. */
function writing(seen: number[], options: object = {}) {
  return defineController<Widget>({
    for: Widget,
    async reconcile(widget, { client }) {
      seen.push(widget.spec.size);
      await client.patch(
        Widget,
        widget,
        { merge: { status: { ready: widget.spec.size > 1 } } },
        { subresource: "status" },
      );
    },
    ...options,
  });
}

test("a controller that skips its own writes looks at those of others only, also at those made while it works", async () => {
  await using harness = await Harness.start();
  const seen: number[] = [];
  const manager = await harness.manage([writing(seen, { skipsOwnWrites: true })]);
  await harness.createWidget({ name: "a" });
  await harness.settled(manager);
  assert.deepEqual(seen, [1]);
  await harness.client.patch(Widget, "a", { merge: { spec: { size: 2 } } });
  await harness.settled(manager);
  assert.deepEqual(seen, [1, 2]);
  await harness.client.patch(Widget, "a", { merge: { status: { ready: false } } }, { subresource: "status" });
  await harness.settled(manager);
  assert.deepEqual(seen, [1, 2, 2]);
  assert.equal((await harness.client.get(Widget, "a")).status?.ready, true);
});

for (const [form, rates] of [
  ["watch brings it after the answer", {}],
  ["own write comes by a list", { expire: 1 }],
] as const) {
  test(`R9: what others wrote just before an own write that is skipped is looked at, although the ${form}`, async () => {
    await using harness = await Harness.start();
    const { client, clock } = harness;
    const faults = new FaultyTransport(lateWatches(clock)(harness.server.transport), harness.random);
    const seen: (string | undefined)[] = [];
    const labelling = noting([], {
      skipsOwnWrites: true,
      async reconcile({ metadata }: Widget, context: ReconcileContext) {
        seen.push(metadata.labels?.["team"]);
        if (seen.length > 1) return;
        faults.rates = rates;
        await client.patch(Widget, "a", { merge: { metadata: { labels: { team: "blue" } } } });
        const merge = { status: { ready: true } };
        await context.client.patch(Widget, metadata.name, { merge }, { subresource: "status" });
      },
    });
    await harness.manage([labelling], { wrap: () => faults });
    await harness.createWidget({ name: "a" });
    await clock.advance(100);
    faults.rates = {};
    await clock.advance(10_000);
    assert.deepEqual(seen, [undefined, "blue"]);
  });
}

test("a controller sees its own writes unless it says otherwise", async () => {
  await using harness = await Harness.start();
  const seen: number[] = [];
  const manager = await harness.manage([writing(seen)]);
  await harness.createWidget({ name: "a" });
  await harness.settled(manager);
  assert.deepEqual(seen, [1, 1]);
});

test("the end of an object, and of what it owned, wakes nobody", async () => {
  await using harness = await Harness.start();
  const manager = await harness.manage([noting([], { owns: [ConfigMap] })]);
  const widget = await harness.client.create(Widget, { metadata: { name: "a" }, spec: { size: 1 } });
  const child = { metadata: { name: "a", namespace: "default" }, data: {} };
  await harness.client.create(ConfigMap, setController(child, widget));
  await harness.settled(manager);
  const before = manager.history.list().length;
  await harness.client.delete(Widget, "a");
  await harness.client.delete(ConfigMap, "a");
  await harness.settled(manager);
  assert.equal(manager.history.list().length, before);
});

test("a watch that could wake nobody asks its predicate all the same, and whoever comes later is looked at", async () => {
  await using harness = await Harness.start();
  const [seen, judged, mapped]: [string[], string[], string[]] = [[], [], []];
  const watches = [
    watch(ConfigMap, {
      map: ({ metadata }) => {
        mapped.push(metadata?.name ?? "");
        return [{ name: "a", namespace: "default" }];
      },
      predicate: ({ object }) => {
        judged.push(object.metadata?.name ?? "");
        return true;
      },
    }),
  ];
  const manager = await harness.manage([noting(seen, { watches })]);
  await harness.client.create(ConfigMap, { metadata: { name: "early" } });
  await harness.settled(manager);
  assert.deepEqual({ seen, judged, mapped }, { seen: [], judged: ["early"], mapped: [] });
  await harness.createWidget({ name: "a" });
  await harness.settled(manager);
  assert.deepEqual(seen, ["a"]);
  await harness.client.create(ConfigMap, { metadata: { name: "late" } });
  await harness.settled(manager);
  assert.deepEqual({ seen, judged, mapped }, { seen: ["a", "a"], judged: ["early", "late"], mapped: ["late"] });
});

test("a watch may be of some objects only, of their metadata only, and of some of their changes", async () => {
  await using harness = await Harness.start();
  const seen: string[] = [];
  const watches = [
    watch(metadataOnly(ConfigMap), {
      map: ({ metadata }) => [{ name: metadata?.labels?.["widget"] ?? "", namespace: "default" }],
      predicate: ({ type }) => type === "deleted",
      cache: { labelSelector: "widget" },
    }),
  ];
  const manager = await harness.manage([noting(seen, { watches })]);
  await harness.createWidget({ name: "a" });
  await harness.settled(manager);
  seen.splice(0);
  for (const [name, labels] of [
    ["meant", { widget: "a" }],
    ["other", {}],
  ] as const) {
    await harness.client.create(ConfigMap, { metadata: { name, labels }, data: { large: "x" } });
    await harness.settled(manager);
    assert.deepEqual(seen, []);
    await harness.client.delete(ConfigMap, name);
    await harness.settled(manager);
    assert.deepEqual(seen.splice(0), name === "meant" ? ["a"] : []);
  }
  const lists = harness.requests.filter((request) => request.includes("/configmaps"));
  assert.ok(lists.length > 0);
  for (const request of lists) assert.match(request, /labelSelector=widget/);
});

test("a controller says which objects of a kind are cached, how much of them, and by what they are found", async () => {
  await using harness = await Harness.start();
  const found: unknown[] = [];
  const indexes = { color: ({ data }: ConfigMap) => [data?.["color"] ?? ""] };
  const transform = ({ data, ...map }: ConfigMap): ConfigMap => ({ ...map, data: { color: data?.["color"] ?? "" } });
  const looking = defineController({
    for: Widget,
    reads: [ConfigMap],
    caches: [cached(ConfigMap, { labelSelector: "paint", indexes, transform })],
    async reconcile(_widget, { cache }) {
      found.push(cache.list(ConfigMap).length);
      for (const { data } of cache.list(ConfigMap, { index: { name: "color", value: "red" } })) found.push(data);
    },
  });
  for (const [name, labels] of Object.entries({ red: { paint: "yes" }, blue: { paint: "yes" }, other: {} })) {
    await harness.client.create(ConfigMap, {
      metadata: { name, labels },
      data: { color: name, large: "x".repeat(99) },
    });
  }
  const manager = await harness.manage([noting([], { name: "first", reads: [ConfigMap] }), looking]);
  await harness.createWidget({ name: "a" });
  await harness.settled(manager);
  assert.deepEqual(found, [2, { color: "red" }]);
  const twice = [looking, { ...looking, name: "second" }];
  const manage = (): unknown => harness.manage(twice);
  await assert.rejects(
    async () => manage(),
    /configmaps is cached already; give its cache options before its first use/,
  );
});

test("a source from outside wakes objects until the manager stops", async () => {
  await using harness = await Harness.start();
  const seen: string[] = [];
  let isOpen = false;
  const ticking: Source = {
    name: "ticks",
    async *events({ clock, signal }) {
      isOpen = true;
      try {
        for (;;) {
          await sleep(clock, 60_000, signal);
          yield { name: "a", namespace: "default" };
        }
      } finally {
        isOpen = false;
      }
    },
  };
  const manager = await harness.manage([noting(seen, { sources: [ticking] })]);
  await harness.createWidget({ name: "a" });
  await harness.settled(manager);
  await harness.clock.advance(180_000);
  assert.deepEqual(seen, ["a", "a", "a", "a"]);
  await manager.stop();
  assert.equal(isOpen, false);
});

test("a source that fails is told in the log, and the controller goes on", async () => {
  await using harness = await Harness.start();
  const seen: string[] = [];
  const errors: string[] = [];
  const log = { ...silentLogger, error: (message: string) => errors.push(message) };
  const broken: Source = {
    name: "broken",
    // biome-ignore lint/correctness/useYield: it fails before it yields
    async *events() {
      throw new Error("no connection");
    },
  };
  const logging = { ...log, with: () => logging };
  const manager = await harness.manage([noting(seen, { sources: [broken] })], { log: logging });
  await harness.createWidget({ name: "a" });
  await harness.settled(manager);
  assert.deepEqual([seen, errors], [["a"], ["a source ended with an error"]]);
});

test("R11: a kind that is removed while a controller runs is followed again when it is back", async () => {
  await using harness = await Harness.start();
  const seen: string[] = [];
  const manager = await harness.manage([noting(seen)]);
  await harness.createWidget({ name: "before" });
  await harness.settled(manager);
  await harness.client.delete(Crd, "widgets.example.com");
  await harness.clock.advance(2000);
  assert.match(manager.problems().join(), /widgets\.example\.com/);
  assert.deepEqual(manager.cache.reader().list(Widget), []);
  await harness.installWidgets();
  await harness.createWidget({ name: "after" });
  await harness.clock.advance(31_000);
  await harness.settled(manager);
  assert.deepEqual(seen, ["before", "after"]);
  assert.deepEqual(manager.problems(), []);
});
