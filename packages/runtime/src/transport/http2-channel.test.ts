import assert from "node:assert/strict";
import {
  constants,
  createSecureServer,
  type Http2SecureServer,
  type ServerHttp2Session,
  type ServerHttp2Stream,
} from "node:http2";
import { type AddressInfo, connect, createServer, type Server, type Socket } from "node:net";
import { test } from "node:test";
import { readBody } from "@kubewright/core/ports";
import { systemClock, systemRandom } from "@kubewright/node";
import { createCertificateAuthority } from "@kubewright/node/certificates";
import { createHttpTransport, type HttpTransport, type HttpTransportOptions } from "./http-transport.ts";

const authority = createCertificateAuthority({ clock: systemClock, random: systemRandom });

type Timing = Pick<HttpTransportOptions, "pingMs" | "silenceMs">;

/** An HTTP/2 server on this machine and a transport to it, gone with the test. */
class Pair implements AsyncDisposable {
  readonly sessions = new Set<ServerHttp2Session>();
  readonly transport: HttpTransport;
  readonly #server: Http2SecureServer;

  private constructor(server: Http2SecureServer, timing: Timing) {
    this.#server = server;
    server.on("session", (session) => this.sessions.add(session));
    this.transport = createHttpTransport({
      server: `https://127.0.0.1:${this.port}`,
      tls: async () => ({ ca: authority.certificate }),
      ...timing,
    });
  }

