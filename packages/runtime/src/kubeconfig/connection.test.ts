import assert from "node:assert/strict";
import { test } from "node:test";
import type { Clock, Files } from "@kubewright/core/ports";
import { isConfigurationError } from "./configuration-error.ts";
import { type ConnectionOptions, findConnection } from "./connection.ts";

/** Files in memory, and a clock that is moved by hand. */
function world(
  content: Record<string, string>,
): Required<Pick<ConnectionOptions, "files" | "clock">> & { pass(ms: number): void } {
  let nowMs = 0;
  const files: Files = {
    read: async (path) => (Object.hasOwn(content, path) ? Buffer.from(content[path] ?? "") : undefined),
    write: async () => {},
  };
  const clock: Clock = { now: () => nowMs, monotonic: () => nowMs, schedule: () => () => {} };
  return {
    files,
    clock,
    pass: (ms) => {
      nowMs += ms;
    },
  };
}

const KUBECONFIG = `
apiVersion: v1
kind: Config
current-context: dev
contexts:
- {name: dev, context: {cluster: c1, user: u1, namespace: shop}}
- {name: prod, context: {cluster: c2, user: u2}}
clusters:
- {name: c1, cluster: {server: "https://dev:6443", certificate-authority: ca.crt}}
- {name: c2, cluster: {server: "https://prod:6443", insecure-skip-tls-verify: true, proxy-url: "http://proxy:3128"}}
users:
- {name: u1, user: {tokenFile: token, as: jane, as-groups: [dev]}}
- name: u2
  user:
    exec: {apiVersion: client.authentication.k8s.io/v1, command: get-token, interactiveMode: Never}
`;

/** A kubeconfig of one context with this user. */
function configOf(user: object): string {
  return JSON.stringify({
    "current-context": "c",
    contexts: [{ name: "c", context: { cluster: "c", user: "u" } }],
    clusters: [{ name: "c", cluster: { server: "https://api" } }],
    users: [{ name: "u", user }],
  });
}

test("a kubeconfig's current context says server, namespace, authority and user; paths are relative to the file", async () => {
  const { files, clock } = world({
    "/home/.kube/config": KUBECONFIG,
    "/home/.kube/ca.crt": "CA",
    "/home/.kube/token": "t1\n",
  });
  const connection = await findConnection({ env: { HOME: "/home" }, files, clock });
  assert.equal(connection.server, "https://dev:6443");
  assert.equal(connection.namespace, "shop");
  assert.deepEqual(connection.impersonate, { user: "jane", groups: ["dev"] });
  assert.equal(String((await connection.tls?.())?.ca), "CA");
  assert.deepEqual(await connection.headers?.(), { authorization: "Bearer t1" });
});

test("R37: a rotated token file is used within a minute", async () => {
  const content: Record<string, string> = { "/k": KUBECONFIG, "/ca.crt": "CA", "/token": "old" };
  const { files, clock, pass } = world(content);
  const connection = await findConnection({ kubeconfig: "/k", env: {}, files, clock });
  assert.deepEqual(await connection.headers?.(), { authorization: "Bearer old" });
  assert.deepEqual(connection.headers?.(), { authorization: "Bearer old" }); // Known now, so it is not waited for.
  content["/token"] = "new";
  content["/ca.crt"] = "CA2";
  pass(60_000);
  assert.deepEqual(await connection.headers?.(), { authorization: "Bearer new" });
  assert.equal(String((await connection.tls?.())?.ca), "CA2");
});

test("S11: a credential program runs only when it is allowed", async () => {
  const { files, clock } = world({ "/k": KUBECONFIG });
  const options = { kubeconfig: "/k", context: "prod", env: {}, files, clock };
  await assert.rejects(findConnection(options), /wants to run "get-token" for credentials; allow it with/);
});

test("a server whose certificate is not verified is warned of", async () => {
  const { files, clock } = world({ "/k": KUBECONFIG, "/ca.crt": "CA", "/token": "t" });
  const options = { kubeconfig: "/k", env: {}, files, clock, runProgram: async () => "" };
  assert.deepEqual((await findConnection({ ...options, context: "dev" })).warnings, []);
  const { warnings } = await findConnection({ ...options, context: "prod" });
  assert.deepEqual(warnings, ["the certificate of https://prod:6443 is not verified"]);
});

test("a kubeconfig may make its user somebody else, in every respect", async () => {
  const user = { token: "t", as: "jane", "as-uid": "7", "as-groups": ["a", "b"], "as-user-extra": { scopes: ["x"] } };
  const { files, clock } = world({ "/k": configOf(user) });
  const { impersonate } = await findConnection({ kubeconfig: "/k", env: {}, files, clock });
  assert.deepEqual(impersonate, { user: "jane", uid: "7", groups: ["a", "b"], extra: { scopes: ["x"] } });
});

