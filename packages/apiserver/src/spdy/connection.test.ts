import assert from "node:assert/strict";
import { once } from "node:events";
import { type Duplex, duplexPair } from "node:stream";
import { test } from "node:test";
import { type SpdyStream, serveSpdy } from "./connection.ts";
import { encodeData, encodeReset, encodeSynReply } from "./frame.ts";
import { HeaderWriter } from "./headers.ts";
import { OPEN_DATA, OPEN_ERROR, PING, RESET_DATA, SAY_HI } from "./testdata/client-frames.ts";

interface Served {
  readonly client: Duplex;
  readonly server: Duplex;
  readonly streams: SpdyStream[];
  readonly closed: Promise<void>;
}

function serve(): Served {
  const [client, server] = duplexPair();
  const streams: SpdyStream[] = [];
  return { client, server, streams, closed: serveSpdy(server, (stream) => streams.push(stream)) };
}

/** Reads until as many bytes came as `wanted` has, and compares them. */
async function expectBytes(client: Duplex, wanted: Uint8Array): Promise<void> {
  let received = Buffer.alloc(0);
  while (received.byteLength < wanted.byteLength) {
    const chunk = client.read() as Buffer | null;
    if (chunk === null) await once(client, "readable");
    else received = Buffer.concat([received, chunk]);
  }
  assert.equal(received.toString("hex"), Buffer.from(wanted).toString("hex"));
}

/** Opens the streams 1 and 3. */
async function openStreams(client: Duplex): Promise<void> {
  const writer = new HeaderWriter();
  client.write(Buffer.concat([OPEN_ERROR, OPEN_DATA]));
  const replies = [1, 3].map((id) => encodeSynReply(id, writer.write(new Map())));
  await expectBytes(client, Buffer.concat(replies));
}

test("a stream is accepted, carries bytes both ways and ends", { timeout: 10_000 }, async () => {
  const { client, streams } = serve();
  await openStreams(client);
  const [, data] = streams;
  assert.equal(data?.headers.get("streamtype"), "data");
  for (const byte of SAY_HI) client.write(Buffer.from([byte]));
  const said = await data.bytes.toArray();
  assert.equal(Buffer.concat(said).toString(), "hi");
  data.bytes.end("hello");
  await expectBytes(
    client,
    Buffer.concat([encodeData(3, Buffer.from("hello"), false), encodeData(3, Buffer.alloc(0), true)]),
  );
});

test("pings come back as they are", { timeout: 10_000 }, async () => {
  const { client } = serve();
  client.write(PING);
  await expectBytes(client, PING);
});

test("a stream that the client gives up is closed, and one that the server gives up is reset", {
  timeout: 10_000,
}, async () => {
  const { client, streams } = serve();
  await openStreams(client);
  const [error, data] = streams;
  assert.ok(error !== undefined && data !== undefined);
  client.write(RESET_DATA);
  await once(data.bytes, "close");
  error.bytes.destroy();
  await expectBytes(client, encodeReset(1, "cancel"));
});

test("a stream whose number only a server may use is reset", { timeout: 10_000 }, async () => {
  const { client } = serve();
  const evenStream = Buffer.from(OPEN_ERROR);
  evenStream.writeUInt32BE(2, 8);
  client.write(evenStream);
  await expectBytes(client, encodeReset(2, "protocol-error"));
});

test("what is no frame ends the connection and its streams", { timeout: 10_000 }, async () => {
  const { client, streams, closed } = serve();
  client.write(Buffer.concat([OPEN_ERROR, Buffer.from("GET / HTTP/1.1\r\n\r\n".replace("G", "\uffff"), "latin1")]));
  await closed;
  assert.equal(streams[0]?.bytes.destroyed, true);
});

test("a stream that nobody reads holds the client up", { timeout: 10_000 }, async () => {
  const { client, server, streams } = serve();
  client.write(Buffer.concat([OPEN_ERROR, OPEN_DATA]));
  const piece = encodeData(3, Buffer.alloc(16 * 1024), false);
  const paused = once(server, "pause");
  for (let count = 0; !server.isPaused(); count++) {
    assert.ok(count < 100, "more was taken than a stream should hold");
    await Promise.race([paused, new Promise((resolve) => client.write(piece, resolve))]);
  }
  const resumed = once(server, "resume");
  streams[1]?.bytes.resume();
  await resumed;
});
