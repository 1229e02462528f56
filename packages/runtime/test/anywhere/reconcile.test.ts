import assert from "node:assert/strict";
import { test } from "node:test";
import { ConfigMap, Namespace, Secret } from "@kubewright/api/core/v1";
import { sleep, type Transport } from "@kubewright/core/ports";
import { isConflict } from "@kubewright/core/protocol";
import { type Client, defineController, watch, writeStatus } from "@kubewright/runtime";
import { creating, Harness, Widget } from "../harness.ts";

test("a created Widget is reconciled, and healed when its child is deleted", async () => {
  await using harness = await Harness.anywhere();
  const manager = await harness.manage([creating]);
  await harness.createWidget({ name: "a" });
  await harness.settled(manager);
  await harness.client.delete(ConfigMap, "a");
  await harness.settled(manager);
  assert.equal((await harness.client.get(ConfigMap, "a")).data?.["message"], "hello");
});

test("R21: a request after the end of its reconcile is refused", async () => {
  await using harness = await Harness.anywhere();
  let kept: Client | undefined;
  const leaking = defineController({
    for: Widget,
    async reconcile(_widget, { client }) {
      kept = client;
    },
  });
  const manager = await harness.manage([leaking]);
  await harness.createWidget({ name: "a" });
  await harness.settled(manager);
  await assert.rejects(async () => kept?.create(ConfigMap, { metadata: { name: "late" } }), /its reconcile has ended/);
  assert.equal(await harness.client.find(ConfigMap, "late"), undefined);
});

test("R24: an update without a version is refused, and modify re-applies its function after a conflict", async () => {
  await using harness = await Harness.anywhere();
  const { client } = harness;
  await client.create(ConfigMap, { metadata: { name: "a" }, data: { count: "0" } });
  assert.throws(() => client.update(ConfigMap, { metadata: { name: "a" } }), /without metadata.resourceVersion/);
  const stale = await client.get(ConfigMap, "a");
  const add = (map: ConfigMap): ConfigMap => ({ ...map, data: { count: String(Number(map.data?.["count"]) + 1) } });
  await Promise.all(Array.from({ length: 5 }, () => client.modify(ConfigMap, "a", add)));
  assert.equal((await client.get(ConfigMap, "a")).data?.["count"], "5");
  await assert.rejects(client.update(ConfigMap, stale), isConflict);
});

const ready = { type: "Ready", status: "True", reason: "Fine", message: "" } as const;
const audited = { type: "Audited", status: "True", reason: "Read", message: "" } as const;
const telling = {
  "a status function": defineController({ for: Widget, children: () => [], status: () => ({ conditions: [ready] }) }),
  writeStatus: defineController({
    for: Widget,
    reconcile: (widget, context) => writeStatus(Widget, widget, { conditions: [ready] }, context),
  }),
};
for (const [way, controller] of Object.entries(telling)) {
  test(`R24: a condition that somebody writes while a status is on its way stays: ${way}`, async () => {
    await using harness = await Harness.anywhere();
    const { client } = harness;
    let strangers = 2;
    const wrap = (transport: Transport): Transport => ({
      async send(request) {
        if (request.method === "PATCH" && strangers > 0) {
          strangers -= 1;
          const condition = { ...audited, message: `${strangers} to come`, lastTransitionTime: "2026-01-01T00:00:00Z" };
          const status = { conditions: [condition] };
          await client.patch(Widget, "a", { merge: { status } }, { subresource: "status" });
        }
        return transport.send(request);
      },
    });
    const manager = await harness.manage([controller], { wrap });
    await harness.createWidget({ name: "a" });
    await harness.settled(manager);
    const { status } = await client.get(Widget, "a");
    const told = status?.conditions?.map(({ type, message }) => `${type}: ${message}`);
    assert.deepEqual([strangers, told], [0, ["Audited: 0 to come", "Ready: "]]);
    assert.equal(harness.takeWrites().length, 3);
  });
}

