/** Several managers in one process: each has its own caches, queues, metrics and end; nothing is shared and nothing stays. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { ConfigMap, Secret } from "@kubewright/api/core/v1";
import { defineController, type Manager } from "@kubewright/runtime";
import { Harness, Widget, widgetController } from "./harness.ts";
import { openIn } from "./open-in.ts";

/** Notes the names of a kind's objects. */
function noting(kind: typeof Widget | typeof Secret, name: string) {
  const seen: string[] = [];
  const note = async ({ metadata }: { readonly metadata?: { readonly name?: string } }): Promise<void> => {
    seen.push(metadata?.name ?? "");
  };
  const controller =
    kind === Widget
      ? defineController({ for: Widget, name, reconcile: note })
      : defineController({ for: Secret, name, reconcile: note });
  return { controller, seen };
}

async function mapNames({ client }: Harness): Promise<readonly (string | undefined)[]> {
  const { items } = await client.list(ConfigMap, { labelSelector: { app: "bench" } });
  return items.map(({ metadata }) => metadata?.name).sort();
}

test("several managers in one process, two of them of the same kind, start, work and stop on their own; R15: nothing stays", async () => {
  await using harness = await Harness.start();
  const before = { timers: harness.clock.pending, process: openIn(process) };
  const secrets = noting(Secret, "secrets");
  const audit = noting(Widget, "audit");
  const keeper = await harness.manage([widgetController]);
  const auditor = await harness.manage([audit.controller]);
  const other = await harness.manage([secrets.controller]);
  const all: readonly Manager[] = [keeper, auditor, other];
  const settled = async (): Promise<void> => {
    for (const manager of all) await harness.settled(manager);
  };

  await harness.createWidget({ name: "a" });
  await harness.client.create(Secret, { metadata: { name: "s" } });
  await settled();
  assert.deepEqual(await mapNames(harness), ["a"]);
  assert.deepEqual([new Set(audit.seen), secrets.seen], [new Set(["a"]), ["s"]]);
  const kinds = all.map(({ cache }) =>
    cache
      .health()
      .map(({ resource }) => resource.split(".")[0])
      .sort(),
  );
  assert.deepEqual(kinds, [["configmaps", "widgets"], ["widgets"], ["secrets"]]);
  assert.match(keeper.metrics.print(), /controller="widget"/);
  assert.doesNotMatch(keeper.metrics.print(), /controller="(?:audit|secrets)"/);

  await keeper.stop();
  await harness.createWidget({ name: "b" });
  await settled();
  assert.deepEqual(await mapNames(harness), ["a"]);
  assert.equal(audit.seen.at(-1), "b");

  await auditor.stop();
  await harness.createWidget({ name: "c" });
  await harness.client.create(Secret, { metadata: { name: "t" } });
  await settled();
  assert.equal(audit.seen.at(-1), "b");
  assert.deepEqual(secrets.seen, ["s", "t"]);

  await other.stop();
  await harness.clock.settle();
  assert.deepEqual({ timers: harness.clock.pending, process: openIn(process) }, before);
});
