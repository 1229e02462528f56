import assert from "node:assert/strict";
import { generateKeyPairSync } from "node:crypto";
import { connect } from "node:net";
import { test } from "node:test";
import { readBody, seededRandom, type Transport } from "@kubewright/core/ports";
import { systemClock } from "@kubewright/node";
import { createCertificateAuthority } from "@kubewright/node/certificates";
import { createContractApi, type Told } from "../contract/api.ts";
import { createHttp2Transport } from "../contract/http-transport.ts";
import type { ApiServerOptions } from "./options.ts";
import { type ApiServer, createApiServer } from "./server.ts";

const random = seededRandom(1);

function start(options: Partial<ApiServerOptions> = {}): Promise<ApiServer> {
  return createApiServer({ clock: systemClock, random, ...options });
}

async function statusOf(transport: Transport, path: string, headers: Record<string, string> = {}): Promise<number> {
  const { status, body } = await transport.send({ method: "GET", path, headers });
  await readBody(body);
  return status;
}

test("a client certificate names the user and its groups; without one the client is anonymous", async () => {
  await using server = await start();
  const authority = createCertificateAuthority({ clock: systemClock, random });
  const serving = authority.issue({ commonName: "server", ipAddresses: ["127.0.0.1"], usages: ["server auth"] });
  const tls = { ...serving, clientAuthorities: [authority.certificate] };
  const { url } = await server.listen({ tls });
  const client = authority.issue({ commonName: "ann", organizations: ["team"], usages: ["client auth"] });
  const stranger = createCertificateAuthority({ clock: systemClock, random });
  const forged = stranger.issue({ commonName: "root", organizations: ["system:masters"], usages: ["client auth"] });
  const certificateAuthority = authority.certificate;
  const known = createHttp2Transport({ url, certificateAuthority, client });
  const unknown = createHttp2Transport({ url, certificateAuthority });
  const forger = createHttp2Transport({ url, certificateAuthority, client: forged });
  const api = createContractApi(known, "default");
  const self = await api.post("/apis/authentication.k8s.io/v1/selfsubjectreviews", {});
  assert.deepEqual(self.body.status.userInfo, { username: "ann", groups: ["team", "system:authenticated"] });
  assert.equal(await statusOf(unknown, "/version"), 200);
  const refused = await createContractApi(unknown, "default").get("/api/v1/nodes");
  assert.match(refused.body.message, /User "system:anonymous" cannot list resource "nodes"/);
  assert.equal(await statusOf(forger, "/api/v1/nodes"), 403);
  for (const transport of [known, unknown, forger]) transport.close();
});

test("groups to impersonate may be many and have commas in their names", { timeout: 20_000 }, async () => {
  await using server = await start({ tokens: [{ token: "t", user: { name: "root", groups: ["system:masters"] } }] });
  const { port } = await server.listen({ tls: "none" });
  const lines = [
    "POST /apis/authentication.k8s.io/v1/selfsubjectreviews HTTP/1.1",
    "host: x",
    "connection: close",
    "authorization: Bearer t",
    "content-type: application/json",
    "content-length: 2",
    "Impersonate-User: jane",
    "Impersonate-Group: cn=admins,ou=x",
    "Impersonate-Group: readers",
    "Impersonate-Extra-Scopes: a,b",
  ];
  const socket = connect(port, "127.0.0.1");
  socket.write(`${lines.join("\r\n")}\r\n\r\n{}`);
  let answer = "";
  for await (const chunk of socket) answer += String(chunk);
  const { userInfo } = JSON.parse(answer.slice(answer.indexOf("{"))).status;
  assert.deepEqual(userInfo.groups, ["cn=admins,ou=x", "readers", "system:authenticated"]);
  assert.deepEqual(userInfo.extra, { scopes: ["a,b"] });
});

test("a token is no longer believed once its service account or its pod is another one", async () => {
  await using server = await start();
  const api = createContractApi(server.transport, "default");
  const accounts = "/api/v1/namespaces/default/serviceaccounts";
  const pods = "/api/v1/namespaces/default/pods";
  const pod = {
    metadata: { name: "p" },
    spec: { serviceAccountName: "robot", containers: [{ name: "c", image: "i" }] },
  };
  await api.post(accounts, { metadata: { name: "robot" } });
  await api.post(pods, pod);
  const boundObjectRef = { apiVersion: "v1", kind: "Pod", name: "p" };
  const bound = await api.post(`${accounts}/robot/token`, { spec: { boundObjectRef, expirationSeconds: 3607 } });
  const free = await api.post(`${accounts}/robot/token`, { spec: {} });
  const review = async (token: string): Promise<{ authenticated?: boolean; user: { extra?: object } }> =>
    (await api.post("/apis/authentication.k8s.io/v1/tokenreviews", { spec: { token } })).body.status;
  const { authenticated, user } = await review(bound.body.status.token);
  assert.equal(authenticated, true);
  assert.ok(Object.hasOwn(user.extra ?? {}, "authentication.kubernetes.io/pod-uid"));
  await api.delete(`${pods}/p?gracePeriodSeconds=0`);
  await api.post(pods, pod);
  assert.equal((await review(bound.body.status.token)).authenticated, undefined);
  assert.equal((await review(free.body.status.token)).authenticated, true);
  await api.delete(`${accounts}/robot`);
  assert.equal(await statusOf(server.transport, "/api", { authorization: `Bearer ${free.body.status.token}` }), 401);
});

