import assert from "node:assert/strict";
import { once } from "node:events";
import { Writable } from "node:stream";
import { test } from "node:test";
import { createPingAnswers } from "./ping-answers.ts";

test("while the server does not read, the latest ping alone is answered when it does", async () => {
  const written: string[] = [];
  let read: () => void = () => {};
  const socket = new Writable({
    highWaterMark: 2,
    write(chunk: Uint8Array, _encoding, done) {
      written.push(String(chunk));
      read = done;
    },
  });
  const answer = createPingAnswers(socket, (payload) => void socket.write(payload));
  for (const text of ["a", "b", "c", "d", "e"]) answer(Buffer.from(text));
  assert.deepEqual([written, socket.writableLength], [["a"], 2]);
  const drained = once(socket, "drain");
  read();
  read();
  await drained;
  assert.deepEqual(written, ["a", "b", "e"]);
  read();
  answer(Buffer.from("f"));
  assert.deepEqual(written, ["a", "b", "e", "f"]);
});
