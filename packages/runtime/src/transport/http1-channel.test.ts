import assert from "node:assert/strict";
import type { IncomingMessage, ServerResponse } from "node:http";
import { createServer, type Server } from "node:https";
import type { AddressInfo, Socket } from "node:net";
import { test } from "node:test";
import { readBody, sleep } from "@kubewright/core/ports";
import { systemClock, systemRandom } from "@kubewright/node";
import { createCertificateAuthority } from "@kubewright/node/certificates";
import { createHttpTransport, type HttpTransport, type HttpTransportOptions } from "./http-transport.ts";

const authority = createCertificateAuthority({ clock: systemClock, random: systemRandom });

/** A server on this machine and a transport to it, gone with the test. */
class Pair implements AsyncDisposable {
  readonly sockets = new Set<Socket>();
  readonly transport: HttpTransport;
  readonly #server: Server;

  private constructor(server: Server, timing: Pick<HttpTransportOptions, "silenceMs">) {
    this.#server = server;
    server.on("secureConnection", (socket) => this.sockets.add(socket));
    const tls = async () => ({ ca: authority.certificate });
    const { port } = server.address() as AddressInfo;
    this.transport = createHttpTransport({ server: `https://127.0.0.1:${port}`, tls, ...timing });
  }

  static async start(
    serve: (request: IncomingMessage, response: ServerResponse) => void,
    timing: Pick<HttpTransportOptions, "silenceMs"> = {},
  ): Promise<Pair> {
    const usages = ["server auth"] as const;
    const { certificate, key } = authority.issue({ commonName: "localhost", ipAddresses: ["127.0.0.1"], usages });
    const server = createServer({ cert: certificate, key }, serve);
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    return new Pair(server, timing);
  }

  /** Calls `listener` when a connection is asked for. */
  onConnection(listener: () => void): void {
    this.#server.on("connection", listener);
  }

