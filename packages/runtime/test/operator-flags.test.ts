/** What the flags of an operator's process do, each in a process of which only the host is made up, on a server over TLS. */
import assert from "node:assert/strict";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import type { IncomingMessage } from "node:http";
import { get } from "node:http";
import { get as getSecurely } from "node:https";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { Lease } from "@kubewright/api/coordination/v1";
import { ConfigMap, Namespace, ServiceAccount } from "@kubewright/api/core/v1";
import { ClusterRoleBinding } from "@kubewright/api/rbac/v1";
import { createApiServer } from "@kubewright/apiserver";
import type { KubernetesObject, ResourceDefinition } from "@kubewright/core/meta";
import { type SystemProcess, systemClock, systemProcess, systemRandom } from "@kubewright/node";
import {
  type Client,
  createClient,
  defineController,
  exists,
  type OperatorOptions,
  RECONCILES_PATH,
  runOperator,
  type Tracer,
  unstructured,
  waitFor,
} from "@kubewright/runtime";
import { freePort } from "./free-server-port.ts";

/** Answers each ConfigMap named "ask" with one named "answer" beside it. */
const answering = defineController({
  for: ConfigMap,
  name: "answering",
  async reconcile({ metadata = {} }, { client, cache, log, signal }) {
    if (metadata.name !== "ask" || cache.get(ConfigMap, "answer") !== undefined) return;
    log.debug("answering");
    await client.create(ConfigMap, { metadata: { name: "answer" } }, { signal });
  },
});

interface Started {
  readonly client: Client;
  /** What the process wrote to standard error. */
  readonly lines: readonly string[];
  /** Programs that it ran. */
  readonly programs: readonly string[];
  /** Resolves when the operator has ended by itself. */
  readonly ended: Promise<void>;
}

interface Setting extends Partial<OperatorOptions> {
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** Told how the process ends itself, which it should not. */
  exit?(code: number): void;
  /** What the kubeconfig says otherwise. */
  change?(kubeconfig: Kubeconfig): object;
}

interface Kubeconfig {
  readonly contexts: ReadonlyArray<{ readonly name: string; readonly context: object }>;
  readonly clusters: ReadonlyArray<{ readonly name: string; readonly cluster: object }>;
  readonly users: ReadonlyArray<{ readonly name: string; readonly user: Readonly<Record<string, string>> }>;
}

const QUIET = ["--metrics-bind-address=0", "--health-probe-bind-address=0"];

/** Runs an operator with these flags for as long as `work` takes. */
async function withOperator(setting: Setting, work: (started: Started) => Promise<void>): Promise<void> {
  const { args, env = {}, change = (kubeconfig) => kubeconfig, exit = unexpectedExit, ...options } = setting;
  await using server = await createApiServer({ clock: systemClock, random: systemRandom });
  const listener = await server.listen();
  const folder = await mkdtemp(join(tmpdir(), "kubewright-flags-"));
  const path = join(folder, "kubeconfig");
  const kubeconfig: Kubeconfig = JSON.parse(listener.kubeconfig ?? "{}");
  await writeFile(path, JSON.stringify(change(kubeconfig)));
  const { promise: signalled, resolve: onSignal } = Promise.withResolvers<() => void>();
  const lines: string[] = [];
  const programs: string[] = [];
  const { "client-certificate-data": cert = "", "client-key-data": key = "" } = kubeconfig.users[0]?.user ?? {};
  const host: SystemProcess = {
    ...systemProcess,
    ...{ args: [`--kubeconfig=${path}`, ...args], env, hostName: "pod-1" },
    printError: (text) => lines.push(text),
    onStopSignal(listen) {
      onSignal(listen);
      return () => {};
    },
    async runProgram({ command }) {
      programs.push(command);
      const status = { clientCertificateData: decoded(cert), clientKeyData: decoded(key) };
      return JSON.stringify({ apiVersion: "client.authentication.k8s.io/v1", kind: "ExecCredential", status });
    },
    exit,
  };
  const running = runOperator({ controllers: [answering], host, ...options });
  const client = createClient({ transport: server.transport });
  try {
    const working = work({ client, lines, programs, ended: running });
    await Promise.race([working, running.then(() => working)]); // Fails at once with an operator that fails.
  } finally {
    const stopped = signalled.then((signal) => signal()).then(() => running);
    await Promise.race([stopped, running.catch(() => {})]); // Ended already when it could not be started.
    await listener.close();
    await rm(folder, { recursive: true });
  }
}

