import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { CustomResourceDefinition } from "@kubewright/api/apiextensions/v1";
import { Deployment } from "@kubewright/api/apps/v1";
import { ConfigMap, Namespace } from "@kubewright/api/core/v1";
import { ClusterRole } from "@kubewright/api/rbac/v1";
import { createApiServer } from "@kubewright/apiserver";
import { formatKubeconfig } from "@kubewright/core/protocol";
import { systemClock, systemRandom } from "@kubewright/node";
import { createDiscovery, exists, waitFor } from "@kubewright/runtime";
import { VirtualClock } from "@kubewright/testing";
import { projectFolder, type Ran, run } from "../../test/command-line.ts";
import { embeddedCluster } from "../../test/embedded-cluster.ts";
import { makeGoldenProject } from "../../test/golden-project.ts";

const CRD = "customresourcedefinition.apiextensions.k8s.io/memcacheds.cache.example.com";

/** The operator of the golden project. */
const DEPLOYMENT = { name: "memcached-operator-controller-manager", namespace: "memcached-operator-system" };

/** A golden project and a cluster for it. */
async function setUp(stack: AsyncDisposableStack) {
  const folder = stack.use(await projectFolder());
  await makeGoldenProject(folder.path);
  const { cluster, kubeconfig } = stack.use(await embeddedCluster(folder.path));
  const settings = { folder: folder.path, env: { KUBECONFIG: kubeconfig } };
  const client = cluster.client;
  const memcached = async (name: string, finalizers: readonly string[] = []) => {
    const definition = await createDiscovery(client).find({
      group: "cache.example.com",
      version: "v1alpha1",
      kind: "Memcached",
    });
    assert.ok(definition !== undefined);
    await client.create(definition, { metadata: { name, finalizers: [...finalizers] }, spec: {} } as never);
    return definition;
  };
  return { client, settings, memcached, command: (...args: string[]): Promise<Ran> => run(settings, ...args) };
}

test("install creates CRDs, then leaves them unchanged; uninstall removes them", async () => {
  await using stack = new AsyncDisposableStack();
  const { client, command } = await setUp(stack);
  const dry = await command("install", "--dry-run");
  assert.match(dry.stdout, new RegExp(`^${CRD} created \\(dry run\\)$`, "m"));
  assert.equal((await client.list(CustomResourceDefinition)).items.length, 0);
  const first = await command("install");
  assert.equal(first.exitCode, 0, first.stderr);
  assert.match(first.stdout, new RegExp(`^${CRD} created$`, "m"));
  assert.match((await command("install")).stdout, new RegExp(`^${CRD} unchanged$`, "m"));
  const removed = await command("uninstall");
  assert.match(removed.stdout, new RegExp(`^${CRD} deleted$`, "m"));
  assert.equal((await client.list(CustomResourceDefinition)).items.length, 0);
  assert.equal((await command("uninstall")).stdout, "nothing is installed");
});

test("the result of install is JSON when asked for", async () => {
  await using stack = new AsyncDisposableStack();
  const { command } = await setUp(stack);
  const { objects } = JSON.parse((await command("install", "-o", "json")).stdout);
  assert.deepEqual(objects[0], { object: CRD, result: "created" });
});

test("install warns of what a changed kind takes away", async () => {
  await using stack = new AsyncDisposableStack();
  const { client, command } = await setUp(stack);
  await command("install");
  const path = "/spec/versions/0/schema/openAPIV3Schema/properties/spec/properties/bar";
  const json = [{ op: "add" as const, path, value: { type: "string" } }];
  await client.patch(CustomResourceDefinition, "memcacheds.cache.example.com", { json });
  const { stderr } = await command("install");
  assert.equal(stderr, "warning: Memcached v1alpha1: spec.bar is gone; stored values of it are dropped");
});

test("uninstall refuses to lose objects, names them and their finalizers, and deletes them when forced", async () => {
  await using stack = new AsyncDisposableStack();
  const { client, settings, command, memcached } = await setUp(stack);
  await command("install");
  await memcached("plain");
  const definition = await memcached("held", ["example.com/hold"]);
  const refused = await command("uninstall");
  assert.equal(refused.exitCode, 1);
  assert.match(
    refused.stderr,
    /2 objects would be deleted with their CRDs:\n.*Memcached default\/held \(finalizers: example\.com\/hold\)/,
  );
  const clock = new VirtualClock();
  const stuck = run({ ...settings, clock }, "uninstall", "--force", "--timeout", "1m");
  await waitFor(client, definition, "held", { condition: (held) => held?.metadata?.deletionTimestamp !== undefined });
  await clock.advance(60_000);
  assert.match((await stuck).stderr, /Memcached default\/held .*does not go away.*\n.*kubewright run/);
  await client.patch(definition, "held", { merge: { metadata: { finalizers: null } } });
  assert.equal((await command("uninstall", "--force")).exitCode, 0);
  assert.equal((await client.list(CustomResourceDefinition)).items.length, 0);
});

