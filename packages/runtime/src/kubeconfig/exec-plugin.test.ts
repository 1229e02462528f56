import assert from "node:assert/strict";
import { test } from "node:test";
import type { Files } from "@kubewright/core/ports";
import { type Connection, findConnection } from "./connection.ts";
import type { RunProgram } from "./exec-plugin.ts";
import type { ExecPlugin, KubeconfigCluster } from "./kubeconfig.ts";

const V1 = "client.authentication.k8s.io/v1";

/** A kubeconfig whose user is given by a program, and the program. */
class Login {
  nowMs = 0;
  readonly asked: Parameters<RunProgram>[0][] = [];
  /** What the program prints, by how often it was asked. */
  answer: (count: number) => object = (count) => ({ token: `t${count}` });
  readonly plugin: Partial<ExecPlugin>;
  readonly cluster: KubeconfigCluster;

  constructor(plugin: Partial<ExecPlugin> = {}, cluster: KubeconfigCluster = { server: "https://api:6443" }) {
    this.plugin = plugin;
    this.cluster = cluster;
  }

  connect(options: { readonly stdinIsTerminal?: boolean; readonly runProgram?: RunProgram } = {}): Promise<Connection> {
    const exec = { apiVersion: V1, command: "get-token", interactiveMode: "Never", ...this.plugin };
    const kubeconfig = {
      "current-context": "c",
      contexts: [{ name: "c", context: { cluster: "c", user: "jane" } }],
      clusters: [{ name: "c", cluster: this.cluster }],
      users: [{ name: "jane", user: { exec } }],
    };
    const content: Readonly<Record<string, string>> = { "/etc/k": JSON.stringify(kubeconfig), "/etc/ca.crt": "CA" };
    const files: Files = {
      read: async (path) => (Object.hasOwn(content, path) ? Buffer.from(content[path] ?? "") : undefined),
      write: async () => {},
    };
    const clock = { now: () => this.nowMs, monotonic: () => this.nowMs, schedule: () => () => {} };
    const runProgram: RunProgram = async (program) => {
      this.asked.push(program);
      const status = this.answer(this.asked.length);
      return JSON.stringify({ apiVersion: exec.apiVersion, kind: "ExecCredential", status });
    };
    return findConnection({ kubeconfig: "/etc/k", env: {}, files, clock, runProgram, ...options });
  }

  /** What the program was told the last time. */
  get told(): { readonly kind: string; readonly apiVersion: string; readonly spec: object } {
    return JSON.parse(this.asked.at(-1)?.env["KUBERNETES_EXEC_INFO"] ?? "{}");
  }
}

const authorization = async (connection: Connection): Promise<string | undefined> =>
  (await connection.headers?.())?.["authorization"];

test("R37: a credential program is asked again when what it gave expires, and told what it must know", async () => {
  const login = new Login({ args: ["--now"], env: [{ name: "A", value: "b" }] });
  login.answer = (count) => ({
    token: `t${count}`,
    expirationTimestamp: new Date(login.nowMs + 60_000).toISOString(),
  });
  const connection = await login.connect();
  assert.deepEqual([await authorization(connection), await authorization(connection)], ["Bearer t1", "Bearer t1"]);
  login.nowMs += 55_000;
  assert.equal(await authorization(connection), "Bearer t2");
  assert.deepEqual(
    login.asked.map(({ command, args, env }) => `${command} ${args} A=${env["A"]}`),
    ["get-token --now A=b", "get-token --now A=b"],
  );
  assert.deepEqual(login.told, { apiVersion: V1, kind: "ExecCredential", spec: { interactive: false } });
});

test("R37: a credential program is asked again when the server does not take what it gave, once for all who were refused", async () => {
  const login = new Login();
  const connection = await login.connect();
  const both = await Promise.all([authorization(connection), authorization(connection), connection.tls?.()]);
  assert.deepEqual([both[0], both[1], login.asked.length], ["Bearer t1", "Bearer t1", 1]);
  const refused = { authorization: "Bearer t1" };
  connection.onUnauthorized?.(refused);
  assert.equal(await authorization(connection), "Bearer t2");
  connection.onUnauthorized?.(refused); // A request that was sent before the renewal.
  assert.equal(await authorization(connection), "Bearer t2");
});

test("a credential program may give a client certificate", async () => {
  const login = new Login();
  login.answer = () => ({ clientCertificateData: "CERT", clientKeyData: "KEY" });
  const connection = await login.connect();
  const { cert, key } = (await connection.tls?.()) ?? {};
  assert.deepEqual([cert, key, await authorization(connection)], ["CERT", "KEY", undefined]);
});