function unexpectedExit(code: number): never {
  assert.fail(`exited with ${code}`);
}

const decoded = (base64: string): string => Buffer.from(base64, "base64").toString();

/** Resolves when the object is there. */
async function there<Kind extends KubernetesObject>(
  { client }: Started,
  what: ResourceDefinition<Kind, unknown>,
  at: { readonly name: string; readonly namespace?: string },
): Promise<Kind> {
  const found = await waitFor(client, what, at, { condition: exists });
  assert.ok(found !== undefined);
  return found;
}

async function ask({ client }: Started, namespace = "default"): Promise<void> {
  await client.create(ConfigMap, { metadata: { name: "ask", namespace } });
}

async function read(request: ReturnType<typeof get>): Promise<string> {
  const [response] = (await once(request, "response")) as [IncomingMessage];
  return `${response.statusCode} ${Buffer.concat(await response.toArray())}`;
}

/** A token of a new service account. */
async function tokenOf({ client }: Started, name: string): Promise<string> {
  await client.create(ServiceAccount, { metadata: { name } });
  const request = { apiVersion: "authentication.k8s.io/v1", kind: "TokenRequest", spec: {} };
  const tokens = client.subresource<{ readonly status: { readonly token: string } }>(ServiceAccount, "token");
  return (await tokens.create(name, request)).status.token;
}

test("--leader-elect, --leader-election-id and --leader-election-namespace say which Lease is held, and by whom", async () => {
  const args = [...QUIET, "--leader-elect", "--leader-election-id=mine", "--leader-election-namespace=kube-public"];
  await withOperator({ args }, async (started) => {
    await ask(started);
    await there(started, ConfigMap, { name: "answer" });
    const lease = await there(started, Lease, { name: "mine", namespace: "kube-public" });
    assert.match(lease.spec?.holderIdentity ?? "", /^pod-1_[0-9a-f-]{36}$/);
  });
});

test("--leader-elect alone takes the operator's name and the context's namespace", async () => {
  const change = (config: Kubeconfig): object => ({
    ...config,
    contexts: config.contexts.map(({ name, context }) => ({ name, context: { ...context, namespace: "kube-public" } })),
  });
  await withOperator({ args: [...QUIET, "--leader-elect"], name: "shop", change }, async (started) => {
    await there(started, Lease, { name: "shop", namespace: "kube-public" });
  });
});

for (const setting of [
  { args: [...QUIET, "--namespace=a,b"] },
  { args: QUIET, env: { WATCH_NAMESPACE: "a,b" } },
  { args: QUIET, flags: { namespaces: ["a", "b"] } },
]) {
  const [by = ""] = setting.env === undefined ? setting.args.slice(2) : ["WATCH_NAMESPACE"];
  test(`${by || "the option namespaces"}: only objects there are worked on`, async () => {
    await withOperator(setting, async (started) => {
      for (const name of ["a", "b", "c"]) await started.client.create(Namespace, { metadata: { name } });
      for (const namespace of ["c", "a", "b"]) await ask(started, namespace);
      for (const namespace of ["a", "b"]) await there(started, ConfigMap, { name: "answer", namespace });
      assert.equal(await started.client.find(ConfigMap, { name: "answer", namespace: "c" }), undefined);
    });
  });
}

test("namespaces may be chosen by their labels, and leadership may last for another time", async () => {
  const electionTiming = { leaseMs: 60_000, renewDeadlineMs: 40_000, retryMs: 5_000 };
  const setting = { args: [...QUIET, "--leader-elect"], namespaces: { labelSelector: "shop" }, electionTiming };
  await withOperator(setting, async (started) => {
    await started.client.create(Namespace, { metadata: { name: "a" } });
    await started.client.create(Namespace, { metadata: { name: "b", labels: { shop: "yes" } } });
    for (const namespace of ["a", "b"]) await ask(started, namespace);
    await there(started, ConfigMap, { name: "answer", namespace: "b" });
    assert.equal(await started.client.find(ConfigMap, { name: "answer", namespace: "a" }), undefined);
    const lease = await there(started, Lease, { name: "answering", namespace: "default" });
    assert.equal(lease.spec?.leaseDurationSeconds, 60);
  });
});

