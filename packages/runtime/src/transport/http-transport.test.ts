import assert from "node:assert/strict";
import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { once } from "node:events";
import { createServer as createPlainServer, type IncomingMessage, type ServerResponse } from "node:http";
import { createServer, type Server } from "node:https";
import { type AddressInfo, connect, createServer as createTcpServer, type Socket } from "node:net";
import type { Duplex } from "node:stream";
import { test } from "node:test";
import type { TLSSocket } from "node:tls";
import { readBody, sleep } from "@kubewright/core/ports";
import { systemClock, systemRandom } from "@kubewright/node";
import { createCertificateAuthority } from "@kubewright/node/certificates";
import { createHttpTransport } from "./http-transport.ts";
import type { TlsSettings } from "./tls-settings.ts";

const authority = createCertificateAuthority({ clock: systemClock, random: systemRandom });

const HERE = { dnsNames: ["localhost"], ipAddresses: ["127.0.0.1"] };

/** A TLS server on this machine, gone with the test. */
async function serve(
  answer: (request: IncomingMessage, response: ServerResponse) => void,
  names: Partial<typeof HERE> = HERE,
): Promise<TestServer> {
  const pair = authority.issue({ commonName: "server", ...names, usages: ["server auth"] });
  const server: Server = createServer({ cert: pair.certificate, key: pair.key }, answer);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `https://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

interface TestServer extends AsyncDisposable {
  readonly url: string;
}

const trusting = async (): Promise<TlsSettings> => ({ ca: authority.certificate });

test("connections are kept: many requests one after the other use one", async () => {
  const sockets = new Set<unknown>();
  await using server = await serve((request, response) => {
    sockets.add(request.socket);
    response.end(`${request.method} ${request.url} ${request.headers["user-agent"]} ${request.headers.authorization}`);
  });
  using transport = createHttpTransport({
    server: `${server.url}/prefix`,
    tls: trusting,
    headers: async () => ({ authorization: "Bearer t" }),
    userAgent: "me",
  });
  for (let count = 0; count < 20; count++) {
    const response = await transport.send({ method: "GET", path: "/x?y=1" });
    assert.equal(new TextDecoder().decode(await readBody(response.body)), "GET /prefix/x?y=1 me Bearer t");
  }
  assert.equal(sockets.size, 1);
});

test("a request has left when send returns, if nothing has to be waited for", async () => {
  let socket: Socket | undefined;
  const onSocket = (message: unknown): void => {
    socket ??= (message as { readonly socket: Socket }).socket;
  };
  await using server = await serve((_request, response) => response.end());
  subscribe("net.client.socket", onSocket);
  using transport = createHttpTransport({
    server: server.url,
    tls: () => ({ ca: authority.certificate }),
    headers: () => ({ authorization: "Bearer t" }),
  });
  const send = () => transport.send({ method: "GET", path: "/" });
  await readBody((await send()).body);
  unsubscribe("net.client.socket", onSocket);
  const before = socket?.bytesWritten ?? 0;
  const sent = send();
  assert.ok((socket?.bytesWritten ?? 0) > before && before > 0);
  await readBody((await sent).body);
});

test("a server that nobody vouches for is refused", async () => {
  await using server = await serve((_request, response) => response.end());
  using transport = createHttpTransport({ server: server.url });
  await assert.rejects(transport.send({ method: "GET", path: "/" }), /certificate/);
});

test("plain http is refused", () => {
  assert.throws(() => createHttpTransport({ server: "http://x" }), /must begin with https/);
});

test("a read on a kept connection that the server closed meanwhile is sent again, a write is not", async () => {
  let requests = 0;
  await using server = await serve((request, response) => {
    requests += 1;
    if (requests % 2 === 0) request.socket.destroy();
    else response.end("ok");
  });
  using transport = createHttpTransport({ server: server.url, tls: trusting });
  const send = async (method: string): Promise<number> => {
    const response = await transport.send({ method, path: "/" });
    await readBody(response.body);
    return response.status;
  };
  assert.equal(await send("GET"), 200);
  assert.equal(await send("GET"), 200);
  assert.equal(requests, 3);
  await assert.rejects(send("DELETE"));
});

test("R37: a new authority is used without a restart", async () => {
  await using server = await serve((_request, response) => response.end("ok"));
  const other = createCertificateAuthority({ clock: systemClock, random: systemRandom });
  let ca = other.certificate;
  using transport = createHttpTransport({ server: server.url, tls: async () => ({ ca }) });
  await assert.rejects(transport.send({ method: "GET", path: "/" }));
  ca = authority.certificate;
  const response = await transport.send({ method: "GET", path: "/" });
  await readBody(response.body);
  assert.equal(response.status, 200);
});

test("R37: a renewed client certificate is used for the requests that follow, on new connections", async () => {
  const issue = (commonName: string) => authority.issue({ commonName, usages: ["client auth"] });
  const pair = authority.issue({ commonName: "server", ...HERE, usages: ["server auth"] });
  const options = { cert: pair.certificate, key: pair.key, ca: authority.certificate, requestCert: true };
  await using server = createServer(options, (request, response) => {
    response.end((request.socket as TLSSocket).getPeerCertificate().subject.CN);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  let client = issue("old");
  using transport = createHttpTransport({
    server: `https://127.0.0.1:${(server.address() as AddressInfo).port}`,
    tls: async () => ({ ca: authority.certificate, cert: client.certificate, key: client.key }),
  });
  const ask = async (): Promise<string> =>
    new TextDecoder().decode(await readBody((await transport.send({ method: "GET", path: "/" })).body));
  assert.equal(await ask(), "old");
  client = issue("new");
  assert.equal(await ask(), "new");
});