test("a credential program that asks for it is told of the cluster, its authority and what is for the program included", async () => {
  const extensions = [{ name: "client.authentication.k8s.io/exec", extension: { audience: "shop" } }];
  const cluster = { server: "https://dev:6443", "tls-server-name": "api", "proxy-url": "http://proxy:3128" };
  const login = new Login(
    { provideClusterInfo: true },
    { ...cluster, "certificate-authority": "ca.crt", "disable-compression": true, extensions },
  );
  await authorization(await login.connect());
  const data = Buffer.from("CA").toString("base64");
  const told = { ...cluster, "certificate-authority-data": data, "disable-compression": true };
  assert.deepEqual(login.told.spec, { interactive: false, cluster: { ...told, config: { audience: "shop" } } });
});

for (const [interactiveMode, stdinIsTerminal, interactive] of [
  ["Never", true, false],
  ["Never", false, false],
  ["IfAvailable", true, true],
  ["IfAvailable", false, false],
  ["Always", true, true],
] as const) {
  const stdin = stdinIsTerminal ? "a terminal" : "no terminal";
  test(`interactiveMode ${interactiveMode} with ${stdin}: the program ${interactive ? "can" : "cannot"} ask its user`, async () => {
    const login = new Login({ interactiveMode });
    await authorization(await login.connect({ stdinIsTerminal }));
    assert.deepEqual(login.told.spec, { interactive });
    assert.equal(login.asked[0]?.interactive, interactive);
  });
}

test("interactiveMode Always without a terminal: the program is not run, and the error says why", async () => {
  const login = new Login({ interactiveMode: "Always" });
  const connection = await login.connect();
  await assert.rejects(authorization(connection), {
    message:
      "exec plugin cannot support interactive mode: standard input is not a terminal; " +
      '"get-token" must be able to ask its user; run this in a terminal',
  });
  assert.deepEqual(login.asked, []);
});

test("version v1beta1 asks its user where it can, unless it says otherwise; v1 must say", async () => {
  const unsaid = { interactiveMode: null } as object; // As nothing: JSON has no undefined.
  const login = new Login({ apiVersion: "client.authentication.k8s.io/v1beta1", ...unsaid });
  await authorization(await login.connect({ stdinIsTerminal: true }));
  assert.deepEqual(login.told.spec, { interactive: true });
  await assert.rejects(
    new Login(unsaid).connect(),
    /^Error: interactiveMode must be specified for jane to use exec authentication/,
  );
  await assert.rejects(new Login({ interactiveMode: "Often" }).connect(), /invalid interactiveMode for jane: "Often"/);
  await assert.rejects(new Login({ apiVersion: "v9" }).connect(), /exec plugin: invalid apiVersion "v9"/);
});

test("a program that is named by a path is looked for beside the kubeconfig, any other in PATH", async () => {
  for (const [command, expected] of [
    ["bin/login", "/etc/bin/login"],
    ["/opt/login", "/opt/login"],
    ["login", "login"],
  ] as const) {
    const login = new Login({ command });
    await authorization(await login.connect());
    assert.equal(login.asked[0]?.command, expected);
  }
});

test("a program that is not there is told with its install hint, without what could trick a terminal", async () => {
  const login = new Login({ installHint: "get it at \u001b[1mexample.com" });
  const runProgram = (): Promise<string> => Promise.reject(new Error("executable get-token not found"));
  const connection = await login.connect({ runProgram });
  await assert.rejects(authorization(connection), {
    message: "exec: executable get-token not found; get it at  [1mexample.com",
  });
});

for (const [printed, expected] of [
  ["secret", /"get-token" did not print an ExecCredential$/],
  ["null", /did not print an ExecCredential$/],
  [
    { kind: "ExecCredential", apiVersion: "secret", status: {} },
    /configured to use API version .*\/v1, .* another one$/,
  ],
  [{ kind: "ExecCredential", apiVersion: V1, spec: "secret" }, /didn't return a status field$/],
  [{ kind: "ExecCredential", apiVersion: V1, status: { x: "secret" } }, /didn't return a token or cert\/key pair$/],
  [
    { kind: "ExecCredential", apiVersion: V1, status: { clientKeyData: "secret" } },
    /returned only certificate or key, not both$/,
  ],
] as const) {
  test(`S11: what a credential program prints never stands in an error: ${expected.source}`, async () => {
    const text = typeof printed === "string" ? printed : JSON.stringify(printed);
    const connection = await new Login().connect({ runProgram: async () => text });
    await assert.rejects(authorization(connection), (error: Error) => {
      assert.match(error.message, expected);
      return !error.message.includes("secret");
    });
  });
}
