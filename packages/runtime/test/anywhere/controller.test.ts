import assert from "node:assert/strict";
import { test } from "node:test";
import { ConfigMap, Secret } from "@kubewright/api/core/v1";
import { Event } from "@kubewright/api/events/v1";
import { defineController, type Manager, previewChildren } from "@kubewright/runtime";
import { type AnyHarness, configMapFor, Harness, Widget, widgetController } from "../harness.ts";

async function settledWidget(harness: AnyHarness, manager: Manager, spec: { size?: number } = {}): Promise<void> {
  await harness.client.create(Widget, { metadata: { name: "a" }, spec });
  await harness.settled(manager);
}

test("a Widget gets its ConfigMap and its status, by two requests", async () => {
  await using harness = await Harness.anywhere();
  const manager = await harness.manage([widgetController]);
  await settledWidget(harness, manager, { size: 3 });
  const child = await harness.client.get(ConfigMap, "a");
  assert.deepEqual(child.data, { message: "hello", size: "3" });
  assert.equal(child.metadata?.ownerReferences?.[0]?.name, "a");
  const widget = await harness.client.get(Widget, "a");
  assert.deepEqual(widget.status, { ready: true, observedGeneration: 1 });
  assert.equal(harness.takeWrites().length, 2);
});

test("steady state sends nothing, after a restart neither", async () => {
  await using harness = await Harness.anywhere();
  const first = await harness.manage([widgetController]);
  for (let count = 0; count < 50; count++) await harness.createWidget({ name: `w${count}` });
  await harness.settled(first);
  assert.equal(harness.takeWrites().length, 100);
  await first.stop();
  harness.requests.splice(0);
  const second = await harness.manage([widgetController]);
  await harness.settled(second);
  assert.deepEqual(
    harness.requests.filter((request) => !request.includes("watch=true")),
    [],
  );
});

test("a changed spec changes the child, a changed or deleted child is restored, foreign fields stay", async () => {
  await using harness = await Harness.anywhere();
  const { client } = harness;
  const manager = await harness.manage([widgetController]);
  await settledWidget(harness, manager);
  await client.patch(ConfigMap, "a", { merge: { data: { size: "77", foreign: "kept" } } });
  await harness.settled(manager);
  assert.deepEqual((await client.get(ConfigMap, "a")).data, { message: "hello", size: "1", foreign: "kept" });
  await client.patch(Widget, "a", { merge: { spec: { size: 5 } } });
  await harness.settled(manager);
  assert.equal((await client.get(ConfigMap, "a")).data?.["size"], "5");
  assert.equal((await client.get(Widget, "a")).status?.observedGeneration, 2);
  await client.delete(ConfigMap, "a");
  await harness.settled(manager);
  assert.equal((await client.get(ConfigMap, "a")).data?.["size"], "5");
});

test("a created child is marked by the field manager that created it, and who writes what a cache has of it changes no owner", async () => {
  await using harness = await Harness.anywhere();
  const { client } = harness;
  const manager = await harness.manage([widgetController]);
  await settledWidget(harness, manager);
  const ownersOf = ({ metadata }: ConfigMap) => metadata?.managedFields ?? [];
  const [created] = ownersOf(await client.get(ConfigMap, "a"));
  assert.match(created?.manager ?? "", /^widget\/[\da-z]{21}\/created$/);
  const cached = manager.cache.reader().get(ConfigMap, await client.get(ConfigMap, "a"));
  assert.equal(cached?.metadata?.annotations, undefined);
  assert.deepEqual(cached?.metadata?.managedFields, [{ manager: created?.manager, operation: "Update" }]);
  const changed = { ...cached, data: { ...cached?.data, more: "x" } };
  const owners = ownersOf(await client.update(ConfigMap, changed, { fieldManager: "me" }));
  assert.deepEqual(
    owners.find((entry) => entry.manager === created?.manager),
    created,
  );
  assert.deepEqual(owners.find((entry) => entry.manager === "me")?.fieldsV1, { "f:data": { "f:more": {} } });
});

test("a child that is a custom resource is created by one request, which marks it", async () => {
  await using harness = await Harness.anywhere();
  const child = {
    apiVersion: "example.com/v1",
    kind: "Widget",
    metadata: { name: "child" },
    spec: { size: 1, message: "x" },
  };
  const children = ({ metadata }: Widget) => (metadata.name === "a" ? [child] : []);
  const manager = await harness.manage([defineController({ for: Widget, owns: [Widget], children })]);
  await settledWidget(harness, manager);
  const [created] = (await harness.client.get(Widget, "child")).metadata.managedFields ?? [];
  assert.match(created?.manager ?? "", /^widget\/[\da-z]{21}\/created$/);
  const { metadata } = manager.cache.reader().get(Widget, await harness.client.get(Widget, "child")) ?? {};
  assert.deepEqual(metadata?.managedFields, [{ manager: created?.manager, operation: "Update" }]);
  assert.equal(harness.takeWrites().length, 1);
});