test("R26: a finalizer comes before the first effect, survives failures, and goes with the last one", async () => {
  await using harness = await Harness.anywhere();
  const steps: string[] = [];
  let failures = 2;
  const finalizing = defineController({
    for: Widget,
    async reconcile(widget) {
      steps.push(`reconcile with ${widget.metadata.finalizers?.join()}`);
    },
    async finalize() {
      steps.push("finalize");
      failures -= 1;
      if (failures >= 0) throw new Error("the world is not ready");
    },
  });
  const manager = await harness.manage([finalizing]);
  await harness.createWidget({ name: "a", finalizers: ["example.com/other"] });
  await harness.settled(manager);
  assert.equal(steps[0], "reconcile with example.com/other,example.com/widget");
  await harness.client.delete(Widget, "a");
  await harness.clock.advance(1000);
  assert.deepEqual(steps.filter((step) => step === "finalize").length, 3);
  assert.deepEqual((await harness.client.get(Widget, "a")).metadata.finalizers, ["example.com/other"]);
  await harness.client.patch(Widget, "a", { merge: { metadata: { finalizers: null } } });
  await harness.settled(manager);
  assert.equal(await harness.client.find(Widget, "a"), undefined);
});

test("R26: finalizers of others that come and go on the way are neither lost nor brought back", async () => {
  await using harness = await Harness.anywhere();
  const { client } = harness;
  const change = (finalizers: readonly string[]): Promise<unknown> =>
    client.modify(Widget, "a", (found) => ({ ...found, metadata: { ...found.metadata, finalizers: [...finalizers] } }));
  let next: readonly string[] | undefined = ["example.com/other"]; // Comes right before ours is added.
  const meddling = (transport: Transport): Transport => ({
    async send(request) {
      const finalizers = next;
      if (finalizers !== undefined && request.method === "PATCH" && String(request.body).includes("finalizers")) {
        next = undefined;
        await change(finalizers);
      }
      return transport.send(request);
    },
  });
  let runs = 0;
  const finalizing = defineController({
    for: Widget,
    async reconcile() {},
    async finalize() {
      runs += 1;
    },
  });
  const manager = await harness.manage([finalizing], { wrap: meddling });
  await harness.createWidget({ name: "a" });
  await harness.clock.advance(1000);
  await harness.settled(manager);
  const { finalizers } = (await client.get(Widget, "a")).metadata;
  assert.deepEqual(finalizers, ["example.com/other", "example.com/widget"]);
  next = ["example.com/widget"]; // The other one goes right before ours is removed.
  await client.delete(Widget, "a");
  await harness.clock.advance(2000);
  assert.equal(await client.find(Widget, "a"), undefined);
  assert.equal(runs, 2, "what was decided from an older state is refused, and decided again");
});

test("an object deleted while it is queued is not reconciled", async () => {
  await using harness = await Harness.anywhere();
  const seen: string[] = [];
  const slow = defineController({
    for: Widget,
    concurrency: 1,
    async reconcile(widget, { clock, signal }) {
      seen.push(widget.metadata.name ?? "");
      await sleep(clock, 1000, signal);
    },
  });
  await harness.manage([slow]);
  await harness.createWidget({ name: "a" });
  await harness.createWidget({ name: "b" });
  await harness.clock.settle();
  await harness.client.delete(Widget, "b");
  await harness.clock.advance(5000);
  assert.deepEqual(seen, ["a"]);
});

