import assert from "node:assert/strict";
import { test } from "node:test";
import { AnswerReader } from "./answer-reader.ts";

/** Feeds an answer in pieces of `size` bytes; nothing but the last piece may complete it. */
function readInPieces(text: string, size: number) {
  const bytes = Buffer.from(text);
  const reader = new AnswerReader("text");
  for (let at = 0; at < bytes.length; at += size) {
    const answer = reader.take(bytes.subarray(at, at + size));
    if (answer !== undefined) return answer;
  }
  return undefined;
}

const ANSWERS = {
  "with a length": "HTTP/1.1 201 Created\r\nContent-Length: 11\r\n\r\nhello world",
  "in chunks": "HTTP/1.1 201 Created\r\nTransfer-Encoding: chunked\r\n\r\n6\r\nhello \r\n5\r\nworld\r\n0\r\n\r\n",
};

for (const [form, text] of Object.entries(ANSWERS)) {
  test(`an answer ${form} is counted and kept, however the bytes come`, () => {
    for (const size of [1, 2, 3, 7, 1000]) {
      assert.deepEqual(readInPieces(text, size), { status: 201, bytes: 11, text: "hello world" });
    }
  });
}
