import assert from "node:assert/strict";
import { test } from "node:test";
import { CustomResourceDefinition } from "@kubewright/api/apiextensions/v1";
import { ConfigMap } from "@kubewright/api/core/v1";
import { exists, waitFor } from "@kubewright/runtime";
import { projectFolder, run } from "../../test/command-line.ts";
import { embeddedCluster } from "../../test/embedded-cluster.ts";
import { runningOperator } from "./operator-state.ts";

test("why tells the reconciles of an object and their causes, while the operator runs", async () => {
  await using folder = await projectFolder();
  const { cluster, kubeconfig, ...embedded } = await embeddedCluster(folder.path);
  await using _ = embedded;
  const interrupted = new AbortController();
  using _operator = { [Symbol.dispose]: () => interrupted.abort() };
  const settings = { folder: folder.path, env: { KUBECONFIG: kubeconfig } };
  await run(settings, "init", "--project-name", "a");
  const before = await run(settings, "why", "thing/one");
  assert.equal(before.exitCode, 1);
  assert.match(
    before.stderr,
    /no operator of this project runs on this machine\n {2}start it \(kubewright dev\), or .*port-forward deploy\/a-controller-manager 8082/,
  );

  await run(settings, "create", "api", "--group", "g", "--version", "v1", "--kind", "Thing");
  const running = run({ ...settings, signal: interrupted.signal }, "run", "--install");
  const sample = { apiVersion: "g.example.com/v1", kind: "Thing", metadata: { name: "one" }, spec: { foo: "bar" } };
  const path = "/apis/g.example.com/v1/namespaces/default/things";
  await waitFor(cluster.client, CustomResourceDefinition, "things.g.example.com", { condition: exists });
  await cluster.client.request({ method: "POST", path, body: sample });
  await waitFor(cluster.client, ConfigMap, "one", { condition: exists });
  let told = await run(settings, "why", "things/one", "-n", "default");
  // The child is there a little before its reconcile has ended.
  while (told.exitCode !== 0) told = await run(settings, "why", "things/one", "-n", "default");
  assert.match(
    told.stdout,
    /^\d{4}-.*Z {2}Thing default\/one: done \(\d+ ms, \d+ writes?\)\n {2}because things\.g\.example\.com default\/one was (?:added|there)/,
  );
  const { reconciles } = JSON.parse((await run(settings, "why", "thing/one", "-o", "json")).stdout);
  assert.equal(reconciles[0].causes[0].resource, "things.g.example.com");
  const unknown = await run(settings, "why", "thing/two");
  assert.match(unknown.stderr, /the operator remembers no reconcile of thing\/two/);
  interrupted.abort();
  await running;
  assert.equal(await runningOperator(folder.path), undefined);
});

test("an address at which no operator answers is told, with what to look at", async () => {
  const here = { folder: import.meta.dirname };
  const refused = await run(here, "why", "thing/one", "--address", "127.0.0.1:1");
  assert.match(
    refused.stderr,
    /no operator answers at 127\.0\.0\.1:1: .*\n {2}is it the address of --debug-bind-address/,
  );
  const wrong = await run(here, "why", "thing/one", "--address", "somewhere");
  assert.deepEqual([wrong.exitCode, wrong.stderr.split("\n")[0]], [2, 'error: "somewhere" is no address']);
  assert.equal((await run(here, "why", "thing")).exitCode, 2);
});
