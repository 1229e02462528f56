import assert from "node:assert/strict";
import { test } from "node:test";
import { ConfigMap } from "@kubewright/api/core/v1";
import { Harness, Widget, widgetController } from "./harness.ts";

test("a Widget gets its ConfigMap and its status, by two requests", async () => {
  await using harness = await Harness.start();
  const manager = await harness.manage([widgetController]);
  await harness.client.create(Widget, { metadata: { name: "a" }, spec: { size: 3 } });
  await harness.settled(manager);

  const child = await harness.client.get(ConfigMap, "a");
  assert.deepEqual(child.data, { message: "hello", size: "3" });
  assert.equal(child.metadata?.ownerReferences?.[0]?.name, "a");
  const widget = await harness.client.get(Widget, "a");
  assert.deepEqual(widget.status, { ready: true, observedGeneration: 1 });
  assert.equal(harness.takeWrites().length, 2);
});
