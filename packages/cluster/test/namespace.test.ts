import assert from "node:assert/strict";
import { test } from "node:test";
import { ConfigMap, Namespace, Pod } from "@kubewright/api/core/v1";
import { defineResource } from "@kubewright/core/schema";
import { startCluster } from "@kubewright/testing";
import { z } from "zod";

const Widget = defineResource({ group: "test.example.com", version: "v1", kind: "Widget", spec: z.object({}) });
const HOLD = "test.example.com/hold";

test("a deleted namespace takes everything in it along, objects of custom kinds too", async () => {
  await using cluster = await startCluster({ resources: [Widget] });
  await cluster.client.create(Namespace, { metadata: { name: "shop" } });
  const client = cluster.client.with({ namespace: "shop" });
  await client.create(Widget, { metadata: { name: "w" }, spec: {} });
  await client.create(ConfigMap, { metadata: { name: "c" } });
  await client.create(Pod, { metadata: { name: "p" }, spec: { containers: [{ name: "web", image: "web:1" }] } });
  await cluster.settled();
  await client.delete(Namespace, "shop");
  await cluster.settled();
  assert.equal(await client.find(Namespace, "shop"), undefined);
  assert.equal(await client.find(Widget, "w"), undefined);
  assert.equal(await client.find(Pod, "p"), undefined);
  assert.notEqual(await client.find(Namespace, "default"), undefined);
});

test("what has finalizers keeps the namespace, which says so", async () => {
  await using cluster = await startCluster();
  await cluster.client.create(Namespace, { metadata: { name: "shop" } });
  const client = cluster.client.with({ namespace: "shop" });
  await client.create(ConfigMap, { metadata: { name: "c", finalizers: [HOLD] } });
  await cluster.settled();
  await client.delete(Namespace, "shop");
  await cluster.settled();
  const { status } = await client.get(Namespace, "shop");
  assert.equal(status?.phase, "Terminating");
  assert.deepEqual(
    status?.conditions?.map(({ type, status: truth, reason, message }) => [type, truth, reason, message]),
    [
      ["NamespaceDeletionDiscoveryFailure", "False", "ResourcesDiscovered", "All resources successfully discovered"],
      [
        "NamespaceDeletionGroupVersionParsingFailure",
        "False",
        "ParsedGroupVersions",
        "All legacy kube types successfully parsed",
      ],
      [
        "NamespaceDeletionContentFailure",
        "False",
        "ContentDeleted",
        "All content successfully deleted, may be waiting on finalization",
      ],
      [
        "NamespaceContentRemaining",
        "True",
        "SomeResourcesRemain",
        "Some resources are remaining: configmaps. has 1 resource instances",
      ],
      [
        "NamespaceFinalizersRemaining",
        "True",
        "SomeFinalizersRemain",
        `Some content in the namespace has finalizers remaining: ${HOLD} in 1 resource instances`,
      ],
    ],
  );
  await client.patch(ConfigMap, "c", { merge: { metadata: { finalizers: null } } });
  await cluster.settled();
  assert.equal(await client.find(Namespace, "shop"), undefined);
});

test("pods go before anything else", async () => {
  await using cluster = await startCluster();
  await cluster.client.create(Namespace, { metadata: { name: "shop" } });
  const client = cluster.client.with({ namespace: "shop" });
  await client.create(Pod, {
    metadata: { name: "p", finalizers: [HOLD] },
    spec: { containers: [{ name: "web", image: "web:1" }] },
  });
  await client.create(ConfigMap, { metadata: { name: "c" } });
  await cluster.settled();
  await client.delete(Namespace, "shop");
  await cluster.settled();
  assert.equal((await client.get(ConfigMap, "c")).metadata?.deletionTimestamp, undefined);
  await client.patch(Pod, "p", { merge: { metadata: { finalizers: null } } });
  await cluster.settled();
  assert.equal(await client.find(Namespace, "shop"), undefined);
});
