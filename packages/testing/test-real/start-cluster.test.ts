/** What `startCluster` promises of real clusters. tools/test-real.ts sets where the programs are. */
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { dirname } from "node:path";
import { test } from "node:test";
import { ConfigMap, Namespace, ServiceAccount } from "@kubewright/api/core/v1";
import type { ObjectOf } from "@kubewright/core/meta";
import { defineResource } from "@kubewright/core/schema";
import { defineController } from "@kubewright/runtime";
import { startCluster, startControlPlane } from "@kubewright/testing";
import { z } from "zod";

const Note = defineResource({
  group: "notes.example.com",
  version: "v1",
  kind: "Note",
  spec: z.object({ text: z.string() }),
  status: z.object({ observedGeneration: z.int().optional() }),
});
type Note = ObjectOf<typeof Note>;

const noteController = defineController<Note>({
  for: Note,
  owns: [ConfigMap],
  children: ({ metadata, spec }) => [
    { apiVersion: "v1", kind: "ConfigMap", metadata: { name: metadata.name ?? "" }, data: { text: spec.text } },
  ],
  status: () => ({}),
  finalize: async () => {},
});

test("each cluster has a namespace of its own, in which its controllers work and no others", async () => {
  await using one = await startCluster({ provider: "envtest", controllers: [noteController] });
  await using other = await startCluster({ provider: "envtest", resources: [Note] });
  assert.notEqual(one.namespace, other.namespace);
  for (const { client } of [one, other]) await client.create(Note, { metadata: { name: "a" }, spec: { text: "hi" } });
  await one.settled();
  await other.settled();
  assert.equal((await one.client.get(ConfigMap, "a")).data?.["text"], "hi");
  assert.equal(await other.client.find(ConfigMap, "a"), undefined);
});

test("a cluster that ends takes its namespace with it, objects with finalizers included", async () => {
  await using watcher = await startCluster({ provider: "envtest" });
  const cluster = await startCluster({ provider: "envtest", controllers: [noteController] });
  await cluster.client.create(Note, { metadata: { name: "a" }, spec: { text: "hi" } });
  await cluster.settled();
  await cluster.stop();
  await watcher.eventually(async () =>
    assert.equal(await watcher.client.find(Namespace, cluster.namespace), undefined),
  );
});

test("virtual time and what else only embedded clusters have is refused, with the remedy", async () => {
  const scripts = [{ image: "a:1", unpullable: true }];
  await assert.rejects(startCluster({ provider: "envtest", scripts }), /option "scripts".*provider: "embedded"/);
  await using cluster = await startCluster({ provider: "envtest" });
  await assert.rejects(cluster.advance("1h"), /virtual time.*provider: "embedded"/);
});

test("the level control-plane is an API server alone; what was started for a test goes with it", async () => {
  const { KUBEWRIGHT_TEST_KUBECONFIG: shared } = process.env;
  delete process.env["KUBEWRIGHT_TEST_KUBECONFIG"];
  try {
    const cluster = await startCluster({ provider: "envtest", level: "control-plane", controllers: [noteController] });
    await cluster.client.create(Note, { metadata: { name: "a" }, spec: { text: "hi" } });
    await cluster.settled();
    assert.equal((await cluster.client.get(ConfigMap, "a")).data?.["text"], "hi");
    assert.equal(await cluster.client.find(ServiceAccount, "default"), undefined);
    assert.ok(cluster.kubeconfig !== undefined && existsSync(cluster.kubeconfig));
    await cluster.stop();
    assert.equal(existsSync(dirname(cluster.kubeconfig)), false);
  } finally {
    if (shared !== undefined) process.env["KUBEWRIGHT_TEST_KUBECONFIG"] = shared;
  }
});

test("a control plane ends with every process that it started", async () => {
  const plane = await startControlPlane({ programs: process.env["KUBEWRIGHT_PROGRAMS"] ?? "" });
  const pids = plane.processes.map(({ pid }) => pid);
  assert.ok(pids.length === 2 && pids.every((pid) => process.kill(pid, 0)));
  await plane.stop();
  for (const pid of pids) assert.throws(() => process.kill(pid, 0), { code: "ESRCH" });
});
