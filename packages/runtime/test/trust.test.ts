/** Whom a kubeconfig makes the client believe, and as whom it makes it speak, over TLS. */
import assert from "node:assert/strict";
import { createServer as createProxy, type ServerResponse } from "node:http";
import { createServer } from "node:https";
import { type AddressInfo, connect as connectTcp } from "node:net";
import type { Duplex } from "node:stream";
import { test } from "node:test";
import { SelfSubjectReview } from "@kubewright/api/authentication/v1";
import { createApiServer } from "@kubewright/apiserver";
import { type Files, readBody } from "@kubewright/core/ports";
import { systemClock, systemRandom } from "@kubewright/node";
import { createCertificateAuthority } from "@kubewright/node/certificates";
import { type Connection, createClient, createHttpTransport, findConnection } from "@kubewright/runtime";

const authority = createCertificateAuthority({ clock: systemClock, random: systemRandom });
const issue = (names: object = { ipAddresses: ["127.0.0.1"] }) =>
  authority.issue({ commonName: "s", ...names, usages: ["server auth"] });

/** The connection that a kubeconfig with this cluster and user describes. */
async function connect(cluster: object, user: object = { token: "t" }): Promise<Connection> {
  const kubeconfig = {
    "current-context": "a",
    contexts: [{ name: "a", context: { cluster: "a", user: "a" } }],
    users: [{ name: "a", user }],
    clusters: [{ name: "a", cluster }],
  };
  const files: Files = { read: async () => Buffer.from(JSON.stringify(kubeconfig)), write: async () => {} };
  return findConnection({ kubeconfig: "/k", env: {}, files, clock: systemClock });
}

const base64 = (text: string): string => Buffer.from(text).toString("base64");

/** What the server says, reached as a kubeconfig with this cluster describes. */
async function ask(cluster: object): Promise<string> {
  using transport = createHttpTransport(await connect(cluster));
  const { body } = await transport.send({ method: "GET", path: "/" });
  return new TextDecoder().decode(await readBody(body));
}

/** A server with this certificate. */
async function serve({ certificate: cert, key }: ReturnType<typeof issue>): Promise<AsyncDisposable & { url: string }> {
  const server = createServer({ cert, key });
  server.on("request", (_request: unknown, response: ServerResponse) => response.end("ok"));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { url, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() };
}

test("a kubeconfig may name the server's own certificate as its authority", async () => {
  const pair = issue();
  await using server = await serve(pair);
  assert.equal(await ask({ server: server.url, "certificate-authority-data": base64(pair.certificate) }), "ok");
  const misled = { server: server.url, "certificate-authority-data": base64(issue().certificate) }; // Another server's.
  await assert.rejects(ask(misled), /certificate/);
});

test("S11: a kubeconfig's tls-server-name is the name that the server's certificate must have", async () => {
  await using server = await serve(issue({ dnsNames: ["api.internal"] }));
  const cluster = { server: server.url, "certificate-authority-data": base64(authority.certificate) };
  assert.equal(await ask({ ...cluster, "tls-server-name": "api.internal" }), "ok");
  await assert.rejects(
    ask({ ...cluster, "tls-server-name": "other.internal" }),
    /other\.internal\. is not in the cert/,
  );
  await assert.rejects(ask(cluster), /127\.0\.0\.1 is not in the cert/);
});

test("a kubeconfig's proxy-url is what requests go through", async () => {
  await using server = await serve(issue());
  const asked: (string | undefined)[] = [];
  await using proxy = createProxy();
  proxy.on("connect", ({ url }: { url?: string }, near: Duplex) => {
    asked.push(url);
    const far = connectTcp(Number(url?.split(":")[1]), "127.0.0.1", () => near.write("HTTP/1.1 200 OK\r\n\r\n"));
    near.pipe(far).pipe(near);
    for (const socket of [near, far]) socket.on("error", () => {});
  });
  await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve));
  const cluster = { server: server.url, "certificate-authority-data": base64(authority.certificate) };
  const proxyUrl = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
  assert.equal(await ask({ ...cluster, "proxy-url": proxyUrl }), "ok");
  assert.deepEqual(asked, [new URL(server.url).host]);
});

test("a kubeconfig's as, as-uid, as-groups and as-user-extra are whom the server takes its user for", async () => {
  await using server = await createApiServer({ clock: systemClock, random: systemRandom });
  const listener = await server.listen();
  const { clusters, users } = JSON.parse(listener.kubeconfig ?? "{}");
  const extra = { scopes: ["a,b", "c"] };
  const user = { as: "jane", "as-uid": "7", "as-groups": ["dev", "ops"], "as-user-extra": extra };
  const connection = await connect(clusters[0].cluster, { ...users[0].user, ...user });
  {
    using transport = createHttpTransport(connection);
    const client = createClient({
      transport,
      ...(connection.impersonate === undefined ? {} : { impersonate: connection.impersonate }),
    });
    const review: SelfSubjectReview = await client.create(SelfSubjectReview, {});
    const groups = ["dev", "ops", "system:authenticated"];
    assert.deepEqual(review.status?.userInfo, { username: "jane", uid: "7", extra, groups });
  }
  await listener.close();
});