test("a stream that breaks within an answer throws, and an aborted one ends", async () => {
  await using server = await serve((request, response) => {
    response.write("first");
    if (request.url === "/breaks") response.once("drain", () => {}).socket?.destroySoon();
  });
  using transport = createHttpTransport({ server: server.url, tls: trusting });
  const broken = await transport.send({ method: "GET", path: "/breaks" });
  await assert.rejects(readBody(broken.body));
  const stop = new AbortController();
  const endless = await transport.send({ method: "GET", path: "/endless?watch=true", signal: stop.signal });
  const reading = readBody(endless.body);
  stop.abort();
  await assert.rejects(reading);
});

test("the body of a DELETE arrives whole", async () => {
  await using server = await serve((request, response) => {
    response.write(`${request.headers["content-length"]} `);
    request.pipe(response);
  });
  using transport = createHttpTransport({ server: server.url, tls: trusting });
  const response = await transport.send({ method: "DELETE", path: "/x", body: '{"kind":"DeleteOptions"}' });
  assert.equal(new TextDecoder().decode(await readBody(response.body)), '24 {"kind":"DeleteOptions"}');
});

test("HTTP/1.1: a request on a connection that says nothing fails after a while, and the next one is served", async () => {
  await using server = await serve((request, response) => {
    if (request.url !== "/silent") response.end("ok");
  });
  using transport = createHttpTransport({ server: server.url, tls: trusting, silenceMs: 200 });
  await assert.rejects(transport.send({ method: "GET", path: "/silent" }), /nothing was received for 0\.2 s/);
  assert.equal((await transport.send({ method: "GET", path: "/" })).status, 200);
});

test("HTTP/1.1: an answer that stops half-way fails after a while", async () => {
  await using server = await serve((_request, response) => {
    response.write("half");
  });
  using transport = createHttpTransport({ server: server.url, tls: trusting, silenceMs: 200 });
  const response = await transport.send({ method: "GET", path: "/" });
  await assert.rejects(readBody(response.body));
});

/** A proxy that passes on what CONNECT names; `asked` has the requests. */
async function startProxy(): Promise<AsyncDisposable & { readonly url: string; readonly asked: string[] }> {
  const asked: string[] = [];
  const sockets: Duplex[] = [];
  const proxy = createPlainServer();
  proxy.on("connect", (request: IncomingMessage, near: Duplex) => {
    asked.push(`${request.method} ${request.url} ${request.headers["proxy-authorization"] ?? ""}`);
    const { hostname, port } = new URL(`http://${request.url}`);
    const far = connect(Number(port), hostname, () => near.write("HTTP/1.1 200 Connection established\r\n\r\n"));
    sockets.push(near, far);
    for (const socket of [near, far]) socket.on("error", () => {});
    near.pipe(far);
    far.pipe(near);
  });
  await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://me:pass@127.0.0.1:${(proxy.address() as AddressInfo).port}`,
    asked,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => proxy.close(resolve));
    },
  };
}

