import assert from "node:assert/strict";
import { type ChildProcessByStdio, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { get } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { test } from "node:test";
import { ConfigMap } from "@kubewright/api/core/v1";
import { createApiServer } from "@kubewright/apiserver";
import { silentLogger } from "@kubewright/core/ports";
import { toCrd } from "@kubewright/core/schema";
import { type SystemProcess, systemClock, systemProcess, systemRandom } from "@kubewright/node";
import { type Client, createClient, defineController, runOperator, unstructured } from "@kubewright/runtime";
import { freePort } from "./free-server-port.ts";
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

test("R38: an operator process works over TLS, answers probes and metrics, the lag of its event loop included, and ends by a signal leaving nothing behind", async () => {
  await using server = await createApiServer({ clock: systemClock, random: systemRandom });
  const listener = await server.listen();
  const folder = await mkdtemp(join(tmpdir(), "kubewright-operator-"));
  const kubeconfig = join(folder, "kubeconfig");
  await writeFile(kubeconfig, listener.kubeconfig ?? "");
  const client = createClient({ transport: server.transport });
  await client.create(CustomResourceDefinition, toCrd(Widget));
  const [healthPort, metricsPort] = [await freePort(), await freePort()];
  let signal: () => void = () => {};
  let lag = { p99Ms: 3, maxMs: 40 };
  const host: SystemProcess = {
    ...systemProcess,
    env: {},
    measureEventLoop: () => ({ read: () => lag, [Symbol.dispose]: () => {} }),
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
  assert.match(metrics, /nodejs_eventloop_lag_p99_seconds 0\.003\n/);
  lag = { p99Ms: 3, maxMs: 6200 };
  const held = "503 the event loop was held up for 6.2 s; look for long synchronous work\n";
  assert.equal(await fetchText(healthPort, "/livez"), held);
  signal();
  await running;
  await assert.rejects(fetchText(healthPort, "/healthz"));
  await listener.close();
  await rm(folder, { recursive: true });
});

/** Runs programs/operator.ts, then prints what is still open. A socket that was closed is gone some turns of the loop later. */
const PROGRAM = `
  await import(${JSON.stringify(join(import.meta.dirname, "programs/operator.ts"))});
  for (let turn = 0; turn < 3; turn++) await new Promise((resolve) => setImmediate(resolve));
  console.log(JSON.stringify(process.getActiveResourcesInfo()));
`;

/** An operator in a process of its own, on a server of its own. */
class OperatorProcess implements AsyncDisposable {
  readonly client: Client;
  readonly #close: () => Promise<void>;
  readonly #process: ChildProcessByStdio<null, Readable, Readable>;
  #log = "";
  /** What it printed, and how it ended. */
  readonly ended: Promise<{ readonly code: number | null; readonly output: string; readonly log: string }>;

  private constructor(client: Client, close: () => Promise<void>, kubeconfig: string) {
    this.client = client;
    this.#close = close;
    const flags = ["--leader-elect", "--metrics-bind-address=0", "--health-probe-bind-address=0"];
    const args = ["--input-type=module", "-e", PROGRAM, "--", "operator", `--kubeconfig=${kubeconfig}`, ...flags];
    this.#process = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "pipe"] });
    const output = this.#process.stdout.toArray();
    this.#process.stderr.setEncoding("utf8").on("data", (text: string) => {
      this.#log += text;
    });
    this.ended = once(this.#process, "close").then(async ([code]) => ({
      code,
      output: Buffer.concat(await output).toString(),
      log: this.#log,
    }));
  }

  static async start(): Promise<OperatorProcess> {
    const server = await createApiServer({ clock: systemClock, random: systemRandom });
    const listener = await server.listen();
    const folder = await mkdtemp(join(tmpdir(), "kubewright-operator-"));
    const kubeconfig = join(folder, "kubeconfig");
    await writeFile(kubeconfig, listener.kubeconfig ?? "");
    const client = createClient({ transport: server.transport });
    await client.create(CustomResourceDefinition, toCrd(Widget));
    const close = async (): Promise<void> => {
      await listener.close();
      await server.close();
      await rm(folder, { recursive: true });
    };
    return new OperatorProcess(client, close, kubeconfig);
  }

  signal(name: NodeJS.Signals): void {
    this.#process.kill(name);
  }

  /** Resolves when the log says something. */
  async logged(text: string): Promise<void> {
    while (!this.#log.includes(text)) await once(this.#process.stderr, "data");
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#process.kill("SIGKILL");
    await this.ended;
    await this.#close();
  }
}

test("R20: a promise that a reconcile did not await fails that reconcile, which is tried again; R15: nothing is open after the end", async () => {
  await using operator = await OperatorProcess.start();
  const made = firstConfigMap(operator.client, "unawaited");
  await operator.client.create(Widget, { metadata: { name: "unawaited" }, spec: {} });
  assert.equal((await made).data?.["attempt"], "2");
  operator.signal("SIGTERM");
  const { code, output, log } = await operator.ended;
  assert.equal(code, 0, log);
  assert.match(log, /a promise of a reconcile was rejected and nobody awaited it.*"key":"default\/unawaited"/);
  assert.deepEqual(
    JSON.parse(output).filter((resource: string) => resource !== "PipeWrap" && resource !== "Immediate"),
    [],
  );
});

test("R20: a rejected promise that belongs to no reconcile ends the process with 1", async () => {
  await using operator = await OperatorProcess.start();
  await operator.client.create(Widget, { metadata: { name: "stray" }, spec: {} });
  const { code, log } = await operator.ended;
  assert.equal(code, 1);
  assert.match(log, /a promise was rejected and nobody handled it; ending.*stray/);
});

