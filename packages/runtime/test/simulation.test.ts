import assert from "node:assert/strict";
import { test } from "node:test";
import { ConfigMap } from "@kubewright/api/core/v1";
import { type Random, seededRandom } from "@kubewright/core/ports";
import { isAlreadyExists, isNotFound } from "@kubewright/core/protocol";
import { defineController } from "@kubewright/runtime";
import { FaultyTransport } from "./faults.ts";
import { configMapFor, Harness, Widget } from "./harness.ts";

/** Keeps a ConfigMap per Widget, step by step, and cleans up in its finalizer. */
const keeping = defineController({
  for: Widget,
  owns: [ConfigMap],
  async reconcile(widget, { client, cache, signal }) {
    const wanted = configMapFor(widget);
    const { name = "", uid = "" } = widget.metadata;
    const owner = { apiVersion: "example.com/v1", kind: "Widget", name, uid, controller: true };
    const found = cache.get(ConfigMap, name);
    if (found === undefined) {
      const metadata = { ...wanted.metadata, ownerReferences: [owner] };
      await client.create(ConfigMap, { ...wanted, metadata }, { signal });
    } else if (found.data?.["size"] !== wanted.data?.["size"]) {
      await client.patch(ConfigMap, found, { merge: { data: wanted.data } }, { signal });
    }
    if (widget.status?.ready !== true) {
      await client.patch(Widget, widget, { merge: { status: { ready: true } } }, { subresource: "status", signal });
    }
  },
  async finalize(widget, { client, signal }) {
    await client.delete(ConfigMap, widget.metadata.name ?? "", { signal }).catch(unless(isNotFound));
  },
});

/** How many runs; `KUBEWRIGHT_SEEDS=1000 npm test -- packages/runtime/test` makes more of them. */
const SEEDS = Number(process.env["KUBEWRIGHT_SEEDS"] ?? 100);

test(`after ${SEEDS} random runs with faults no final state is missed, and steady state sends nothing`, async () => {
  for (let seed = 1; seed <= SEEDS; seed++) {
    const random = seededRandom(seed * 7919);
    await using harness = await Harness.start(seed);
    const faults = new FaultyTransport(harness.server.transport, random);
    const manager = await harness.manage([keeping], { wrap: () => faults });
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
    for (let step = 0; step < 20; step++) {
      await disturb(harness, random);
      await harness.clock.advance(Math.floor(random.next() * 3000));
    }
    faults.rates = {};
    await harness.clock.advance(180_000);
    await assertConverged(harness, seed);
    harness.takeWrites();
    await harness.settled(manager);
    assert.deepEqual(harness.takeWrites(), [], `seed ${seed}`);
  }
});

/** Somebody does something: to a Widget, or to a child behind the controller's back. */
async function disturb({ client }: Harness, random: Random): Promise<void> {
  const name = `w${Math.floor(random.next() * 4)}`;
  const size = Math.floor(random.next() * 100);
  const choice = random.next();
  if (choice < 0.4) await client.create(Widget, { metadata: { name }, spec: { size } }).catch(unless(isAlreadyExists));
  else if (choice < 0.6) await client.patch(Widget, name, { merge: { spec: { size } } }).catch(unless(isNotFound));
  else if (choice < 0.75) await client.delete(Widget, name).catch(unless(isNotFound));
  else if (choice < 0.9) await client.delete(ConfigMap, name).catch(unless(isNotFound));
  else await client.patch(ConfigMap, name, { merge: { data: { size: "drifted" } } }).catch(unless(isNotFound));
}

async function assertConverged({ client }: Harness, seed: number): Promise<void> {
  const widgets = (await client.list(Widget)).items;
  const maps = (await client.list(ConfigMap, { labelSelector: { app: "bench" } })).items;
  const wanted = widgets.map(({ metadata, spec }) => `${metadata.name}=${spec.size}`).sort();
  assert.deepEqual(
    maps.map(({ metadata, data }) => `${metadata?.name}=${data?.["size"]}`).sort(),
    wanted,
    `seed ${seed}`,
  );
  assert.ok(
    widgets.every(({ status }) => status?.ready === true),
    `seed ${seed}`,
  );
}

function unless(expected: (error: unknown) => boolean): (error: unknown) => undefined {
  return (error) => {
    if (!expected(error)) throw error;
  };
}

test("steady state: a restart and a resync of 2 000 objects make no write and no live read", async () => {
  await using harness = await Harness.start();
  for (let count = 0; count < 2000; count++) await harness.createWidget({ name: `w${count}` });
  const first = await harness.manage([keeping]);
  await harness.settled(first);
  await first.stop();
  harness.requests.splice(0);
  const again = await harness.manage([{ ...keeping, resync: "10m" }]);
  await harness.settled(again);
  await harness.clock.advance(720_000);
  const unexpected = harness.requests.filter((request) => !request.includes("watch=true"));
  assert.deepEqual(unexpected, []);
  assert.match(again.metrics.print(), /reconcile_total\{controller="widget",result="success"\} [4-9]\d{3}/);
});

test("5 000 objects that change while they are listed anew are all known in the end", async () => {
  await using harness = await Harness.start();
  for (let count = 0; count < 5000; count++)
    await harness.client.create(ConfigMap, { metadata: { name: `m${count}` } });
  const faults = new FaultyTransport(harness.server.transport, seededRandom(5));
  const noting = defineController({ for: Widget, reads: [ConfigMap], async reconcile() {} });
  const manager = await harness.manage([noting], { wrap: () => faults });
  faults.rates = { expire: 0.2, cut: 0.2 };
  for (let count = 0; count < 5000; count++) {
    await harness.client.patch(ConfigMap, `m${count}`, { merge: { data: { changed: "yes" } } });
    if (count % 500 === 0) await harness.clock.advance(1000);
  }
  faults.rates = {};
  await harness.clock.advance(100_000);
  const known = manager.cache.reader().list(ConfigMap, { namespace: "default" });
  assert.equal(known.filter(({ data }) => data?.["changed"] === "yes").length, 5000);
});
