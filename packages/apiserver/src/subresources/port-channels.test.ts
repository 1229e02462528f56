import assert from "node:assert/strict";
import { duplexPair } from "node:stream";
import { test } from "node:test";
import { readBody } from "@kubewright/core/ports";
import { forwardChannels, portsOf } from "./port-channels.ts";

const pod = { metadata: { name: "p", uid: "u" } };
const never = new AbortController().signal;

test("a port's channels begin with its number, and carry bytes both ways until the port closes", {
  timeout: 10_000,
}, async () => {
  const [target, far] = duplexPair();
  const answer = forwardChannels({ pod, ports: [8080], openPort: async () => target, signal: never });
  answer.messages?.take(Buffer.from("\u0000pi"), true);
  answer.messages?.take(Buffer.from("ng"), false);
  answer.messages?.take(Buffer.from("\u0001not for a port"), true);
  let heard = "";
  far.on("data", (chunk: Buffer) => {
    heard += chunk.toString();
    if (heard === "ping") far.end("pong");
  });
  const messages = Buffer.from(await readBody(answer.body as AsyncIterable<Uint8Array>));
  assert.deepEqual(messages, Buffer.from([0, 0x90, 0x1f, 1, 0x90, 0x1f, ...Buffer.from("\u0000pong")]));
});

test("a port that nobody listens on is told on its own channel, and the others go on", async () => {
  const openPort = async ({ port }: { readonly port: number }) => {
    if (port === 1) throw new Error("connection refused");
    const [target, far] = duplexPair();
    far.end("ok");
    return target;
  };
  const answer = forwardChannels({ pod, ports: [1, 2], openPort, signal: never });
  const messages: string[] = [];
  for await (const message of answer.body as AsyncIterable<Uint8Array>) {
    messages.push(`${message[0]} ${Buffer.from(message.subarray(1)).toString("latin1")}`);
  }
  assert.ok(messages.includes("1 error forwarding port 1 to pod p, uid u: connection refused"));
  assert.ok(messages.includes("2 ok"));
});

test("ports must be named, and be numbers of ports", () => {
  assert.deepEqual(portsOf(new URLSearchParams("ports=80,443&ports=8080")), [80, 443, 8080]);
  for (const query of ["", "ports=", "ports=x", "ports=0", "ports=65536", `ports=${Array(128).fill(1).join(",")}`]) {
    assert.throws(() => portsOf(new URLSearchParams(query)), { code: 400 }, query);
  }
});
