import assert from "node:assert/strict";
import { once } from "node:events";
import { request } from "node:https";
import { connect, type Socket } from "node:net";
import { test } from "node:test";
import { systemClock, systemRandom } from "@kubewright/node";
import { createCertificateAuthority } from "@kubewright/node/certificates";
import { createContractApi } from "../contract/api.ts";
import { createHttp1Transport, createHttp2Transport } from "../contract/http-transport.ts";
import { createApiServer } from "./server.ts";

const start = () => createApiServer({ clock: systemClock, random: systemRandom });

/** The certificate and key of a kubeconfig's user. */
function credentialsOf(kubeconfig = "{}"): { readonly cert: string; readonly key: string } {
  const { user } = JSON.parse(kubeconfig).users[0];
  const decode = (name: string): string => Buffer.from(user[name], "base64").toString("utf8");
  return { cert: decode("client-certificate-data"), key: decode("client-key-data") };
}

const CONFIG_MAPS = "/api/v1/namespaces/default/configmaps";

test("a watch over WebSocket gets one message per event and answers pings", { timeout: 10_000 }, async ({ signal }) => {
  await using server = await start();
  const { url, certificateAuthority, kubeconfig } = await server.listen();
  const api = createContractApi(server.transport, "default");
  await api.post(CONFIG_MAPS, { metadata: { name: "a" } });
  const headers = {
    connection: "Upgrade",
    upgrade: "websocket",
    "sec-websocket-version": "13",
    "sec-websocket-key": "dGhlIHNhbXBsZSBub25jZQ==",
  };
  const query = "?watch=1&fieldSelector=metadata.name%3Da";
  const upgrade = request(new URL(CONFIG_MAPS + query, url), {
    ca: certificateAuthority,
    ...credentialsOf(kubeconfig),
    headers,
  });
  upgrade.end();
  const [response, socket] = await once(upgrade, "upgrade", { signal });
  assert.equal(response.statusCode, 101);
  assert.equal(response.headers["sec-websocket-accept"], "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=");
  let received = Buffer.alloc(0);
  socket.on("data", (chunk: Buffer) => {
    received = Buffer.concat([received, chunk]);
  });
  const until = async (holds: () => boolean): Promise<void> => {
    while (!holds()) await once(socket, "data", { signal });
  };
  await until(() => received.includes("ADDED"));
  assert.equal(received[0], 0x81); // A final text frame.
  socket.write(Buffer.from([0x89, 0x82, 1, 2, 3, 4, 0x68 ^ 1, 0x69 ^ 2])); // A masked ping: "hi".
  await until(() => received.includes(Buffer.from([0x8a, 0x02, 0x68, 0x69])));
  await api.delete(`${CONFIG_MAPS}/a`);
  await until(() => received.includes("DELETED"));
  socket.destroy();
});

test("an upgrade that is no watch is answered as HTTP", { timeout: 10_000 }, async ({ signal }) => {
  await using server = await start();
  const { url, certificateAuthority, kubeconfig } = await server.listen();
  const headers = { connection: "Upgrade", upgrade: "websocket", "sec-websocket-key": "x" };
  const upgrade = request(new URL(`${CONFIG_MAPS}/none`, url), {
    ca: certificateAuthority,
    ...credentialsOf(kubeconfig),
    headers,
  });
  upgrade.end();
  const [response] = await once(upgrade, "response", { signal });
  assert.equal(response.statusCode, 404);
  response.resume();
});

test("closing ends watches, connections and listening", { timeout: 10_000 }, async ({ signal }) => {
  const server = await start();
  const { url, certificateAuthority = "", kubeconfig, port } = await server.listen();
  const { cert: certificate, key } = credentialsOf(kubeconfig);
  const options = { url, certificateAuthority, client: { certificate, key } };
  const transports = [createHttp1Transport(options), createHttp2Transport(options)];
  const bodies = await Promise.all(
    transports.map(async (transport) => (await transport.send({ method: "GET", path: `${CONFIG_MAPS}?watch=1` })).body),
  );
  const ends = bodies.map(async (body) => {
    for await (const _ of body);
  });
  await server.close();
  await Promise.all(ends); // None was cut: each came to its end.
  for (const transport of transports) transport.close();
  const socket = connect(port, "127.0.0.1");
  const [error] = await once(socket, "error", { signal });
  assert.equal(error.code, "ECONNREFUSED");
});

test("plain HTTP works when asked for, and the default address is this machine's alone", async () => {
  await using server = await start();
  const listener = await server.listen({ tls: "none" });
  assert.match(listener.url, /^http:\/\/127\.0\.0\.1:\d+$/);
  assert.equal(listener.kubeconfig, undefined);
  const socket = connect(listener.port, "127.0.0.1");
  socket.write("GET /healthz HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n");
  let answer = "";
  for await (const chunk of socket) answer += String(chunk);
  assert.match(answer, /^HTTP\/1\.1 200 OK/);
  assert.match(answer, /\r\n\r\nok$/);
});

/** Resolves once all texts came, one after the other; with what came up to there. */
type Until = (...texts: readonly string[]) => Promise<string>;

/** A bare connection to a server without TLS. */
function openSocket(port: number): { readonly socket: Socket; readonly until: Until } {
  const socket = connect(port, "127.0.0.1");
  socket.setNoDelay(true);
  let received = "";
  socket.setEncoding("latin1").on("data", (chunk: string) => {
    received += chunk;
  });
  const endOf = (texts: readonly string[]): number =>
    texts.reduce((at, text) => {
      const found = at < 0 ? -1 : received.indexOf(text, at);
      return found < 0 ? -1 : found + text.length;
    }, 0);
  const until: Until = async (...texts) => {
    while (endOf(texts) < 0) await once(socket, "data");
    const end = endOf(texts);
    const text = received.slice(0, end);
    received = received.slice(end);
    return text;
  };
  return { socket, until };
}

