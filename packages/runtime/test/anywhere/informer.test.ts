import assert from "node:assert/strict";
import { test } from "node:test";
import { ConfigMap } from "@kubewright/api/core/v1";
import { silentLogger } from "@kubewright/core/ports";
import { createClient, Informer } from "@kubewright/runtime";
import { assertSame, createMap, Followed } from "../followed.ts";
import { Harness, Widget } from "../harness.ts";

test("an informer knows what is there, and follows what changes", async () => {
  await using harness = await Harness.anywhere();
  await createMap(harness, "a");
  await using followed = new Followed(harness);
  await harness.clock.advanceUntil(() => followed.informer.synced);
  await createMap(harness, "b");
  await harness.client.delete(ConfigMap, "a");
  await harness.clock.settle();
  await assertSame(harness, followed.informer);
  const told = followed.events
    .filter(({ key }) => key.startsWith("default/"))
    .map(({ type, key, initial }) => `${type} ${key} ${initial}`);
  assert.deepEqual(told, ["added default/a true", "added default/b false", "deleted default/a false"]);
});

test("R14: managed fields are not kept", async () => {
  await using harness = await Harness.anywhere();
  await createMap(harness, "a");
  await using followed = new Followed(harness);
  await harness.clock.advanceUntil(() => followed.informer.synced);
  assert.equal(followed.informer.store.get("default/a")?.metadata?.managedFields, undefined);
});

test("an informer of a Widget with a field index finds by it", async () => {
  await using harness = await Harness.anywhere();
  const client = createClient({ transport: harness.server.transport });
  const informer = new Informer({
    client,
    definition: Widget,
    indexes: { message: (widget) => [widget.spec.message] },
    clock: harness.clock,
    random: harness.random,
    log: silentLogger,
  });
  informer.start();
  await client.create(Widget, { metadata: { name: "a" }, spec: { message: "x" } });
  await client.create(Widget, { metadata: { name: "b" }, spec: { message: "y" } });
  await harness.clock.advanceUntil(() => informer.store.size === 2);
  assert.deepEqual(
    informer.store.byIndex("message", "x").map(({ metadata }) => metadata.name),
    ["a"],
  );
  await informer.stop();
});
