/** Ports of pods are forwarded over SPDY, bare or in a WebSocket; a hook says what listens. */
import assert from "node:assert/strict";
import { once } from "node:events";
import { request } from "node:https";
import { type Duplex, PassThrough } from "node:stream";
import { type TestContext, test } from "node:test";
import { seededRandom } from "@kubewright/core/ports";
import { encodeFrame, readFrame } from "@kubewright/core/protocol";
import { systemClock } from "@kubewright/node";
import { createApiServer, type PodHooks } from "../index.ts";
import { OPEN_DATA, OPEN_ERROR, SAY_HI } from "../spdy/testdata/client-frames.ts";

const PODS = "/api/v1/namespaces/default/pods";
const KEY = { "sec-websocket-version": "13", "sec-websocket-key": "dGhlIHNhbXBsZSBub25jZQ==" };
const MASK = Buffer.from([1, 2, 3, 4]);

/** The ways to ask, and how bytes travel on each. */
const WAYS = [
  {
    name: "a WebSocket",
    method: "GET",
    headers: { upgrade: "websocket", ...KEY, "sec-websocket-protocol": "SPDY/3.1+portforward.k8s.io" },
    wrap: (bytes: Buffer): Uint8Array => encodeFrame("binary", bytes, MASK),
    unwrap: payloadsOf,
  },
  {
    name: "bare SPDY",
    method: "POST",
    headers: { upgrade: "SPDY/3.1", "x-stream-protocol-version": "v9, portforward.k8s.io" },
    wrap: (bytes: Buffer): Uint8Array => bytes,
    unwrap: (bytes: Buffer): Buffer => bytes,
  },
];

interface Asked {
  readonly status: number;
  readonly socket: Duplex;
}

type Ask = (method: string, headers: Readonly<Record<string, string>>) => Promise<Asked>;

/** A server with one pod; gives the way to ask for its ports. */
async function start(context: TestContext, pods: PodHooks): Promise<Ask> {
  const server = await createApiServer({ clock: systemClock, random: seededRandom(1), pods });
  context.after(() => server.close());
  const post = (path: string, body: object): Promise<unknown> => {
    const headers = { "content-type": "application/json" };
    return server.transport.send({ method: "POST", path, headers, body: JSON.stringify(body) });
  };
  await post(PODS, { metadata: { name: "a" }, spec: { containers: [{ name: "main", image: "nginx" }] } });
  await post(`${PODS}/a/binding`, { metadata: { name: "a" }, target: { name: "node-1" } });
  const { url, certificateAuthority, kubeconfig } = await server.listen();
  const { user } = JSON.parse(kubeconfig ?? "{}").users[0];
  const cert = Buffer.from(user["client-certificate-data"], "base64");
  const key = Buffer.from(user["client-key-data"], "base64");
  return async (method, given) => {
    const headers = { connection: "Upgrade", ...given };
    const asking = request(new URL(`${PODS}/a/portforward?ports=80`, url), {
      ca: certificateAuthority,
      cert,
      key,
      method,
      headers,
    });
    asking.end();
    return new Promise((resolve, reject) => {
      asking.once("error", reject);
      asking.once("upgrade", ({ statusCode = 0 }, socket) => resolve({ status: statusCode, socket }));
      asking.once("response", (response) => resolve({ status: response.statusCode ?? 0, socket: response.socket }));
    });
  };
}

function payloadsOf(bytes: Buffer): Buffer {
  const read = readFrame(bytes, { masked: false, payloadBytesMax: 1024 * 1024 });
  return typeof read === "string"
    ? Buffer.alloc(0)
    : Buffer.concat([read.frame.payload, payloadsOf(Buffer.from(read.rest))]);
}

for (const { name, method, headers, wrap, unwrap } of WAYS) {
  /** Opens both streams of a connection, says hi, and waits until what came back matches. */
  const talk = async (socket: Duplex, wanted: RegExp, signal: AbortSignal): Promise<void> => {
    let received = Buffer.alloc(0);
    socket.on("data", (chunk: Buffer) => {
      received = Buffer.concat([received, chunk]);
    });
    for (const frame of [OPEN_ERROR, OPEN_DATA, SAY_HI]) socket.write(wrap(frame));
    while (!wanted.test(unwrap(received).toString("latin1"))) await once(socket, "data", { signal });
    socket.destroy();
  };

  test(`bytes go to a port and back over ${name}`, { timeout: 10_000 }, async (context) => {
    const ports: number[] = [];
    const ask = await start(context, {
      openPort: async ({ port }) => {
        ports.push(port);
        return new PassThrough();
      },
    });
    const { status, socket } = await ask(method, headers);
    assert.equal(status, 101);
    await talk(socket, /hi/, context.signal);
    assert.deepEqual(ports, [8080]);
  });

  test(`why a port cannot be reached is told over ${name}`, { timeout: 10_000 }, async (context) => {
    const ask = await start(context, { openPort: () => Promise.reject(new Error("nobody is there")) });
    const { socket } = await ask(method, headers);
    const wanted = /error forwarding port 8080 to pod a, uid [0-9a-f-]+: nobody is there/;
    await talk(socket, wanted, context.signal);
  });
}

test("a connection to a port ends with its client", { timeout: 10_000 }, async (context) => {
  const target = new PassThrough();
  const ask = await start(context, { openPort: async () => target });
  const { socket } = await ask("POST", WAYS[1]?.headers ?? {});
  socket.write(Buffer.concat([OPEN_ERROR, OPEN_DATA]));
  await once(socket, "data", { signal: context.signal });
  const closed = once(target, "close", { signal: context.signal });
  socket.destroy();
  await closed;
});

test("bytes go to a port and back by channels of a WebSocket", { timeout: 10_000 }, async (context) => {
  const ask = await start(context, { openPort: async () => new PassThrough() });
  const channels = { upgrade: "websocket", ...KEY, "sec-websocket-protocol": "v4.channel.k8s.io" };
  const { status, socket } = await ask("GET", channels);
  assert.equal(status, 101);
  socket.write(encodeFrame("binary", Buffer.from("\0hi"), MASK));
  let received = Buffer.alloc(0);
  while (!payloadsOf(received).includes("\0hi")) {
    const [chunk] = await once(socket, "data", { signal: context.signal });
    received = Buffer.concat([received, chunk]);
  }
  assert.deepEqual(payloadsOf(received), Buffer.from("\0\x50\0\x01\x50\0\0hi"));
  socket.destroy();
});

test("protocols that nobody here speaks are refused", { timeout: 10_000 }, async (context) => {
  const ask = await start(context, { openPort: async () => new PassThrough() });
  const websocket = { upgrade: "websocket", ...KEY };
  assert.equal((await ask("GET", { ...websocket, "sec-websocket-protocol": "v9.portforward" })).status, 403);
  assert.equal((await ask("POST", { upgrade: "SPDY/3.1" })).status, 403);
  assert.equal((await ask("POST", { connection: "close" })).status, 400);
});

test("without whoever runs pods, no port is forwarded", { timeout: 10_000 }, async (context) => {
  const ask = await start(context, {});
  assert.equal((await ask("POST", WAYS[1]?.headers ?? {})).status, 400);
});
