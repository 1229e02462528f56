import assert from "node:assert/strict";
import { test } from "node:test";
import type { Frame } from "@kubewright/core/protocol";
import { MESSAGE_BYTES_MAX, MessageParts } from "./message-parts.ts";

function part(payload: Uint8Array, final = false): Frame {
  return { kind: "continuation", payload, final };
}

test("a message is all of its frames, and the next one begins anew", () => {
  const parts = new MessageParts();
  assert.equal(parts.add(part(Buffer.from("a"))), undefined);
  assert.equal(parts.add(part(Buffer.from(""))), undefined);
  assert.equal(String(parts.add(part(Buffer.from("b"), true))), "ab");
  assert.equal(String(parts.add(part(Buffer.from("c"), true))), "c");
});

test("a message begins with a frame of its kind, and only what goes on with it follows", () => {
  const parts = new MessageParts();
  const first: Frame = { kind: "binary", payload: new Uint8Array(), final: false };
  const rest = part(Buffer.from("a"), true);
  assert.deepEqual([parts.isOutOfTurn(first), parts.isOutOfTurn(rest)], [false, true]);
  parts.add(first);
  assert.deepEqual([parts.isOutOfTurn(first), parts.isOutOfTurn(rest)], [true, false]);
  parts.add(rest);
  assert.deepEqual([parts.isOutOfTurn(first), parts.isOutOfTurn(rest)], [false, true]);
});

test("a message may be as large as a frame, and no larger", () => {
  const half = new Uint8Array(MESSAGE_BYTES_MAX / 2);
  const parts = new MessageParts();
  for (const _message of [1, 2]) {
    parts.add(part(half));
    assert.equal(parts.add(part(half, true))?.byteLength, MESSAGE_BYTES_MAX);
  }
  parts.add(part(half));
  parts.add(part(half));
  assert.throws(() => parts.add(part(Uint8Array.of(1), true)), /message without end: more than 16777216 bytes/);
});

test("a message of frames that hold nothing ends, too", () => {
  const parts = new MessageParts();
  assert.throws(() => {
    for (let count = 0; count < 100_000; count++) parts.add(part(new Uint8Array()));
  }, /or 16384 frames/);
});