test("a field that is no longer wanted is removed, a child that is no longer wanted is deleted", async () => {
  await using harness = await Harness.anywhere();
  const { client } = harness;
  const shrinking = defineController({
    for: Widget,
    owns: [ConfigMap],
    children(widget) {
      if (widget.spec.size === 0) return [];
      const wanted = configMapFor(widget);
      return widget.spec.size === 1 ? [wanted] : [{ ...wanted, data: { size: "2" } }];
    },
  });
  const manager = await harness.manage([shrinking]);
  await settledWidget(harness, manager);
  await client.patch(Widget, "a", { merge: { spec: { size: 2 } } });
  await harness.settled(manager);
  assert.deepEqual((await client.get(ConfigMap, "a")).data, { size: "2" });
  await client.patch(Widget, "a", { merge: { spec: { size: 0 } } });
  await harness.settled(manager);
  assert.equal(await client.find(ConfigMap, "a"), undefined);
});

test("a child's name that a stranger has is refused with an event, and nothing of it is overwritten", async () => {
  await using harness = await Harness.anywhere();
  const { client } = harness;
  await client.create(ConfigMap, { metadata: { name: "a" }, data: { size: "mine" } });
  const manager = await harness.manage([widgetController]);
  await settledWidget(harness, manager);
  const stranger = await client.get(ConfigMap, "a");
  assert.deepEqual(
    [stranger.data, stranger.metadata?.ownerReferences, stranger.metadata?.labels],
    [{ size: "mine" }, undefined, undefined],
  );
  const [event] = (await client.list(Event)).items;
  assert.deepEqual([event?.type, event?.reason], ["Warning", "ErrResourceExists"]);
  assert.equal(event?.note, 'Resource "a" already exists and is not managed by Widget');
  assert.equal((await client.get(Widget, "a")).status?.ready, false);
  await client.delete(ConfigMap, "a");
  await harness.clock.advance(1000);
  assert.equal((await client.get(Widget, "a")).status?.ready, true);
});

test("R25: a child is not deleted on the word of a stale cache", async () => {
  await using harness = await Harness.anywhere();
  const { client } = harness;
  const { promise: changedBack, resolve: changeBack } = Promise.withResolvers<void>();
  const toggled = defineController({
    for: Widget,
    owns: [ConfigMap],
    async children(widget) {
      if (widget.spec.size > 0) return [configMapFor(widget)];
      await changedBack;
      return [];
    },
  });
  const manager = await harness.manage([toggled]);
  await settledWidget(harness, manager);
  const before = await client.get(ConfigMap, "a");
  await client.patch(Widget, "a", { merge: { spec: { size: 0 } } });
  await harness.clock.settle();
  await client.patch(Widget, "a", { merge: { spec: { size: 1 } } });
  changeBack();
  await harness.clock.advance(1000);
  assert.equal((await client.get(ConfigMap, "a")).metadata?.uid, before.metadata?.uid);
  assert.equal(
    harness.requests.some((request) => request.startsWith("DELETE")),
    false,
  );
});

test("children sees what is there, so that a generated value is kept", async () => {
  await using harness = await Harness.anywhere();
  const { client } = harness;
  const keeping = defineController({
    for: Widget,
    owns: [Secret],
    children(widget, observed) {
      const name = widget.metadata.name ?? "";
      const known = observed.get(Secret, name)?.data?.["password"];
      const password = known ?? Buffer.from(observed.random.bytes(8)).toString("base64");
      return [
        {
          apiVersion: "v1",
          kind: "Secret",
          metadata: { name },
          data: { password, size: btoa(String(widget.spec.size)) },
        },
      ];
    },
  });
  const manager = await harness.manage([keeping]);
  await settledWidget(harness, manager);
  const before = (await client.get(Secret, "a")).data?.["password"];
  await client.patch(Widget, "a", { merge: { spec: { size: 5 } } });
  await harness.settled(manager);
  const after = await client.get(Secret, "a");
  assert.deepEqual(after.data, { password: before, size: btoa("5") });
});

test("a preview says what would be done and does nothing", async () => {
  await using harness = await Harness.anywhere();
  const idle = defineController({ for: Widget, owns: [ConfigMap], needsLeader: false, async reconcile() {} });
  const manager = await harness.manage([idle]);
  await harness.createWidget({ name: "a" });
  await harness.settled(manager);
  const widget = manager.cache.reader().get(Widget, "a");
  assert.ok(widget !== undefined);
  const actions = await previewChildren(widgetController, widget, {
    cache: manager.cache,
    clock: harness.clock,
    random: harness.random,
  });
  assert.deepEqual(
    actions.map(({ kind }) => kind),
    ["create"],
  );
  assert.deepEqual(harness.takeWrites(), []);
});

test("a kind whose status has no observedGeneration gets one status write, not one each time", async () => {
  await using harness = await Harness.anywhere();
  const { client } = harness;
  await harness.install({ group: "plain.example.com", kind: "Plain" });
  const manager = await harness.manage([widgetController]);
  await settledWidget(harness, manager);
  harness.takeWrites();
  await client.patch(ConfigMap, "a", { merge: { metadata: { labels: { touched: "yes" } } } });
  await harness.settled(manager);
  assert.deepEqual(harness.takeWrites(), []);
});