test("through a proxy: requests go by CONNECT, end to end encrypted, with the proxy's own credentials", async () => {
  await using server = await serve((request, response) => response.end(`served ${request.url}`));
  await using proxy = await startProxy();
  using transport = createHttpTransport({ server: server.url, tls: trusting, proxyUrl: proxy.url });
  for (const path of ["/a", "/b"]) {
    const response = await transport.send({ method: "GET", path });
    assert.equal(new TextDecoder().decode(await readBody(response.body)), `served ${path}`);
  }
  const basic = Buffer.from("me:pass").toString("base64");
  assert.deepEqual(proxy.asked, [`CONNECT ${new URL(server.url).host} Basic ${basic}`]);
  using doubting = createHttpTransport({ server: server.url, proxyUrl: proxy.url });
  await assert.rejects(doubting.send({ method: "GET", path: "/" }), /certificate/);
});

test("through a proxy that is away: the error names no credentials", async () => {
  using transport = createHttpTransport({ server: "https://api:6443", proxyUrl: "http://me:pass@127.0.0.1:1" });
  await assert.rejects(transport.send({ method: "GET", path: "/" }), (error) => !String(error).includes("pass"));
});

/** A SOCKS5 proxy that takes one name and password; `asked` has where it was asked to lead. */
async function startSocks(): Promise<AsyncDisposable & { readonly port: number; readonly asked: string[] }> {
  const asked: string[] = [];
  const sockets: Duplex[] = [];
  const proxy = createTcpServer((near) => {
    sockets.push(near);
    near.on("error", () => {});
    void serveSocks(near, asked, sockets);
  });
  await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve));
  return {
    port: (proxy.address() as AddressInfo).port,
    asked,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => proxy.close(resolve));
    },
  };
}

async function serveSocks(near: Duplex, asked: string[], sockets: Duplex[]): Promise<void> {
  const next = async (): Promise<Buffer> => (await once(near, "data"))[0];
  const [, , method] = await next();
  near.write(Uint8Array.of(5, method ?? 0));
  if (method === 2) {
    const isKnown = (await next()).equals(Buffer.from("\u0001\u0002me\u0004pass"));
    near.write(Uint8Array.of(1, isKnown ? 0 : 1));
    if (!isKnown) return;
  }
  const request = await next();
  const host = request.subarray(5, -2).toString();
  const port = request.readUInt16BE(request.byteLength - 2);
  asked.push(`${host}:${port}`);
  if (host === "nowhere.example") {
    near.write(Uint8Array.of(5, 4, 0, 1, 0, 0, 0, 0, 0, 0));
    return;
  }
  const far = connect(port, host, () => {
    near.write(Uint8Array.of(5, 0, 0, 3, 1, 120, 0, 0));
    near.pipe(far);
    far.pipe(near);
  });
  sockets.push(far);
  far.on("error", () => {});
}

test("through a SOCKS5 proxy: connections are end to end encrypted, with the proxy's own credentials or none", async () => {
  await using server = await serve((request, response) => response.end(`served ${request.url}`));
  await using proxy = await startSocks();
  for (const user of ["", "me:pass@"]) {
    using transport = createHttpTransport({
      server: server.url,
      tls: trusting,
      proxyUrl: `socks5://${user}127.0.0.1:${proxy.port}`,
    });
    for (const path of ["/a", "/b"]) {
      const response = await transport.send({ method: "GET", path });
      assert.equal(new TextDecoder().decode(await readBody(response.body)), `served ${path}`);
    }
    using doubting = createHttpTransport({ server: server.url, proxyUrl: `socks5://${user}127.0.0.1:${proxy.port}` });
    await assert.rejects(doubting.send({ method: "GET", path: "/" }), /certificate/);
  }
  assert.ok(proxy.asked.every((target) => target === new URL(server.url).host));
});

