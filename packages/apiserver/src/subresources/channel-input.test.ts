import assert from "node:assert/strict";
import { text } from "node:stream/consumers";
import { test } from "node:test";
import { createChannelInput } from "./channel-input.ts";

const never = new AbortController().signal;

test("input is what comes on channel 0, in parts or whole, until it is closed", async () => {
  const input = createChannelInput(true, never);
  input.take(Buffer.from("\u0000he"), true);
  input.take(Buffer.from("llo"), false);
  input.take(Buffer.from('\u0004{"Width":80}'), true); // The size of a terminal.
  input.take(Buffer.from("more"), false);
  input.take(Buffer.from("\u0000 you"), true);
  input.take(Buffer.from([255, 1]), true); // Another channel is closed.
  input.take(Buffer.from([255, 0]), true);
  input.take(Buffer.from("\u0000late"), true);
  assert.equal(await text(input.bytes), "hello you");
});

test("input ends with the client, and at once when nobody asked for it", async () => {
  const leaving = new AbortController();
  const input = createChannelInput(true, leaving.signal);
  input.take(Buffer.from("\u0000hi"), true);
  leaving.abort();
  assert.equal(await text(input.bytes), "hi");
  const unwanted = createChannelInput(false, never);
  assert.equal(unwanted.take(Buffer.from("\u0000hi"), true), true);
  assert.equal(await text(unwanted.bytes), "");
});

test("input that nobody reads asks its client to wait", async () => {
  const input = createChannelInput(true, never);
  const chunk = Buffer.alloc(32 * 1024);
  let taken = 0;
  while (input.take(chunk, true)) taken++;
  assert.ok(taken < 100);
  const ready = new Promise<void>((resolve) => input.whenReady(resolve));
  input.bytes.resume();
  await ready;
});
