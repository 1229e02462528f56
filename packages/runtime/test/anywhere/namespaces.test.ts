import assert from "node:assert/strict";
import { test } from "node:test";
import { ConfigMap, Namespace } from "@kubewright/api/core/v1";
import { defineController } from "@kubewright/runtime";
import { type AnyHarness, Harness, Widget } from "../harness.ts";

/** A controller that notes whom it saw, by namespace. */
function noting(seen: string[]) {
  return defineController({
    for: Widget,
    reads: [ConfigMap],
    async reconcile(widget) {
      seen.push(`${widget.metadata.namespace}/${widget.metadata.name}`);
    },
  });
}

async function createIn(harness: AnyHarness, namespace: string): Promise<void> {
  await harness.client.create(Widget, { metadata: { name: "w", namespace }, spec: {} });
  await harness.clock.settle();
}

test("only the given namespaces are listed, watched and reconciled", async () => {
  await using harness = await Harness.anywhere();
  for (const name of ["a", "b", "c"]) await harness.createNamespace(name);
  const seen: string[] = [];
  const manager = await harness.manage([noting(seen)], { namespaces: ["a", "b"] });
  for (const name of ["a", "b", "c"]) await createIn(harness, name);
  await harness.settled(manager);
  assert.deepEqual(seen, ["a/w", "b/w"]);
  assert.ok(
    harness.requests.every((request) => /\/namespaces\/[ab]\//.test(request)),
    harness.requests.join("\n"),
  );
});

test("namespaces chosen by label come and go while the manager runs", async () => {
  await using harness = await Harness.anywhere();
  const labels = { team: "shop" };
  await harness.createNamespace("a", labels);
  await harness.createNamespace("b");
  const seen: string[] = [];
  const manager = await harness.manage([noting(seen)], { namespaces: { labelSelector: labels } });
  await createIn(harness, "a");
  await createIn(harness, "b");
  await harness.settled(manager);
  assert.deepEqual(seen, ["a/w"]);

  await harness.client.patch(Namespace, "b", { merge: { metadata: { labels } } });
  await harness.settled(manager);
  assert.deepEqual(seen, ["a/w", "b/w"]);

  await harness.client.patch(Namespace, "a", { merge: { metadata: { labels: { team: null } } } });
  await harness.settled(manager);
  assert.deepEqual(
    Array.from(manager.cache.reader().list(Widget), ({ metadata }) => metadata.namespace),
    ["b"],
  );
  await harness.client.patch(Widget, { name: "w", namespace: "a" }, { merge: { spec: { size: 7 } } });
  await harness.settled(manager);
  assert.deepEqual(seen, ["a/w", "b/w"]);
});

test("two managers in one process know nothing of each other", async () => {
  await using harness = await Harness.anywhere();
  for (const name of ["a", "b"]) await harness.createNamespace(name);
  const [first, second]: [string[], string[]] = [[], []];
  const one = await harness.manage([noting(first)], { namespaces: ["a"] });
  const two = await harness.manage([noting(second)], { namespaces: ["b"] });
  for (const name of ["a", "b"]) await createIn(harness, name);
  await harness.settled(one);
  await harness.settled(two);
  assert.deepEqual([first, second], [["a/w"], ["b/w"]]);
  await one.stop();
  await harness.client.patch(Widget, { name: "w", namespace: "b" }, { merge: { spec: { size: 7 } } });
  await harness.settled(two);
  assert.equal(second.length, 2);
});