test("deploy installs everything, waits until the operator is ready, and changes nothing the second time", async () => {
  await using stack = new AsyncDisposableStack();
  const { client, command } = await setUp(stack);
  const dry = await command("deploy", "--dry-run");
  assert.equal(dry.exitCode, 0, dry.stderr);
  assert.equal(await client.find(Namespace, "memcached-operator-system"), undefined);
  const { exitCode, stdout, stderr } = await command("deploy", "--image", "example.com/m:v1");
  assert.equal(exitCode, 0, stderr);
  assert.match(stdout, /the operator runs: example\.com\/m:v1 in memcached-operator-system/);
  assert.equal((await client.get(Deployment, DEPLOYMENT)).status?.availableReplicas, 1);
  const again = await command("deploy", "--image", "example.com/m:v1", "-o", "json");
  const results = JSON.parse(again.stdout).objects.map(({ result }: { result: string }) => result);
  assert.deepEqual([...new Set(results)], ["unchanged"]);
  assert.match((await command("deploy", "--image", "example.com/m:v2")).stdout, /^deployment\.apps\/.* configured$/m);
});

test("undeploy leaves nothing behind, or only the CRDs when they are kept", async () => {
  await using stack = new AsyncDisposableStack();
  const { client, command, memcached } = await setUp(stack);
  await command("deploy", "--no-wait");
  const definition = await memcached("kept");
  assert.match((await command("undeploy")).stderr, /1 objects would be deleted/);
  const kept = await command("undeploy", "--keep-crds");
  assert.equal(kept.exitCode, 0, kept.stderr);
  assert.equal((await client.list(CustomResourceDefinition)).items.length, 2);
  const { metadata } = await client.get(definition, "kept");
  const of = { apiVersion: "cache.example.com/v1alpha1", kind: "Memcached", name: "kept", uid: metadata?.uid ?? "" };
  const owner = { ...of, blockOwnerDeletion: true };
  await client.create(ConfigMap, { metadata: { name: "child", ownerReferences: [owner] } });
  assert.equal((await command("undeploy", "--force")).exitCode, 0);
  assert.equal(await client.find(ConfigMap, "child"), undefined, "children are gone when the command ends");
  assert.equal((await client.list(CustomResourceDefinition)).items.length, 0);
  const roles = (await client.list(ClusterRole)).items.filter(({ metadata }) => /memcached/.test(metadata?.name ?? ""));
  assert.deepEqual(roles, []);
});

test("an operator that does not become ready in time is told with what its pods wait for", async () => {
  await using stack = new AsyncDisposableStack();
  const { client, settings } = await setUp(stack);
  const patch = "- op: add\n  path: /spec/template/spec/nodeSelector\n  value: { no: such }\n";
  const kustomization = { patches: [{ target: { kind: "Deployment" }, patch }] };
  await writeFile(join(settings.folder, "config/patches/kustomization.yaml"), JSON.stringify(kustomization));
  const clock = new VirtualClock();
  const { promise: waiting, resolve: onLine } = Promise.withResolvers<string>();
  const onWaiting = (line: string): void => void (line.startsWith("waiting for deployment") && onLine(line));
  const deploying = run({ ...settings, clock, onLine: onWaiting }, "deploy", "--timeout", "1m");
  await waiting;
  await waitFor(client, Deployment, DEPLOYMENT, { condition: (each) => each?.status?.unavailableReplicas === 1 });
  await clock.advance(60_000);
  const { exitCode, stderr } = await deploying;
  assert.equal(exitCode, 1);
  assert.match(stderr, /the operator is not ready in time: .+\n {2}look closer: kubectl -n memcached-operator-system/);
});

test("run reconciles against the cluster until it is interrupted", async () => {
  await using stack = new AsyncDisposableStack();
  const { client, settings, command } = await setUp(stack);
  const early = await command("run");
  assert.match(early.stderr, /the cluster has no Memcached .*\n {2}install the CRDs: kubewright install/);
  const interrupted = new AbortController();
  const running = run({ ...settings, signal: interrupted.signal }, "run", "--install", "--samples");
  await waitFor(client, ConfigMap, "memcached-sample", { condition: exists });
  interrupted.abort();
  assert.equal((await running).exitCode, 0);
});

