/** The ways of writing that tests of other things do not use: apply, strategic merges, scales, preconditions. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { Deployment } from "@kubewright/api/apps/v1";
import type { Scale } from "@kubewright/api/autoscaling/v1";
import { ConfigMap, Service } from "@kubewright/api/core/v1";
import { isConflict } from "@kubewright/core/protocol";
import { Harness } from "../harness.ts";

test("apply creates, takes back what is no longer said, and takes fields of others only by force", async () => {
  await using harness = await Harness.anywhere();
  const mine = harness.client.with({ fieldManager: "mine" });
  const theirs = harness.client.with({ fieldManager: "theirs" });
  const map = (data: Record<string, string>) => ({ metadata: { name: "applied" }, data });
  await mine.apply(ConfigMap, map({ a: "1", b: "1" }));
  await theirs.apply(ConfigMap, map({ c: "1" }));
  const { data } = await mine.apply(ConfigMap, map({ a: "2" }));
  assert.deepEqual(data, { a: "2", c: "1" });
  await assert.rejects(mine.apply(ConfigMap, map({ c: "2" })), isConflict);
  const forced = await mine.apply(ConfigMap, map({ c: "2" }), { force: true });
  assert.deepEqual(forced.data, { c: "2" });
});

test("what was read can be applied as it is, managedFields and all", async () => {
  await using harness = await Harness.anywhere();
  const { client } = harness;
  await client.create(ConfigMap, { metadata: { name: "read" }, data: { a: "1" } });
  const read = await client.get(ConfigMap, "read");
  assert.equal(read.metadata?.managedFields?.length, 1);
  const { data, metadata } = await client.apply(ConfigMap, { ...read, metadata: { ...read.metadata, name: "read" } });
  assert.deepEqual(data, { a: "1" });
  assert.equal(metadata?.managedFields?.length, 2);
});

test("a strategic patch merges lists by their keys, a merge patch replaces them", async () => {
  await using harness = await Harness.anywhere();
  const { client } = harness;
  const ports = [{ name: "a", port: 80, protocol: "TCP" as const }];
  await client.create(Service, { metadata: { name: "patched" }, spec: { ports } });
  const more = { spec: { ports: [{ name: "b", port: 81 }] } };
  const merged = await client.patch(Service, "patched", { strategic: more });
  assert.deepEqual(
    merged.spec?.ports?.map(({ port }) => port),
    [81, 80],
  );
  const replaced = await client.patch(Service, "patched", { merge: more });
  assert.deepEqual(
    replaced.spec?.ports?.map(({ port }) => port),
    [81],
  );
});

test("a scale is read and written without knowing the kind", async () => {
  await using harness = await Harness.anywhere();
  const { client } = harness;
  const labels = { app: "web" };
  const template = { metadata: { labels }, spec: { containers: [{ name: "a", image: "a" }] } };
  const spec = { replicas: 2, selector: { matchLabels: labels }, template };
  await client.create(Deployment, { metadata: { name: "scaled" }, spec });
  const scales = client.subresource<Scale>(Deployment, "scale");
  const scale = await scales.get("scaled");
  assert.deepEqual([scale.spec?.replicas, scale.status?.selector], [2, "app=web"]);
  await scales.update("scaled", { ...scale, spec: { replicas: 5 } });
  assert.equal((await client.get(Deployment, "scaled")).spec?.replicas, 5);
});

test("a delete with a version is refused when the object has changed since", async () => {
  await using harness = await Harness.anywhere();
  const { client } = harness;
  const old = await client.create(ConfigMap, { metadata: { name: "guarded" } });
  const resourceVersion = old.metadata?.resourceVersion ?? "";
  const newer = await client.update(ConfigMap, { ...old, data: { a: "1" } });
  await assert.rejects(client.delete(ConfigMap, "guarded", { resourceVersion }), isConflict);
  await client.delete(ConfigMap, "guarded", { resourceVersion: newer.metadata?.resourceVersion ?? "" });
  assert.equal(await client.find(ConfigMap, "guarded"), undefined);
});
