import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { createServer } from "node:https";
import type { AddressInfo, Socket } from "node:net";
import type { Duplex } from "node:stream";
import { test } from "node:test";
import { readBody, sleep } from "@kubewright/core/ports";
import { encodeFrame, readFrame } from "@kubewright/core/protocol";
import { systemClock, systemRandom } from "@kubewright/node";
import { createCertificateAuthority } from "@kubewright/node/certificates";
import { createHttpTransport, type HttpTransport } from "./http-transport.ts";

const authority = createCertificateAuthority({ clock: systemClock, random: systemRandom });

/** A transport to a server that switches protocols and hands the connection to `serve`, gone with the test. */
async function connectTo(
  serve: (socket: Duplex, raw: Socket) => void,
): Promise<AsyncDisposable & { readonly transport: HttpTransport }> {
  const usages = ["server auth"] as const;
  const { certificate, key } = authority.issue({ commonName: "localhost", ipAddresses: ["127.0.0.1"], usages });
  const server = createServer({ cert: certificate, key });
  const sockets = new Set<Duplex>();
  let raw: Duplex | undefined;
  server.on("connection", (socket) => {
    raw = socket;
  });
  server.on("upgrade", (request, socket: Duplex) => {
    sockets.add(socket);
    socket.on("error", () => {});
    const secret = `${request.headers["sec-websocket-key"]}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`;
    const accept = createHash("sha1").update(secret).digest("base64");
    const lines = ["HTTP/1.1 101 Switching Protocols", "upgrade: websocket", "connection: Upgrade"];
    socket.write(`${[...lines, `sec-websocket-accept: ${accept}`].join("\r\n")}\r\n\r\n`);
    serve(socket, raw as Socket);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const tls = () => ({ ca: authority.certificate });
  const transport = createHttpTransport({ server: `https://127.0.0.1:${port}`, tls });
  return {
    transport,
    async [Symbol.asyncDispose]() {
      transport.close();
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

const UPGRADE = { upgrade: "websocket", connection: "Upgrade", "sec-websocket-protocol": "v5.channel.k8s.io" };

test("messages arrive until the server closes", async () => {
  await using to = await connectTo((socket) => {
    socket.write(encodeFrame("binary", Buffer.from("one")));
    socket.write(encodeFrame("binary", Buffer.from("two")));
    socket.write(encodeFrame("close", Buffer.from([])));
  });
  const { status, body } = await to.transport.send({ method: "GET", path: "/exec", headers: UPGRADE });
  assert.equal(status, 101);
  assert.equal(new TextDecoder().decode(await readBody(body)), "onetwo");
});

/** The frame, as one that others of its message follow. */
function cut(frame: Uint8Array): Uint8Array {
  return frame.map((byte, index) => (index === 0 ? byte & 0x7f : byte));
}

test("a message in several frames arrives in one piece, whatever comes in between", async () => {
  await using to = await connectTo((socket) => {
    socket.write(cut(encodeFrame("binary", Buffer.from("one "))));
    socket.write(encodeFrame("ping", Buffer.from([])));
    socket.write(encodeFrame("continuation", Buffer.from("message")));
    socket.write(encodeFrame("close", Buffer.from([])));
  });
  const { body } = await to.transport.send({ method: "GET", path: "/exec", headers: UPGRADE });
  assert.deepEqual((await Array.fromAsync(body)).map(String), ["one message"]);
});

test("a message without end fails, and says why", async () => {
  const more = cut(encodeFrame("continuation", new Uint8Array(1024 * 1024)));
  await using to = await connectTo((socket) => {
    socket.write(cut(encodeFrame("binary", Buffer.from("first"))));
    for (let count = 0; count < 40; count++) socket.write(more);
    socket.write(encodeFrame("close", Buffer.from([])));
  });
  const { body } = await to.transport.send({ method: "GET", path: "/exec", headers: UPGRADE });
  await assert.rejects(readBody(body), /message without end: more than 16777216 bytes/);
});

const LETTER = Buffer.from("a");
for (const [what, frames, expected] of [
  ["the rest of a message that did not begin", [encodeFrame("continuation", LETTER)], /out of turn/],
  [
    "a message within another",
    [cut(encodeFrame("text", LETTER)), encodeFrame("binary", LETTER)],
    /^Error: the server sent a WebSocket frame out of turn: a message within another, .*; see what is between/,
  ],
  ["a ping that is too long", [encodeFrame("ping", new Uint8Array(126))], /no WebSocket frame/],
  ["a ping in several frames", [cut(encodeFrame("ping", LETTER))], /no WebSocket frame/],
] as const) {
  test(`a server that sends ${what} is told that it broke the protocol, and reading fails`, async () => {
    const { promise: told, resolve } = Promise.withResolvers<Uint8Array>();
    await using to = await connectTo((socket) => {
      socket.once("data", resolve);
      for (const frame of frames) socket.write(frame);
    });
    const { body } = await to.transport.send({ method: "GET", path: "/exec", headers: UPGRADE });
    await assert.rejects(readBody(body), expected);
    const read = readFrame(new Uint8Array(await told), { masked: true, payloadBytesMax: 125 });
    const payload = Uint8Array.of(0x03, 0xea);
    assert.deepEqual(read, { frame: { kind: "close", payload, final: true }, rest: new Uint8Array() });
  });
}

test("a connection of messages ends when its signal aborts", async () => {
  await using to = await connectTo((socket) => socket.write(encodeFrame("binary", Buffer.from("one"))));
  const stop = new AbortController();
  const request = { method: "GET", path: "/exec", headers: UPGRADE, signal: stop.signal };
  const { body } = await to.transport.send(request);
  const read = (async () => {
    for await (const message of body) {
      assert.equal(new TextDecoder().decode(message), "one");
      stop.abort(new Error("enough"));
    }
    return "ended";
  })().catch(String);
  assert.equal(await Promise.race([read, sleep(systemClock, 2000)]), "Error: enough");
});

test("a connection of messages that breaks before anybody reads fails when somebody does", async () => {
  await using to = await connectTo((_socket, raw) => {
    systemClock.schedule(20, () => raw.resetAndDestroy());
  });
  const { body } = await to.transport.send({ method: "GET", path: "/exec", headers: UPGRADE });
  await sleep(systemClock, 100);
  await assert.rejects(readBody(body));
});