test("a sample that cannot be applied is told with what is wrong in it and what to do", async () => {
  await using stack = new AsyncDisposableStack();
  const { settings, command } = await setUp(stack);
  const typed = "apiVersion: cache.example.com/v1alpha1\nkind: Memcached\n";
  const remedy = "\n  correct the sample; kubewright dev --no-samples leaves them out";
  for (const [text, start, end] of [
    ["name: a\n", `${settings.folder}/config/samples/a.yaml holds an object without apiVersion`, "or remove it"],
    ["apiVersion: v1\n", `${settings.folder}/config/samples/a.yaml holds an object without kind`, "or remove it"],
    ["apiVersion: a/b/c\nkind: A\n", "config/samples: unexpected GroupVersion string: a/b/c", remedy],
    ["apiVersion: v1\nkind: A\n", "config/samples: the cluster has no kind A in v1", "are for or own"],
    [typed, "config/samples: a Memcached without metadata.name", remedy],
    [
      `${typed}metadata: { name: a }\nspec: { bar: 1 }\n`,
      "config/samples: ",
      `.spec.bar: field not declared in schema${remedy}`,
    ],
  ] as const) {
    await writeFile(join(settings.folder, "config/samples/a.yaml"), text);
    const { exitCode, stderr } = await command("run", "--install", "--samples");
    const told = stderr.slice(stderr.indexOf("error: "));
    assert.ok(told.startsWith(`error: ${start}`) && told.endsWith(end), told);
    assert.equal(exitCode, 1);
  }
});

test("no cluster, a wrong kubeconfig, a wrong context and one that does not answer have their messages", async () => {
  await using folder = await projectFolder();
  await makeGoldenProject(folder.path);
  const install = async (env: Record<string, string>, ...args: string[]): Promise<string> => {
    const { exitCode, stderr } = await run({ folder: folder.path, env }, "install", ...args);
    assert.equal(exitCode, 1);
    return stderr;
  };
  assert.match(await install({ HOME: folder.path }), /no cluster: pass --kubeconfig.*\n {2}.*kubewright dev/);
  assert.match(await install({ KUBECONFIG: "/no/such/file" }), /the kubeconfig \/no\/such\/file does not exist/);
  const path = join(folder.path, "kubeconfig");
  await writeFile(path, JSON.stringify(deadCluster("https://127.0.0.1:1")));
  assert.match(await install({ KUBECONFIG: path }, "--context", "x"), /no context "x"; its contexts are: dead/);
  assert.match(await install({ KUBECONFIG: path }), /the cluster at https:\/\/127\.0\.0\.1:1 does not answer/);
});

test("who may not install is told so, and who is not known, too", async () => {
  await using folder = await projectFolder();
  await makeGoldenProject(folder.path);
  const user = { name: "visitor", groups: [] };
  await using server = await createApiServer({
    clock: systemClock,
    random: systemRandom,
    tokens: [{ token: "known", user }],
  });
  const { url, certificateAuthority = "" } = await server.listen();
  const install = async (token: string): Promise<string> => {
    const path = join(folder.path, "kubeconfig");
    await writeFile(path, formatKubeconfig({ name: "a", server: url, certificateAuthority, token }));
    return (await run({ folder: folder.path, env: { KUBECONFIG: path } }, "install")).stderr;
  };
  assert.match(
    await install("known"),
    /User "visitor" cannot get .* at the cluster scope\n {2}you lack the right to do it/,
  );
  assert.match(await install("unknown"), /does not know who you are.*\n {2}the credentials/);
});

test("a wrong timeout is a wrong command line", async () => {
  await using stack = new AsyncDisposableStack();
  const { command } = await setUp(stack);
  const { exitCode, stderr } = await command("install", "--timeout", "soon");
  assert.equal(exitCode, 2);
  assert.match(stderr, /--timeout "soon" must be a duration/);
});

function deadCluster(server: string): object {
  return {
    apiVersion: "v1",
    kind: "Config",
    "current-context": "dead",
    clusters: [{ name: "dead", cluster: { server } }],
    contexts: [{ name: "dead", context: { cluster: "dead", user: "dead" } }],
    users: [{ name: "dead", user: { token: "x" } }],
  };
}