for (const more of [{ "as-groups": ["a"] }, { "as-uid": "7" }, { "as-user-extra": { scopes: ["x"] } }]) {
  test(`a kubeconfig with ${Object.keys(more)} but nobody to be is refused, not taken as its own user`, async () => {
    const { files, clock } = world({ "/k": configOf({ token: "t", ...more }) });
    await assert.rejects(
      findConnection({ kubeconfig: "/k", env: {}, files, clock }),
      /^Error: requesting uid, groups or user-extra for u without impersonating a user$/,
    );
  });
}

test("a context whose user is missing is refused with those there are, instead of being nobody", async () => {
  const { files, clock } = world({ "/k": KUBECONFIG.replace("user: u1", "user: u9") });
  await assert.rejects(
    findConnection({ kubeconfig: "/k", env: {}, files, clock }),
    /no user "u9"; its users are: u1, u2/,
  );
});

test("several files of $KUBECONFIG are merged, the first to say something wins", async () => {
  const other = JSON.stringify({
    "current-context": "prod",
    clusters: [{ name: "c1", cluster: { server: "https://x" } }],
  });
  const { files, clock } = world({ "/a": other, "/b": KUBECONFIG });
  const runProgram = async (): Promise<string> => "";
  const connection = await findConnection({ env: { KUBECONFIG: "/missing:/a:/b" }, files, clock, runProgram });
  assert.equal(connection.server, "https://prod:6443");
});

test("in a pod the service account is used", async () => {
  const folder = "/var/run/secrets/kubernetes.io/serviceaccount";
  const { files, clock } = world({ [`${folder}/token`]: "pod", [`${folder}/ca.crt`]: "CA" });
  const env = { KUBERNETES_SERVICE_HOST: "fd00::1", KUBERNETES_SERVICE_PORT: "443", POD_NAMESPACE: "ops" };
  const connection = await findConnection({ env, files, clock });
  assert.equal(connection.server, "https://[fd00::1]:443");
  assert.equal(connection.namespace, "ops");
  assert.deepEqual(await connection.headers?.(), { authorization: "Bearer pod" });
});

test("a pod's namespace is what its service account says, unless the environment does", async () => {
  const folder = "/var/run/secrets/kubernetes.io/serviceaccount";
  const env = { KUBERNETES_SERVICE_HOST: "10.96.0.1", KUBERNETES_SERVICE_PORT: "443" };
  const { files, clock } = world({ [`${folder}/namespace`]: "shop\n" });
  assert.equal((await findConnection({ env, files, clock })).namespace, "shop");
  assert.equal((await findConnection({ env: { ...env, POD_NAMESPACE: "ops" }, files, clock })).namespace, "ops");
  assert.equal((await findConnection({ env, ...world({}) })).namespace, "default");
});

test("without anything the places that were looked at are named", async () => {
  const { files, clock } = world({});
  await assert.rejects(
    findConnection({ env: { HOME: "/home" }, files, clock }),
    /pass --kubeconfig, set KUBECONFIG, create \/home\/.kube\/config/,
  );
  await assert.rejects(findConnection({ kubeconfig: "/nope", env: {}, files, clock }), /\/nope does not exist/);
});

test("a context that is not there is refused with those there are", async () => {
  const { files, clock } = world({ "/k": KUBECONFIG });
  await assert.rejects(
    findConnection({ kubeconfig: "/k", context: "x", env: {}, files, clock }),
    /no context "x"; its contexts are: dev, prod/,
  );
});

for (const [broken, file, expected] of [
  [
    "no YAML",
    "users: [{token: secret",
    /^Error: the kubeconfig \/k cannot be read: Flow map[^\n]* at line 1, column \d+; correct it, or/,
  ],
  [
    "neither JSON nor YAML",
    '{"users": [{"token": secret',
    /^Error: the kubeconfig \/k cannot be read: Flow map[^\n]*; correct it, or/,
  ],
  ["empty", "", /^Error: the kubeconfig \/k is empty; point --kubeconfig/],
  [
    "without a list",
    "clusters: 5",
    /^Error: the kubeconfig \/k is broken: clusters must be a list of entries that have a name$/,
  ],
  [
    "without names",
    "users: [null]",
    /^Error: the kubeconfig \/k is broken: users must be a list of entries that have a name$/,
  ],
  [
    "without a current context",
    "contexts: [{name: a}]",
    /^Error: the kubeconfig \/k has no current context; choose one with --context: a$/,
  ],
  [
    "without the cluster",
    KUBECONFIG.replace("cluster: c1", "cluster: c9"),
    /^Error: the kubeconfig \/k has no cluster "c9"; its clusters are: c1, c2$/,
  ],
  [
    "without a server",
    KUBECONFIG.replace('server: "https://dev:6443", ', ""),
    /^Error: the kubeconfig \/k: server of the cluster "c1" must be a URL that begins with https:\/\/, which is missing$/,
  ],
  [
    "with a server that is no URL",
    KUBECONFIG.replace("https://dev:6443", "dev:6443"),
    /begins with https:\/\/, not "dev:6443"$/,
  ],
  [
    "without its authority's file",
    KUBECONFIG,
    /^Error: the kubeconfig \/k: certificate-authority of the cluster "c1" names the file \/ca\.crt, which does not exist; correct the path or the file$/,
  ],
  [
    "without its token's file",
    configOf({ tokenFile: "t" }),
    /^Error: the kubeconfig \/k: tokenFile of the user "u" names the file \/t, which does not exist;/,
  ],
  ["without its certificate's file", configOf({ "client-certificate": "c" }), /: client-certificate of the user "u"/],
  ["without its key's file", configOf({ "client-key": "../c" }), /: client-key of the user "u" names the file \/c,/],
  ["with a program that has no name", configOf({ exec: {} }), /^Error: command must be specified for u to use exec/],
] as const) {
  test(`a kubeconfig that is ${broken} is refused in one line that tells no secret, as something to be put right`, async () => {
    const { files, clock } = world({ "/k": file });
    const finding = findConnection({ kubeconfig: "/k", env: {}, files, clock, runProgram: async () => "" });
    await assert.rejects(finding, expected);
    await assert.rejects(finding, (error: Error) => !/\n|secret/.test(error.message) && isConfigurationError(error));
  });
}