test("S9: what an object makes its controller do stays in its namespace, unless that is declared", async () => {
  await using harness = await Harness.anywhere();
  await harness.createNamespace("elsewhere");
  const errors: string[] = [];
  const straying = defineController({
    for: Widget,
    async reconcile(_widget, { client }) {
      const note = (error: Error): unknown => errors.push(error.message);
      await client.create(ConfigMap, { metadata: { name: "a", namespace: "elsewhere" } }).catch(note);
      await client.list(Secret, { allNamespaces: true }).catch(note);
      await client.create(Namespace, { metadata: { name: "mine" } }).catch(note);
      const secrets = "/api/v1/namespaces/elsewhere/secrets";
      await client.request({ path: secrets }).catch(note);
      await client.request({ path: "/api/v1/secrets" }).catch(note);
      await client.request({ path: "/api/v1/namespaces/default/secrets" });
      await client.request({ path: "/version" });
      await client.get(Namespace, "elsewhere");
    },
  });
  const manager = await harness.manage([straying]);
  await harness.createWidget({ name: "a" });
  await harness.settled(manager);
  assert.equal(errors.length, 5);
  assert.match(
    errors[0] ?? "",
    /it leaves namespace "default"; if the controller "widget" means it, declare crossNamespace/,
  );
  await manager.stop();
  errors.splice(0);
  const allowed = await harness.manage([{ ...straying, crossNamespace: true }]);
  await harness.settled(allowed);
  assert.deepEqual(errors, []);
});

test("S9: no name leads a controller's cached reads out of the object's namespace, unless that is declared", async () => {
  await using harness = await Harness.anywhere();
  await harness.createNamespace("elsewhere");
  const errors: string[] = [];
  const found: unknown[] = [];
  const reading = defineController({
    for: Widget,
    reads: [ConfigMap, Namespace],
    async reconcile(_widget, { cache }) {
      const read = (what: () => unknown): void => {
        try {
          found.push(what());
        } catch (error) {
          errors.push(String(error));
        }
      };
      read(() => cache.get(ConfigMap, { name: "a", namespace: "elsewhere" })?.data);
      read(() => cache.list(ConfigMap, { namespace: "elsewhere" }).length);
      read(() => cache.get(ConfigMap, "a")?.data);
      read(() => cache.get(Namespace, "elsewhere")?.metadata?.name);
    },
  });
  for (const namespace of ["default", "elsewhere"]) {
    await harness.client.create(ConfigMap, { metadata: { name: "a", namespace }, data: { in: namespace } });
  }
  const manager = await harness.manage([reading]);
  await harness.createWidget({ name: "a" });
  await harness.settled(manager);
  assert.deepEqual(found, [{ in: "default" }, "elsewhere"]);
  assert.equal(errors.length, 2);
  for (const error of errors)
    assert.match(error, /reading configmaps of elsewhere was refused: .* crossNamespace: true/);
  await manager.stop();
  found.splice(0);
  await harness.settled(await harness.manage([{ ...reading, crossNamespace: true }]));
  assert.deepEqual(found[0], { in: "elsewhere" });
});

test("causes say which object changed, and which of its fields", async () => {
  await using harness = await Harness.anywhere();
  const seen: string[] = [];
  const explaining = defineController({
    for: Widget,
    async reconcile(_widget, { causes }) {
      for (const cause of causes)
        if (cause.kind === "updated") seen.push(`${cause.resource} ${cause.key} ${cause.fields}`);
    },
  });
  const manager = await harness.manage([explaining]);
  await harness.createWidget({ name: "a" });
  await harness.settled(manager);
  await harness.client.patch(Widget, "a", { merge: { spec: { size: 5 } } });
  await harness.settled(manager);
  assert.deepEqual(seen, ["widgets.example.com default/a spec.size"]);
});

test("a watch on another kind wakes the objects that its mapper names", async () => {
  await using harness = await Harness.anywhere();
  const seen: string[] = [];
  const watching = defineController({
    for: Widget,
    watches: [
      watch(Secret, { map: (secret) => [{ name: secret.metadata?.labels?.["widget"] ?? "", namespace: "default" }] }),
    ],
    async reconcile(widget, { causes }) {
      seen.push(`${widget.metadata.name} by ${causes.map(({ kind }) => kind).join()}`);
    },
  });
  const manager = await harness.manage([watching]);
  await harness.createWidget({ name: "a" });
  await harness.settled(manager);
  await harness.client.create(Secret, { metadata: { name: "s", labels: { widget: "a" } } });
  await harness.settled(manager);
  assert.deepEqual(seen, ["a by added", "a by added"]);
});