test("R30: a process whose Lease somebody else took ends with 1", { timeout: 20_000 }, async () => {
  const electionTiming = { leaseMs: 15_000, renewDeadlineMs: 10_000, retryMs: 20 };
  const { promise: exited, resolve: exit } = Promise.withResolvers<number>();
  await withOperator({ args: [...QUIET, "--leader-elect"], electionTiming, exit }, async (started) => {
    await ask(started);
    await there(started, ConfigMap, { name: "answer" });
    await started.client.patch(Lease, "answering", { merge: { spec: { holderIdentity: "somebody else" } } });
    assert.equal(await exited, 1);
  });
});

test("where an OpenTelemetry SDK was registered, reconciles and requests are its spans, without a word about it", async () => {
  const spans: string[] = [];
  const getTracer = (tracer: string): Tracer => ({
    startActiveSpan(name, _options, work) {
      spans.push(`${tracer}: ${name}`);
      return work({ setAttribute() {}, recordException() {}, setStatus() {}, end() {} });
    },
  });
  const place = Symbol.for("opentelemetry.js.api.1"); // Where its API keeps what is registered.
  Object.assign(globalThis, { [place]: { version: "1.9.0", trace: { getTracer } } });
  try {
    await withOperator({ args: QUIET, name: "shop" }, async (started) => {
      await ask(started);
      await there(started, ConfigMap, { name: "answer" });
    });
  } finally {
    Reflect.deleteProperty(globalThis, place);
  }
  for (const expected of ["reconcile answering", "POST /api/v1/namespaces/default/configmaps"])
    assert.ok(spans.includes(`shop: ${expected}`), spans.join("\n"));
});

test("--context chooses among the contexts of the kubeconfig", async () => {
  const change = (config: Kubeconfig): object => ({
    ...config,
    "current-context": "away",
    clusters: [...config.clusters, { name: "away", cluster: { server: "https://127.0.0.1:1" } }],
    contexts: [
      ...config.contexts.map(({ context }) => ({ name: "here", context })),
      { name: "away", context: { cluster: "away", user: config.users[0]?.name } },
    ],
  });
  await withOperator({ args: [...QUIET, "--context=here"], change }, async (started) => {
    await ask(started);
    await there(started, ConfigMap, { name: "answer" });
  });
});

test("--allow-exec-credentials lets the kubeconfig's program give the credentials; without it nothing is run", async () => {
  const exec = { apiVersion: "client.authentication.k8s.io/v1", command: "login", interactiveMode: "IfAvailable" };
  const change = (config: Kubeconfig): object => ({
    ...config,
    users: config.users.map(({ name }) => ({ name, user: { exec } })),
  });
  await withOperator({ args: [...QUIET, "--allow-exec-credentials"], change }, async (started) => {
    await ask(started);
    await there(started, ConfigMap, { name: "answer" });
    assert.deepEqual(new Set(started.programs), new Set(["login"]));
  });
  const codes: number[] = [];
  const exit = (code: number): void => void codes.push(code);
  await withOperator({ args: QUIET, change, exit }, async ({ programs, lines, ended }) => {
    await ended;
    assert.deepEqual([programs, codes], [[], [1]]);
    assert.match(
      lines.join(""),
      /^[^\n]*wants to run "login" for credentials; allow it with --allow-exec-credentials\n$/,
    );
  });
});