  static async start(
    serve: (stream: ServerHttp2Stream, path: string) => void,
    options: Timing & { readonly streamsMax?: number } = {},
  ): Promise<Pair> {
    const { streamsMax = 100, ...timing } = options;
    const usages = ["server auth"] as const;
    const pair = authority.issue({ commonName: "localhost", ipAddresses: ["127.0.0.1"], usages });
    const settings = { maxConcurrentStreams: streamsMax };
    const server = createSecureServer({ cert: pair.certificate, key: pair.key, settings });
    server.on("stream", (stream, headers) => {
      stream.on("error", () => {});
      serve(stream, headers[":path"] ?? "");
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    return new Pair(server, timing);
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  async get(path: string): Promise<string> {
    const response = await this.transport.send({ method: "GET", path });
    return `${response.status} ${new TextDecoder().decode(await readBody(response.body))}`;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.transport.close();
    for (const session of this.sessions) session.destroy();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}

test("many requests at once share one connection", async () => {
  await using pair = await Pair.start((stream, path) => stream.respond({ ":status": 200 }) ?? stream.end(path));
  const answers = await Promise.all(Array.from({ length: 50 }, (_, index) => pair.get(`/${index}`)));
  assert.deepEqual(
    answers,
    Array.from({ length: 50 }, (_, index) => `200 /${index}`),
  );
  assert.equal(pair.sessions.size, 1);
});

test("more watches than a connection may carry open another one", async () => {
  await using pair = await Pair.start(
    (stream, path) => {
      stream.respond({ ":status": 200 });
      if (path === "/short") stream.end("done");
      else stream.write("open");
    },
    { streamsMax: 5 },
  );
  assert.equal(await pair.get("/short"), "200 done");
  const stop = new AbortController();
  const watches = await Promise.all(
    Array.from({ length: 12 }, () =>
      pair.transport.send({ method: "GET", path: "/w?watch=true", signal: stop.signal }),
    ),
  );
  assert.equal(await pair.get("/short"), "200 done");
  assert.equal(pair.sessions.size, 3);
  stop.abort();
  for (const watch of watches) await assert.rejects(readBody(watch.body));
});

test("a connection that is cut within an answer is an error, although Node.js may tell of none", async () => {
  await using pair = await Pair.start((stream) => {
    stream.respond({ ":status": 200 });
    stream.write("half", () => stream.session?.socket.destroy());
  });
  await assert.rejects(pair.get("/"));
});

test("a stream that the server resets is an error", async () => {
  await using pair = await Pair.start((stream) => {
    stream.respond({ ":status": 200 });
    stream.write("half", () => stream.destroy(new Error("the server gives up")));
  });
  await assert.rejects(pair.get("/"));
});

test("after the server closed its connections the next request opens a new one", async () => {
  await using pair = await Pair.start((stream) => stream.respond({ ":status": 200 }) ?? stream.end("ok"));
  assert.equal(await pair.get("/"), "200 ok");
  for (const session of pair.sessions) session.close();
  assert.equal(await pair.get("/"), "200 ok");
  for (const session of pair.sessions) session.destroy();
  assert.equal(await pair.get("/"), "200 ok");
});

test("aborting one request leaves the others on the connection alone", async () => {
  const waiting: ServerHttp2Stream[] = [];
  await using pair = await Pair.start((stream, path) => {
    if (path === "/now") stream.respond({ ":status": 200 }) ?? stream.end("now");
    else waiting.push(stream);
  });
  const stop = new AbortController();
  const aborted = pair.transport.send({ method: "GET", path: "/later", signal: stop.signal });
  const other = pair.get("/later");
  assert.equal(await pair.get("/now"), "200 now");
  stop.abort();
  await assert.rejects(aborted);
  waiting[1]?.respond({ ":status": 200 });
  waiting[1]?.end("later");
  assert.equal(await other, "200 later");
  assert.equal(pair.sessions.size, 1);
});

test("the body of a DELETE arrives whole", async () => {
  await using pair = await Pair.start((stream) => {
    stream.respond({ ":status": 200 });
    stream.pipe(stream);
  });
  const response = await pair.transport.send({ method: "DELETE", path: "/x", body: '{"kind":"DeleteOptions"}' });
  assert.equal(new TextDecoder().decode(await readBody(response.body)), '{"kind":"DeleteOptions"}');
});

test("R2: a watch on a connection whose other end vanished without a word ends by unanswered pings", async () => {
  await using pair = await Pair.start((stream) => {
    stream.respond({ ":status": 200 });
    stream.write("open");
  });
  await using relay = await Relay.start(pair.port);
  const tls = async () => ({ ca: authority.certificate });
  using transport = createHttpTransport({ server: `https://127.0.0.1:${relay.port}`, tls, pingMs: 200 });
  const watch = await transport.send({ method: "GET", path: "/w?watch=true" });
  relay.freeze();
  await assert.rejects(readBody(watch.body), /closed|ping/);
});

/** Passes bytes on to a port, until it freezes: then both ends have a connection on which nothing happens any more. */
class Relay implements AsyncDisposable {
  readonly #server: Server;
  readonly #sockets: Socket[] = [];

  private constructor(target: number) {
    this.#server = createServer((near) => {
      const far = connect(target, "127.0.0.1");
      this.#sockets.push(near, far);
      for (const socket of [near, far]) socket.on("error", () => {});
      near.pipe(far);
      far.pipe(near);
    });
  }

  static async start(target: number): Promise<Relay> {
    const relay = new Relay(target);
    await new Promise<void>((resolve) => relay.#server.listen(0, "127.0.0.1", resolve));
    return relay;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  freeze(): void {
    for (const socket of this.#sockets) socket.unpipe().pause();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}

test("a request on a connection that says nothing fails after a while, and the next one is served", async () => {
  await using pair = await Pair.start(
    (stream, path) => {
      if (path === "/silent") return;
      stream.respond({ ":status": 200 });
      stream.end("ok");
    },
    { silenceMs: 200 },
  );
  await assert.rejects(pair.get("/silent"), /nothing was received for 0\.2 s/);
  assert.equal(await pair.get("/"), "200 ok");
});

test("a write that the server refuses unread, as when it takes leave, is sent again", async () => {
  let refusals = 2;
  await using pair = await Pair.start((stream) => {
    refusals -= 1;
    if (refusals >= 0) stream.close(constants.NGHTTP2_REFUSED_STREAM);
    else stream.respond({ ":status": 201 }) ?? stream.end("created");
  });
  const { status } = await pair.transport.send({ method: "POST", path: "/", body: "{}" });
  assert.equal(status, 201);
});

test("a write that fails on the way is not sent again", async () => {
  let requests = 0;
  await using pair = await Pair.start((stream) => {
    requests += 1;
    stream.close(constants.NGHTTP2_INTERNAL_ERROR);
  });
  await assert.rejects(pair.transport.send({ method: "POST", path: "/", body: "{}" }), /INTERNAL_ERROR/);
  assert.equal(requests, 1);
});