test("through a SOCKS5 proxy that refuses: the error says why, and names no credentials", async () => {
  await using proxy = await startSocks();
  const send = (user: string, server: string): Promise<unknown> => {
    const proxyUrl = `socks5://${user}127.0.0.1:${proxy.port}`;
    using transport = createHttpTransport({ server, proxyUrl });
    return transport.send({ method: "GET", path: "/" });
  };
  const lead = `the SOCKS5 proxy 127.0.0.1:${proxy.port} does not lead to`;
  await assert.rejects(send("", "https://nowhere.example"), {
    message: `${lead} nowhere.example:443: host unreachable`,
  });
  await assert.rejects(send("me:wrong@", "https://api:6443"), {
    message: `${lead} api:6443: it does not take the name and password of the proxy-url`,
  });
});

test("a server is known by the name that is given for it, directly and through proxies", async () => {
  const seen: unknown[] = [];
  const answer = (request: IncomingMessage, response: ServerResponse): void => {
    seen.push((request.socket as TLSSocket).servername);
    response.end("ok");
  };
  await using server = await serve(answer, { dnsNames: ["api.internal"] });
  await using proxy = await startProxy();
  await using socks = await startSocks();
  for (const proxyUrl of [undefined, proxy.url, `socks5://127.0.0.1:${socks.port}`]) {
    const send = async (serverName: string | undefined): Promise<number> => {
      const tls = async (): Promise<TlsSettings> => ({ ca: authority.certificate, serverName });
      using transport = createHttpTransport({ server: server.url, tls, proxyUrl });
      return (await transport.send({ method: "GET", path: "/" })).status;
    };
    assert.equal(await send("api.internal"), 200);
    await assert.rejects(send(undefined), /IP: 127\.0\.0\.1 is not in the cert's list/);
    await assert.rejects(send("other.internal"), /Host: other\.internal\. is not in the cert's altnames/);
  }
  assert.deepEqual(seen, ["api.internal", "api.internal", "api.internal"]);
});

/** A server that takes connections and says nothing, gone with the test. */
async function serveNothing(): Promise<TestServer & { readonly sockets: Set<Socket> }> {
  const sockets = new Set<Socket>();
  const server = createTcpServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => {});
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    sockets,
    url: `https://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

test("a request that is aborted while its connection is made ends at once", async () => {
  await using server = await serveNothing();
  using transport = createHttpTransport({ server: server.url, tls: trusting });
  for (let round = 0; round < 2; round++) {
    const stop = new AbortController();
    const ended = transport.send({ method: "GET", path: "/", signal: stop.signal }).catch(String);
    while (server.sockets.size === 0) await sleep(systemClock, 10);
    stop.abort(new Error("enough"));
    assert.equal(await Promise.race([ended, sleep(systemClock, 2000)]), "Error: enough");
  }
});

test("a request that is aborted while its credentials are fetched ends at once", async () => {
  await using server = await serve((_request, response) => response.end("ok"));
  const stop = new AbortController();
  const headers = (): Promise<never> => {
    systemClock.schedule(10, () => stop.abort(new Error("enough")));
    return new Promise(() => {});
  };
  using transport = createHttpTransport({ server: server.url, tls: trusting, headers });
  const ended = transport.send({ method: "GET", path: "/", signal: stop.signal }).catch(String);
  assert.equal(await Promise.race([ended, sleep(systemClock, 2000)]), "Error: enough");
});

test("a transport that is closed while it connects leaves no connection, and sends nothing", async () => {
  let requests = 0;
  await using server = await serve((_request, response) => {
    requests += 1;
    response.end("ok");
  });
  const transport = createHttpTransport({ server: server.url, tls: trusting });
  const closed = new Promise((resolve) => {
    const onSocket = (message: unknown): void => {
      unsubscribe("net.client.socket", onSocket);
      (message as { readonly socket: Socket }).socket.once("close", () => resolve("closed"));
      transport.close();
    };
    subscribe("net.client.socket", onSocket);
  });
  await assert.rejects(transport.send({ method: "POST", path: "/", body: "{}" }), /closed/);
  assert.equal(await Promise.race([closed, sleep(systemClock, 2000)]), "closed");
  assert.equal(requests, 0);
});
