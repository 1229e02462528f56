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