test("R28: a first signal waits for what runs, a second one ends the process at once", async () => {
  await using operator = await OperatorProcess.start();
  const begun = firstConfigMap(operator.client, "stuck");
  await operator.client.create(Widget, { metadata: { name: "stuck" }, spec: {} });
  await begun;
  operator.signal("SIGTERM");
  await operator.logged('"stopping"');
  operator.signal("SIGTERM");
  assert.equal((await operator.ended).code, 1);
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

test("an operator that is asked for help prints its flags and ends, with no cluster there", async () => {
  const printed: string[] = [];
  const host: SystemProcess = { ...systemProcess, args: ["--help"], env: {}, print: (text) => printed.push(text) };
  await runOperator({ controllers: [copying], host });
  assert.match(printed.join(""), /--leader-elect /);
});

test("an operator with a flag that nobody understands says so in one line, and ends", async () => {
  const printed: string[] = [];
  const codes: number[] = [];
  const printError = (text: string): void => void printed.push(text);
  const exit = (code: number): void => void codes.push(code);
  const host: SystemProcess = { ...systemProcess, args: ["--metrics-addr=:1"], env: {}, printError, exit };
  await runOperator({ controllers: [copying], host });
  assert.match(printed.join(""), /^unknown argument "--metrics-addr=:1"; the flags are --kubeconfig, .*\n$/);
  assert.deepEqual(codes, [2]);
});

/** Runs programs/operator.ts to its end. */
function runProgram(
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): { readonly status: number | null; readonly stderr: string } {
  const program = join(import.meta.dirname, "programs/operator.ts");
  return spawnSync(process.execPath, [program, ...args], { env, encoding: "utf8", timeout: 60_000 });
}

test("an operator without a cluster says in one line where it looked, and ends with 1", () => {
  const { status, stderr } = runProgram([], { HOME: "/no/home" });
  assert.equal(
    stderr,
    "no cluster: pass --kubeconfig, set KUBECONFIG, create /no/home/.kube/config, or run in a pod\n",
  );
  assert.equal(status, 1);
});

test("an operator whose kubeconfig is broken, or lacks its context or a file, says so in one line and ends with 1", async () => {
  const folder = await mkdtemp(join(tmpdir(), "kubewright-operator-"));
  const kubeconfig = join(folder, "kubeconfig");
  for (const [text, expected] of [
    ["users: [{", " cannot be read: Flow map"],
    ["contexts: [{name: here}]", ' has no context "there"; its contexts are: here'],
    [
      'contexts: [{name: there, context: {cluster: a}}]\nclusters: [{name: a, cluster: {server: "https://a", certificate-authority: no}}]',
      `: certificate-authority of the cluster "a" names the file ${join(folder, "no")}, which does not exist`,
    ],
  ] as const) {
    await writeFile(kubeconfig, text);
    const { status, stderr } = runProgram([`--kubeconfig=${kubeconfig}`, "--context=there"]);
    assert.ok(stderr.startsWith(`the kubeconfig ${kubeconfig}${expected}`), stderr);
    assert.deepEqual([status, stderr.indexOf("\n")], [1, stderr.length - 1], stderr);
  }
  await rm(folder, { recursive: true });
});

test("an operator with a mistake of its programmer ends with its stack", async () => {
  const printed: string[] = [];
  const printError = (text: string): void => void printed.push(text);
  const exit = (code: number): void => assert.fail(`exited with ${code}`);
  const host: SystemProcess = { ...systemProcess, args: [], env: {}, printError, exit };
  await using server = await createApiServer({ clock: systemClock, random: systemRandom });
  const listener = await server.listen();
  const folder = await mkdtemp(join(tmpdir(), "kubewright-operator-"));
  const kubeconfig = join(folder, "kubeconfig");
  await writeFile(kubeconfig, listener.kubeconfig ?? "");
  const twice = runOperator({ controllers: [copying, copying], flags: { kubeconfig }, host });
  await assert.rejects(
    twice,
    (error: Error) => /two controllers/.test(error.message) && /\n +at /.test(error.stack ?? ""),
  );
  assert.deepEqual(printed, []);
  await listener.close();
  await rm(folder, { recursive: true });
});

test("an operator whose port is taken, or is none, says in one line which flag to change, and ends with 1", async () => {
  await using server = await createApiServer({ clock: systemClock, random: systemRandom });
  const listener = await server.listen();
  const folder = await mkdtemp(join(tmpdir(), "kubewright-operator-"));
  const kubeconfig = join(folder, "kubeconfig");
  await writeFile(kubeconfig, listener.kubeconfig ?? "");
  const taken = `127.0.0.1:${new URL(listener.url).port}`;
  for (const [address, expected] of [
    [taken, /^listen EADDRINUSE.*; choose another address, or 0 for none$/],
    ["here", /^"here" is no address; write ":8080" or "127\.0\.0\.1:8080"$/],
    [":65536", /^":65536" is no address; write/],
  ] as const) {
    const { status, stderr } = runProgram([`--kubeconfig=${kubeconfig}`, `--health-probe-bind-address=${address}`]);
    const start = `--health-probe-bind-address=${address}: `;
    assert.ok(stderr.startsWith(start), stderr);
    assert.match(stderr.slice(start.length, -1), expected);
    assert.equal(status, 1);
  }
  await listener.close();
  await rm(folder, { recursive: true });
});