const startPlain = async () => {
  const server = await createApiServer({ clock: systemClock, random: systemRandom, authorization: "AlwaysAllow" });
  return { server, port: (await server.listen({ tls: "none" })).port };
};

test("a server that asks for client certificates tells whose it believes, and one that does not says nothing", async () => {
  await using server = await start();
  const api = createContractApi(server.transport, "default");
  const path = "/api/v1/namespaces/kube-system/configmaps/extension-apiserver-authentication";
  await server.listen({ tls: "none" });
  assert.equal((await api.get(path)).status, 404);
  const { certificateAuthority } = await server.listen();
  const { status, body } = await api.get(path);
  assert.deepEqual([status, body.data], [200, { "client-ca-file": certificateAuthority }]);
  await server.listen();
  assert.equal((await api.get(path)).body.metadata.resourceVersion, body.metadata.resourceVersion);
  const ports = { clock: systemClock, random: systemRandom };
  const [one, two] = [createCertificateAuthority(ports), createCertificateAuthority(ports)];
  const own = one.issue({ commonName: "server", usages: ["server auth"] });
  await server.listen({ tls: { ...own, clientAuthorities: [one.certificate, two.certificate] } });
  assert.deepEqual((await api.get(path)).body.data, { "client-ca-file": one.certificate + two.certificate });
});

test("requests on one connection are answered in their order, however they come", { timeout: 10_000 }, async () => {
  const { server, port } = await startPlain();
  const { socket, until } = openSocket(port);
  const body = (name: string): string => JSON.stringify({ metadata: { name } });
  const head = `POST ${CONFIG_MAPS} HTTP/1.1\r\nhost: x\r\n`;
  const post = (name: string): string => `${head}content-length: ${body(name).length}\r\n\r\n${body(name)}`;
  const created = (name: string): readonly string[] => ["HTTP/1.1 201 Created\r\n", `"name":"${name}"`];
  socket.write(post("whole"));
  await until(...created("whole"));
  socket.write(post("first"));
  socket.write(post("second") + post("third"));
  await until(...created("first"), ...created("second"), ...created("third"));
  socket.write(post("parts").slice(0, 70));
  socket.write(post("parts").slice(70));
  await until(...created("parts"));
  const chunk = `${body("chunked").length.toString(16)}\r\n${body("chunked")}\r\n`;
  socket.write(`${head}transfer-encoding: chunked\r\n\r\n${chunk}0\r\n\r\n`);
  await until(...created("chunked"));
  socket.destroy();
  await server.close();
});

test("a watch ends with its last chunk, and its connection serves on", { timeout: 10_000 }, async () => {
  const { server, port } = await startPlain();
  const { socket, until } = openSocket(port);
  socket.write(`GET ${CONFIG_MAPS}?watch=1&timeoutSeconds=1 HTTP/1.1\r\nhost: x\r\n\r\n`);
  assert.match(await until("\r\n\r\n"), /transfer-encoding: chunked/);
  await until("0\r\n\r\n");
  socket.write("GET /healthz HTTP/1.1\r\nhost: x\r\n\r\n");
  await until("HTTP/1.1 200 OK\r\n", "\r\n\r\nok");
  socket.destroy();
  await server.close();
});

test("what a client sends right behind its request to switch protocols is not lost", { timeout: 10_000 }, async () => {
  const { server, port } = await startPlain();
  const { socket, until } = openSocket(port);
  const lines = [
    `GET ${CONFIG_MAPS}?watch=1 HTTP/1.1`,
    "host: x",
    "connection: Upgrade",
    "upgrade: websocket",
    "sec-websocket-version: 13",
    "sec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==",
  ];
  const ping = Buffer.from([0x89, 0x82, 1, 2, 3, 4, 0x68 ^ 1, 0x69 ^ 2]);
  socket.write(Buffer.concat([Buffer.from(`${lines.join("\r\n")}\r\n\r\n`), ping]));
  await until("HTTP/1.1 101 ", "\r\n\r\n", "\x8a\x02hi");
  socket.destroy();
  await server.close();
});

test("each request on a connection is who its own token says", { timeout: 10_000 }, async () => {
  const tokens = ["first", "second"].map((name) => ({ token: `${name}-token`, user: { name, groups: [] } }));
  await using server = await createApiServer({ clock: systemClock, random: systemRandom, tokens });
  const { port } = await server.listen({ tls: "none" });
  const { socket, until } = openSocket(port);
  const ask = (token: string): Promise<string> => {
    const fields = token === "" ? "" : `authorization: Bearer ${token}\r\n`;
    socket.write(`GET ${CONFIG_MAPS} HTTP/1.1\r\nhost: x\r\n${fields}\r\n`);
    return until("HTTP/1.1", '"code":', "}");
  };
  for (const name of ["first", "first", "second", "first"]) {
    assert.match(await ask(`${name}-token`), new RegExp(`User \\\\"${name}\\\\" cannot list`));
  }
  assert.match(await ask("third-token"), /"code":401/);
  assert.match(await ask(""), /User \\"system:anonymous\\" cannot list/);
  assert.match(await ask("first-token"), /User \\"first\\" cannot list/);
  socket.destroy();
});