test("--metrics-secure serves metrics by HTTPS, to those who prove that they may read them", async () => {
  const [metricsPort, healthPort] = [await freePort(), await freePort()];
  const args = [
    `--metrics-bind-address=127.0.0.1:${metricsPort}`,
    `--health-probe-bind-address=127.0.0.1:${healthPort}`,
    "--metrics-secure",
  ];
  await withOperator({ args }, async (started) => {
    await ask(started);
    await there(started, ConfigMap, { name: "answer" });
    const secure = { host: "127.0.0.1", port: metricsPort, agent: false, rejectUnauthorized: false } as const;
    assert.match(await read(getSecurely({ ...secure, path: "/metrics" })), /^401 /);
    const headers = { authorization: "Bearer nobody" };
    assert.match(await read(getSecurely({ ...secure, path: "/metrics", headers })), /^401 /);
    const known = { authorization: `Bearer ${await tokenOf(started, "reader")}` };
    assert.match(await read(getSecurely({ ...secure, path: "/metrics", headers: known })), /^403 /);
    const roleRef = { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name: "cluster-admin" };
    const subjects = [{ kind: "ServiceAccount", name: "other", namespace: "default" }];
    await started.client.create(ClusterRoleBinding, { metadata: { name: "other" }, roleRef, subjects });
    const allowed = { authorization: `Bearer ${await tokenOf(started, "other")}` };
    assert.match(await read(getSecurely({ ...secure, path: "/metrics", headers: allowed })), /^200 # HELP /);
    await assert.rejects(read(get({ host: "127.0.0.1", port: metricsPort, agent: false, path: "/metrics" })));
    assert.equal(await read(get({ host: "127.0.0.1", port: healthPort, agent: false, path: "/readyz" })), "200 ok\n");
  });
});

test("--health-probe-bind-address: who cannot follow its kinds is alive but not ready, and says why", async () => {
  const port = await freePort();
  const args = ["--metrics-bind-address=0", `--health-probe-bind-address=127.0.0.1:${port}`];
  const missing = { group: "example.com", version: "v1", kind: "Missing", plural: "missings" };
  const waiting = defineController({ for: unstructured({ ...missing, scope: "Namespaced" }), async reconcile() {} });
  await withOperator({ args, controllers: [waiting, answering] }, async (started) => {
    await ask(started);
    await there(started, ConfigMap, { name: "answer" });
    const probe = (path: string): Promise<string> => read(get({ host: "127.0.0.1", port, agent: false, path }));
    assert.match(await probe("/readyz"), /^503 missings\.example\.com: .*could not find the requested resource/);
    assert.deepEqual([await probe("/healthz"), await probe("/livez")], ["200 ok\n", "200 ok\n"]);
    assert.match(await probe("/other"), /^404 /);
  });
});

test("--debug-bind-address tells the last reconciles", async () => {
  const { promise: port, resolve: onDebugPort } = Promise.withResolvers<number>();
  await withOperator({ args: [...QUIET, "--debug-bind-address=127.0.0.1:0"], onDebugPort }, async (started) => {
    await ask(started);
    await there(started, ConfigMap, { name: "answer" });
    const told = await read(get({ host: "127.0.0.1", port: await port, agent: false, path: RECONCILES_PATH }));
    assert.match(told, /^200 \{"reconciles":\[.*"default\/ask"/);
  });
});

for (const [args, expected] of [
  [[], /^\{"time":"[^"]+","level":"info","message":"starting","operator":"answering"/],
  [["--log-format=pretty"], /^[\d:.]{12} INFO {2}starting operator=answering/],
] as const) {
  test(`the log is ${args.length === 0 ? "JSON" : args} on standard error`, async () => {
    await withOperator({ args: [...QUIET, ...args] }, async (started) => {
      await ask(started);
      await there(started, ConfigMap, { name: "answer" });
      assert.match(started.lines[0] ?? "", expected);
      assert.ok(!started.lines.some((line) => line.includes('answering"}')));
    });
  });
}

test("--log-level says how much is logged", async () => {
  for (const [level, expected] of [
    ["debug", true],
    ["warn", false],
  ] as const) {
    await withOperator({ args: [...QUIET, `--log-level=${level}`] }, async (started) => {
      await ask(started);
      await there(started, ConfigMap, { name: "answer" });
      const said = (message: string): boolean => started.lines.some((line) => line.includes(`"message":"${message}"`));
      assert.deepEqual([said("answering"), said("starting")], [expected, expected]);
    });
  }
});

test("--graceful-shutdown-timeout is how long a running reconcile may take to end", { timeout: 20_000 }, async () => {
  const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
  const stuck = defineController({
    for: ConfigMap,
    async reconcile() {
      begin();
      await new Promise(() => {});
    },
  });
  const args = [...QUIET, "--graceful-shutdown-timeout=10ms"];
  await withOperator({ args, controllers: [stuck] }, async (started) => {
    await ask(started);
    await begun;
  });
});
