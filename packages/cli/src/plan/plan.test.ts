import assert from "node:assert/strict";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { ConfigMap } from "@kubewright/api/core/v1";
import { exists, waitFor } from "@kubewright/runtime";
import { projectFolder, run } from "../../test/command-line.ts";
import { embeddedCluster } from "../../test/embedded-cluster.ts";

test("plan tells what would be created, then nothing, then what a new version changes, and writes nothing", async () => {
  await using folder = await projectFolder();
  const { cluster, kubeconfig, ...embedded } = await embeddedCluster(folder.path);
  await using _ = embedded;
  const env = { KUBECONFIG: kubeconfig };
  const settings = { folder: folder.path, env };
  await run(settings, "init", "--project-name", "a");
  await run(settings, "create", "api", "--group", "g", "--version", "v1", "--kind", "Thing");
  await run(settings, "install");
  const sample = { apiVersion: "g.example.com/v1", kind: "Thing", metadata: { name: "one" }, spec: { foo: "bar" } };
  const path = "/apis/g.example.com/v1/namespaces/default/things";
  await cluster.client.request({ method: "POST", path, body: sample });
  const first = await run(settings, "plan");
  assert.deepEqual([first.exitCode, first.stdout], [3, "create  configmap/one in default (Thing default/one)"]);
  assert.equal(await cluster.client.find(ConfigMap, "one"), undefined);

  const interrupted = new AbortController();
  const running = run({ ...settings, signal: interrupted.signal }, "run");
  await waitFor(cluster.client, ConfigMap, "one", { condition: exists });
  interrupted.abort();
  await running;
  const settled = await run(settings, "diff");
  assert.deepEqual([settled.exitCode, settled.stdout], [0, "nothing would be written"]);

  await using next = await projectFolder();
  await run({ folder: next.path }, "init", "--project-name", "a");
  await run({ folder: next.path }, "create", "api", "--group", "g", "--version", "v1", "--kind", "Thing");
  const controller = join(next.path, "src/controllers/thing.ts");
  const source = await readFile(controller, "utf8");
  await writeFile(controller, source.replace("foo: thing.spec.foo", 'foo: "new"'));
  const changed = await run({ folder: next.path, env }, "plan");
  assert.equal(changed.exitCode, 3);
  assert.match(
    changed.stdout,
    /^apply {3}configmap\/one in default \(Thing default\/one\)\n {2}- +foo: bar\n {2}\+ +foo: new/,
  );
  assert.deepEqual((await cluster.client.get(ConfigMap, "one")).data, { foo: "bar" });
});

test("plan on a cluster that lacks a kind, or does not answer, says so and ends", { timeout: 60_000 }, async () => {
  await using folder = await projectFolder();
  const { kubeconfig, ...embedded } = await embeddedCluster(folder.path);
  const settings = { folder: folder.path, env: { KUBECONFIG: kubeconfig } };
  await run(settings, "init", "--project-name", "a");
  await run(settings, "create", "api", "--group", "g", "--version", "v1", "--kind", "Thing");
  const early = await run(settings, "plan", "-o", "json");
  assert.equal(early.exitCode, 1);
  const { message, remedy } = JSON.parse(early.stdout).error;
  assert.equal(message, "the cluster has no Thing (things.g.example.com) in v1");
  assert.match(remedy, /kubewright install$/);
  await embedded[Symbol.asyncDispose]();
  const away = await run(settings, "plan");
  assert.equal(away.exitCode, 1);
  assert.match(
    away.stderr,
    /^error: the cluster at https:.* does not answer: .*\n {2}look at the kubeconfig's context/,
  );
});

const STEPWISE = `import { defineController } from "kubewright";
import { ConfigMap } from "kubewright/core/v1";
import { Thing } from "../api/v1/thing.ts";
export const thingController = defineController({
  for: Thing,
  owns: [ConfigMap],
  async reconcile(thing, { client, cache, events }) {
    const name = thing.metadata.name;
    events.normal("Looked", "at it");
    if (cache.get(ConfigMap, name) === undefined) await client.create(ConfigMap, { metadata: { name } });
    await client.patch(ConfigMap, "shared", { merge: { data: { last: name } } });
    await client.patch(ConfigMap, "missing", { merge: { data: { last: name } } });
  },
});
`;

test("plan --steps tries controllers that work step by step as dry runs, and says where they could not go on", async () => {
  await using folder = await projectFolder();
  const { cluster, kubeconfig, ...embedded } = await embeddedCluster(folder.path);
  await using _ = embedded;
  const settings = { folder: folder.path, env: { KUBECONFIG: kubeconfig } };
  await run(settings, "init", "--project-name", "a");
  await run(settings, "create", "api", "--group", "g", "--version", "v1", "--kind", "Thing");
  await writeFile(join(folder.path, "src/controllers/thing.ts"), STEPWISE);
  await run(settings, "install");
  const sample = { apiVersion: "g.example.com/v1", kind: "Thing", metadata: { name: "one" }, spec: { foo: "bar" } };
  await cluster.client.request({
    method: "POST",
    path: "/apis/g.example.com/v1/namespaces/default/things",
    body: sample,
  });
  await cluster.client.create(ConfigMap, { metadata: { name: "shared" }, data: { last: "none" } });
  const without = await run(settings, "plan");
  assert.equal(without.stdout, "nothing would be written");
  assert.match(without.stderr, /the controller thing works step by step: plan --steps runs it/);
  const { exitCode, stdout, stderr } = await run(settings, "plan", "--steps");
  assert.equal(exitCode, 3);
  assert.equal(
    stdout,
    `create  configmaps/one in default (controller thing)
apply   configmaps/shared in default (controller thing)
  -   last: none
  +   last: one`,
  );
  assert.match(stderr, /could not go on without a write: Thing default\/one: configmaps "missing" not found/);
  assert.equal(await cluster.client.find(ConfigMap, "one"), undefined);
  assert.deepEqual((await cluster.client.get(ConfigMap, "shared")).data, { last: "none" });
});