  async get(path: string): Promise<string> {
    const response = await this.transport.send({ method: "GET", path });
    return `${response.status} ${new TextDecoder().decode(await readBody(response.body))}`;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.transport.close();
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}

test("requests at once have a connection each, and later ones use the same connections", async () => {
  await using pair = await Pair.start((request, response) => response.end(request.url));
  for (let round = 0; round < 3; round++) {
    const answers = await Promise.all(Array.from({ length: 8 }, (_, index) => pair.get(`/${index}`)));
    assert.deepEqual(
      answers,
      Array.from({ length: 8 }, (_, index) => `200 /${index}`),
    );
  }
  assert.equal(pair.sockets.size, 8);
});

test("very many requests at once wait for their turn, watches do not", async () => {
  const held: ServerResponse[] = [];
  let requests = 0;
  await using pair = await Pair.start((request, response) => {
    if (request.url?.includes("watch")) {
      response.write("open");
      return;
    }
    requests += 1;
    held.push(response);
    if (held.length < 128 && requests < 300) return;
    for (const each of held.splice(0)) each.end("ok");
  });
  const stop = new AbortController();
  const watches = Array.from({ length: 10 }, () =>
    pair.transport.send({ method: "GET", path: "/w?watch=true", signal: stop.signal }),
  );
  const answers = await Promise.all(Array.from({ length: 300 }, () => pair.get("/")));
  assert.ok(answers.every((answer) => answer === "200 ok"));
  assert.ok(pair.sockets.size <= 138, `${pair.sockets.size} connections`);
  const opened = await Promise.all(watches);
  stop.abort();
  for (const watch of opened) await assert.rejects(readBody(watch.body));
});

test("a connection that is cut within an answer is an error", async () => {
  await using pair = await Pair.start((_request, response) => {
    response.write("half", () => response.socket?.destroy());
  });
  await assert.rejects(pair.get("/"), /closed|reset|hang up/i);
});

test("after the server closed its connections the next request opens a new one", async () => {
  await using pair = await Pair.start((_request, response) => response.end("ok"));
  assert.equal(await pair.get("/"), "200 ok");
  for (const socket of pair.sockets) socket.end();
  assert.equal(await pair.get("/"), "200 ok");
  for (const socket of pair.sockets) socket.destroy();
  assert.equal(await pair.get("/"), "200 ok");
});

test("a connection that the server takes leave of is not used again", async () => {
  await using pair = await Pair.start((_request, response) => response.setHeader("connection", "close").end("ok"));
  assert.equal(await pair.get("/"), "200 ok");
  assert.equal(await pair.get("/"), "200 ok");
  assert.equal(pair.sockets.size, 2);
});

test("aborting one request leaves the others alone", async () => {
  const waiting = new Map<string | undefined, ServerResponse>();
  await using pair = await Pair.start((request, response) => {
    if (request.url === "/now") response.end("now");
    else waiting.set(request.url, response);
  });
  const stop = new AbortController();
  const aborted = pair.transport.send({ method: "GET", path: "/aborted", signal: stop.signal });
  const other = pair.get("/other");
  assert.equal(await pair.get("/now"), "200 now");
  stop.abort(new Error("enough"));
  await assert.rejects(aborted, /enough/);
  waiting.get("/other")?.end("later");
  assert.equal(await other, "200 later");
  await assert.rejects(pair.transport.send({ method: "GET", path: "/now", signal: stop.signal }), /enough/);
  assert.equal(await pair.get("/now"), "200 now");
});

test("a reader that stops early ends the answer, and the next request is served", async () => {
  await using pair = await Pair.start((request, response) => {
    if (request.url === "/") response.end("ok");
    else response.write("endless");
  });
  const { body } = await pair.transport.send({ method: "GET", path: "/w?watch=true" });
  for await (const piece of body) {
    assert.equal(new TextDecoder().decode(piece), "endless");
    break;
  }
  assert.equal(await pair.get("/"), "200 ok");
});

test("an answer that nobody reads yet does not fill the memory, and arrives whole", async () => {
  const PIECE = Buffer.alloc(1024 * 1024, "x");
  let sent = 0;
  await using pair = await Pair.start((request, response) => {
    if (request.url === "/short") {
      response.end("ok");
      return;
    }
    const more = (): void => {
      while (sent < 64 && response.write(PIECE)) sent += 1;
      if (sent >= 64) response.end();
    };
    response.on("drain", () => {
      sent += 1;
      more();
    });
    more();
  });
  const { body } = await pair.transport.send({ method: "GET", path: "/w?watch=true" });
  for (let count = 0; count < 20; count++) await pair.get("/short");
  assert.ok(sent < 64, "the server could send everything");
  let length = 0;
  for await (const piece of body) length += piece.byteLength;
  assert.ok(length >= 64 * PIECE.length);
});

test("bodies of text and of bytes arrive as they were", async () => {
  await using pair = await Pair.start((request, response) => request.pipe(response));
  for (const body of ["grüße €", new Uint8Array([0, 255, 10, 13])]) {
    const response = await pair.transport.send({ method: "PUT", path: "/x", body });
    assert.deepEqual(Buffer.from(await readBody(response.body)), Buffer.from(body as string));
  }
});

test("a write that fails on the way is not sent again", async () => {
  let requests = 0;
  await using pair = await Pair.start((request, response) => {
    if (request.method === "GET") {
      response.end("ok");
      return;
    }
    requests += 1;
    request.socket.destroy();
  });
  assert.equal(await pair.get("/"), "200 ok");
  await assert.rejects(pair.transport.send({ method: "POST", path: "/", body: "{}" }));
  assert.equal(requests, 1);
});

test("S: nothing in a path or a header can become another header or request", async () => {
  let requests = 0;
  await using pair = await Pair.start((_request, response) => {
    requests += 1;
    response.end("ok");
  });
  const send = (path: string, value: string) =>
    pair.transport.send({ method: "GET", path, headers: { "impersonate-user": value } });
  for (const [path, value] of [
    ["/x HTTP/1.1\r\nimpersonate-user: admin", "me"],
    ["/x y", "me"],
    ["/x", "me\r\nimpersonate-group: system:masters"],
    ["/x", "me\nimpersonate-group: system:masters"],
    ["/x", "me\r\nimpersonate-group: system:masters\n"],
  ] as const) {
    await assert.rejects(send(path, value), /no request can carry/);
  }
  assert.equal(requests, 0);
  assert.equal(await pair.get("/"), "200 ok");
});

test("a request that is aborted while it waits for its turn ends at once", { timeout: 10_000 }, async () => {
  await using pair = await Pair.start(() => {}); // Never answers.
  const held = new AbortController();
  const busy = Array.from({ length: 128 }, () =>
    pair.transport.send({ method: "GET", path: "/", signal: held.signal }),
  );
  const stop = new AbortController();
  const waiting = pair.transport.send({ method: "GET", path: "/late", signal: stop.signal });
  systemClock.schedule(50, () => stop.abort(new Error("enough")));
  const winner = await Promise.race([waiting.catch(String), sleep(systemClock, 2000)]);
  held.abort(new Error("all of them"));
  for (const each of busy) await assert.rejects(each, /all of them/);
  await waiting.catch(() => {});
  assert.equal(winner, "Error: enough");
});

test("a request whose turn came when another was aborted is served", { timeout: 10_000 }, async () => {
  const held: ServerResponse[] = [];
  await using pair = await Pair.start((request, response) => {
    if (request.url === "/held") held.push(response);
    else response.end("ok");
  });
  const busy = Array.from({ length: 128 }, () => pair.get("/held"));
  const stop = new AbortController();
  const aborted = pair.transport.send({ method: "GET", path: "/aborted", signal: stop.signal });
  const other = pair.get("/other");
  while (held.length < 128) await sleep(systemClock, 10);
  stop.abort(new Error("enough"));
  await assert.rejects(aborted, /enough/);
  for (const response of held) response.end("held");
  assert.equal(await other, "200 ok");
  await Promise.all(busy);
});

test("a watch that is aborted while it is sent once more ends, too", { timeout: 10_000 }, async () => {
  let connections = 0;
  const stop = new AbortController();
  await using pair = await Pair.start((request, response) => {
    if (request.url === "/") response.end("ok");
    else if (connections === 1) request.socket.destroy();
    else response.write("endless");
  });
  pair.onConnection(() => {
    connections += 1;
    if (connections === 2) stop.abort(new Error("enough"));
  });
  assert.equal(await pair.get("/"), "200 ok");
  const watch = pair.transport.send({ method: "GET", path: "/w?watch=true", signal: stop.signal });
  const read = watch.then(({ body }) => readBody(body)).catch(String);
  assert.equal(await Promise.race([read, sleep(systemClock, 2000)]), "Error: enough");
});

test("a read without an answer fails after the time for it, not after twice that", { timeout: 10_000 }, async () => {
  let unanswered = 0;
  await using pair = await Pair.start(
    (request, response) => {
      if (request.url === "/") response.end("ok");
      else unanswered += 1;
    },
    { silenceMs: 200 },
  );
  assert.equal(await pair.get("/"), "200 ok");
  await assert.rejects(pair.get("/never"), /nothing was received for 0.2 s/);
  assert.equal(unanswered, 1);
});

test("a connection that ends with its answer is not used again", async () => {
  await using pair = await Pair.start((request, response) => {
    request.resume();
    request.on("end", () => response.socket?.end("HTTP/1.1 200 OK\r\n\r\nall"));
  });
  for (let round = 0; round < 5; round++) {
    const response = await pair.transport.send({ method: "POST", path: "/", body: "{}" });
    assert.equal(new TextDecoder().decode(await readBody(response.body)), "all");
  }
});

test("a connection on which the server said what nobody asked for is not used again", async () => {
  await using pair = await Pair.start((request, response) => {
    request.resume();
    request.on("end", () =>
      response.socket?.write("HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nokHTTP/1.1 408 Late\r\n\r\n"),
    );
  });
  for (let round = 0; round < 5; round++) {
    const response = await pair.transport.send({ method: "POST", path: "/", body: "{}" });
    assert.equal(new TextDecoder().decode(await readBody(response.body)), "ok");
  }
});

test("a reader that takes its time does not make the server a silent one", { timeout: 20_000 }, async () => {
  const ALL = Buffer.alloc(32 * 1024 * 1024, "x");
  await using pair = await Pair.start((_request, response) => response.end(ALL), { silenceMs: 1000 });
  const { body } = await pair.transport.send({ method: "GET", path: "/log" });
  let length = 0;
  for await (const piece of body) {
    if (length === 0) await sleep(systemClock, 2000);
    length += piece.byteLength;
  }
  assert.equal(length, ALL.byteLength);
});