test("a file that a kubeconfig names and nobody may read is refused with the reason", async () => {
  const { files, clock } = world({ "/k": KUBECONFIG });
  const read = async (path: string): Promise<Uint8Array | undefined> => {
    if (path === "/ca.crt") throw new Error("EACCES: permission denied, open '/ca.crt'");
    return files.read(path);
  };
  await assert.rejects(
    findConnection({ kubeconfig: "/k", env: {}, files: { ...files, read }, clock }),
    /names the file \/ca\.crt, which cannot be read: EACCES: permission denied, open '\/ca\.crt'; correct/,
  );
});

test("a file whose content stands in the kubeconfig itself need not be there, and one that goes away later fails requests only", async () => {
  const content: Record<string, string> = {
    "/k": configOf({ "client-certificate": "no", "client-certificate-data": "QQ==", tokenFile: "t" }),
    "/t": "t",
  };
  const { files, clock } = world(content);
  const connection = await findConnection({ kubeconfig: "/k", env: {}, files, clock });
  assert.deepEqual((await connection.tls?.())?.cert, new Uint8Array(Buffer.from("A")));
  delete content["/t"];
  await assert.rejects(async () => connection.headers?.(), /the file \/t .*does not exist/);
  content["/t"] = "t";
  assert.deepEqual(await connection.headers?.(), { authorization: "Bearer t" });
});

test("a kubeconfig in YAML may begin with a brace", async () => {
  const { files, clock } = world({
    "/k": configOf({ token: "t" }).replaceAll('"', "").replaceAll(":", ": ").replace("https: ", "https:"),
  });
  assert.equal((await findConnection({ kubeconfig: "/k", env: {}, files, clock })).server, "https://api");
});

test("the environment names a proxy, a kubeconfig's own goes before it, and a pod heeds NO_PROXY", async () => {
  const { files, clock } = world({ "/k": KUBECONFIG, "/ca.crt": "CA", "/token": "t" });
  const env = { HTTPS_PROXY: "http://environment:3128", NO_PROXY: "10.0.0.0/8" };
  const proxyOf = async (context: string): Promise<string | undefined> =>
    (await findConnection({ kubeconfig: "/k", context, env, files, clock, runProgram: async () => "" })).proxyUrl;
  assert.deepEqual([await proxyOf("dev"), await proxyOf("prod")], ["http://environment:3128", "http://proxy:3128"]);
  const pod = { KUBERNETES_SERVICE_HOST: "10.96.0.1", KUBERNETES_SERVICE_PORT: "443", ...env };
  assert.equal((await findConnection({ env: pod, files, clock })).proxyUrl, undefined);
});

test("what a kubeconfig leaves empty it does not say", async () => {
  const config = `
current-context: c
contexts: [{name: c, context: {cluster: c, user: u, namespace: null}}]
clusters:
- name: c
  cluster: {server: "https://api", certificate-authority: "", certificate-authority-data: , proxy-url: "", extensions: }
users:
- name: u
  user:
    client-certificate: ""
    client-certificate-data:
    client-key: ""
    tokenFile: ""
    token: ""
    as-groups:
    exec:
    auth-provider:
    username: jane
    password: secret
`;
  const { files, clock } = world({ "/k/config": config });
  const env = { HTTPS_PROXY: "", https_proxy: "http://proxy:3128" };
  const connection = await findConnection({ kubeconfig: "/k/config", env, files, clock });
  assert.deepEqual(await connection.headers?.(), { authorization: "Basic amFuZTpzZWNyZXQ=" });
  const { ca, cert, key } = (await connection.tls?.()) ?? {};
  assert.deepEqual([ca, cert, key], [undefined, undefined, undefined]);
  assert.deepEqual([connection.namespace, connection.proxyUrl], ["default", "http://proxy:3128"]);
});
