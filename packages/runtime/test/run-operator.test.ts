import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { get } from "node:http";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { ConfigMap } from "@kubewright/api/core/v1";
import { createApiServer } from "@kubewright/apiserver";
import { silentLogger } from "@kubewright/core/ports";
import { toCrd } from "@kubewright/core/schema";
import { type SystemProcess, systemClock, systemProcess, systemRandom } from "@kubewright/node";
import { createClient, defineController, runOperator, unstructured } from "@kubewright/runtime";
import { Widget } from "./harness.ts";

const CustomResourceDefinition = unstructured({
  group: "apiextensions.k8s.io",
  version: "v1",
  kind: "CustomResourceDefinition",
  plural: "customresourcedefinitions",
  scope: "Cluster",
});

const copying = defineController({
  for: Widget,
  owns: [ConfigMap],
  async reconcile(widget, { client, cache, signal }) {
    const name = widget.metadata.name ?? "";
    if (cache.get(ConfigMap, name) !== undefined) return;
    await client.create(ConfigMap, { metadata: { name }, data: { size: String(widget.spec.size) } }, { signal });
  },
});

test("an operator process works over TLS, answers probes and metrics, and ends by a signal leaving nothing behind", async () => {
  await using server = await createApiServer({ clock: systemClock, random: systemRandom });
  const listener = await server.listen();
  const folder = await mkdtemp(join(tmpdir(), "kubewright-operator-"));
  const kubeconfig = join(folder, "kubeconfig");
  await writeFile(kubeconfig, listener.kubeconfig ?? "");
  const client = createClient({ transport: server.transport });
  await client.create(CustomResourceDefinition, toCrd(Widget));
  const [healthPort, metricsPort] = [await freePort(), await freePort()];
  let signal: () => void = () => {};
  const host: SystemProcess = {
    ...systemProcess,
    env: {},
    args: [
      `--kubeconfig=${kubeconfig}`,
      "--leader-elect",
      `--health-probe-bind-address=127.0.0.1:${healthPort}`,
      `--metrics-bind-address=127.0.0.1:${metricsPort}`,
    ],
    onStopSignal(listenToSignal) {
      signal = listenToSignal;
      return () => {};
    },
    exit: (code) => assert.fail(`exited with ${code}`),
  };
  const running = runOperator({ controllers: [copying], host, log: silentLogger });
  const made = firstConfigMap(client, "a");
  await client.create(Widget, { metadata: { name: "a" }, spec: { size: 4 } });
  assert.equal((await made).data?.["size"], "4");
  assert.equal(await fetchText(healthPort, "/readyz"), "200 ok\n");
  assert.equal(await fetchText(healthPort, "/healthz"), "200 ok\n");
  const metrics = await fetchText(metricsPort, "/metrics");
  assert.match(metrics, /controller_runtime_reconcile_total\{controller="widget",result="success"\} [1-9]/);
  assert.match(metrics, /leader_election_master_status\{name="widget"\} 1/);
  assert.match(metrics, /rest_client_requests_total\{code="201",method="POST",host=""\} [1-9]/);
  signal();
  await running;
  await assert.rejects(fetchText(healthPort, "/healthz"));
  await listener.close();
  await rm(folder, { recursive: true });
});

/** Resolves with the ConfigMap when it is there. */
async function firstConfigMap(client: ReturnType<typeof createClient>, name: string): Promise<ConfigMap> {
  for await (const event of client.watch(ConfigMap)) {
    if (event.type === "ADDED" && event.object.metadata?.name === name) return event.object;
  }
  throw new Error("the watch ended");
}

function fetchText(port: number, path: string): Promise<string> {
  return new Promise((resolve, reject) => {
    get({ port, path, agent: false, host: "127.0.0.1" }, async (response) => {
      const chunks = await response.toArray();
      resolve(`${response.statusCode} ${Buffer.concat(chunks)}`);
    }).once("error", reject);
  });
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const address = server.address();
      server.close(() => resolve(typeof address === "object" && address !== null ? address.port : 0));
    });
  });
}