test("tokens are signed with the given key, and addressed to whom they were requested for", async () => {
  const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
  await using server = await start({ serviceAccounts: { privateKey, issuer: "https://issuer" } });
  const api = createContractApi(server.transport, "default");
  await api.post("/api/v1/namespaces/default/serviceaccounts", { metadata: { name: "robot" } });
  const path = "/api/v1/namespaces/default/serviceaccounts/robot/token";
  const { token } = (await api.post(path, { spec: { audiences: ["vault"] } })).body.status;
  const [header = "", payload = ""] = token.split(".");
  assert.equal(JSON.parse(Buffer.from(header, "base64url").toString()).alg, "RS256");
  assert.equal(JSON.parse(Buffer.from(payload, "base64url").toString()).iss, "https://issuer");
  assert.equal(await statusOf(server.transport, "/api", { authorization: `Bearer ${token}` }), 401);
  const spec = { token, audiences: ["vault", "other"] };
  const review = await api.post("/apis/authentication.k8s.io/v1/tokenreviews", { spec });
  assert.deepEqual(review.body.status.audiences, ["vault"]);
  const tampered = `${header}.${payload.slice(0, -2)}AA.${token.split(".")[2]}`;
  assert.equal(await statusOf(server.transport, "/api", { authorization: `Bearer ${tampered}` }), 401);
});

test("an aggregated role has the rules of the roles that it selects, also of those that come later", async () => {
  await using server = await start();
  const api = createContractApi(server.transport, "default");
  const roles = "/apis/rbac.authorization.k8s.io/v1/clusterroles";
  const rules = [{ apiGroups: ["example.com"], resources: ["widgets"], verbs: ["get"] }];
  const labels = { "rbac.authorization.k8s.io/aggregate-to-view": "true" };
  await api.post(roles, { metadata: { name: "view-widgets", labels }, rules });
  const mayRead = async (): Promise<boolean> => {
    const resourceAttributes = { group: "example.com", resource: "widgets", verb: "get" };
    const spec = { user: "ann", groups: ["viewers"], resourceAttributes };
    return (await api.post("/apis/authorization.k8s.io/v1/subjectaccessreviews", { spec })).body.status.allowed;
  };
  await api.post("/apis/rbac.authorization.k8s.io/v1/clusterrolebindings", {
    metadata: { name: "viewers" },
    roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name: "admin" },
    subjects: [{ kind: "Group", name: "viewers" }],
  });
  const admin = `${roles}?watch=true&fieldSelector=metadata.name%3Dadmin`;
  const hasRule = (events: readonly Told[]): boolean => JSON.stringify(events.at(-1)?.object.rules).includes("widgets");
  await api.watch(admin, hasRule);
  assert.equal(await mayRead(), true);
  await api.delete(`${roles}/view-widgets`);
  await api.watch(admin, (events) => !hasRule(events));
  assert.equal(await mayRead(), false);
});

test("a deleted binding grants nothing any more, and one with a missing role says so", async () => {
  await using server = await start();
  const api = createContractApi(server.transport, "default");
  const bindings = "/apis/rbac.authorization.k8s.io/v1/clusterrolebindings";
  const bind = (name: string, role: string): Promise<unknown> =>
    api.post(bindings, {
      metadata: { name },
      roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name: role },
      subjects: [{ kind: "ServiceAccount", name: "robot", namespace: "default" }],
    });
  const robot = { name: "system:serviceaccount:default:robot", groups: ["system:authenticated"] };
  const asRobot = createContractApi(server.transportAs(robot), "default");
  await bind("all", "cluster-admin");
  assert.equal((await asRobot.get("/api/v1/nodes")).status, 200);
  await api.delete(`${bindings}/all`);
  await bind("none", "not-there");
  const refused = await asRobot.get("/api/v1/nodes");
  assert.match(
    refused.body.message,
    /cluster scope: RBAC: clusterrole.rbac.authorization.k8s.io "not-there" not found$/,
  );
});

test("tokens never reach the log", async () => {
  const lines: unknown[] = [];
  const note = (message: string, fields?: object): void => void lines.push(message, fields);
  const log = { debug: note, info: note, warn: note, error: note, with: () => log };
  await using server = await start({ log, tokens: [{ token: "s3cret", user: { name: "ann", groups: [] } }] });
  await statusOf(server.transport, "/api/v1/nodes", { authorization: "Bearer s3cret" });
  await statusOf(server.transport, "/api/v1/nodes", { authorization: "Bearer s3cret-wrong" });
  assert.doesNotMatch(JSON.stringify(lines), /s3cret/);
});
