import assert from "node:assert/strict";
import { once } from "node:events";
import { duplexPair } from "node:stream";
import { test } from "node:test";
import type { ResourceCall } from "../endpoints/call.ts";
import { OPEN_DATA, OPEN_ERROR } from "../spdy/testdata/client-frames.ts";
import { type ChannelInput, createChannelInput } from "./channel-input.ts";
import { overSpdy } from "./remote-command.ts";

/** A call as far as a remote command looks at it. */
function callWith(protocols: string, query = ""): ResourceCall {
  const headers = { upgrade: "SPDY/3.1", "x-stream-protocol-version": protocols };
  return { request: { headers }, info: { query: new URLSearchParams(query) } } as unknown as ResourceCall;
}

async function* messages(): AsyncGenerator<Uint8Array> {
  yield Buffer.from('\u0003{"status":"Success"}');
}

const input = (): ChannelInput => createChannelInput(false, new AbortController().signal);
const answer = { status: 200, headers: {}, body: messages() };

test("messages of a channel go out on its stream once all streams are there", { timeout: 10_000 }, async () => {
  const { tunnel } = overSpdy(callWith("v5.channel.k8s.io, v4.channel.k8s.io"), answer, input());
  assert.equal(tunnel?.protocol, "v4.channel.k8s.io");
  const [client, server] = duplexPair();
  const served = tunnel.serve(server);
  client.write(Buffer.concat([OPEN_ERROR, OPEN_DATA])); // A stream for data is none of a command's: it is reset.
  let received = "";
  client.on("data", (chunk: Buffer) => {
    received += chunk.toString("latin1");
  });
  while (!received.includes('{"status":"Success"}')) await once(client, "data");
  client.end();
  await served;
  assert.ok(received.includes("\0\u0003\0\0\0\u0008\0\0\0\u0003\0\0\0\u0005"));
});

test("protocols whose exit status is only a text are refused", () => {
  assert.throws(() => overSpdy(callWith("channel.k8s.io"), answer, input()), /unable to negotiate protocol/);
});

test("an answer that is no stream of messages stays as it is", () => {
  const plain = { ...answer, body: "no" };
  assert.equal(overSpdy(callWith("v4.channel.k8s.io"), plain, input()), plain);
});
