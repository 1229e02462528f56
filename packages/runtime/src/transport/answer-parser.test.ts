import assert from "node:assert/strict";
import { test } from "node:test";
import { AnswerParser } from "./answer-parser.ts";

/** What a parser tells of bytes that come in pieces of `size`. */
function read(text: string, size = text.length): readonly string[] {
  const told: string[] = [];
  let body = "";
  const parser = new AnswerParser({
    head: ({ status, headers }) => told.push(`${status} ${JSON.stringify(headers)}`),
    piece: (bytes) => {
      body += new TextDecoder().decode(bytes);
    },
    end: (reusable) => {
      told.push(`${body} ${reusable ? "kept" : "closed"}`);
      body = "";
    },
  });
  const bytes = new TextEncoder().encode(text);
  for (let start = 0; start < bytes.length; start += size) parser.push(bytes.subarray(start, start + size));
  if (parser.endOfConnection()) told.push("with the connection");
  return told;
}

const SIZED = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello";
const CHUNKED =
  "HTTP/1.1 201 Created\r\nTransfer-Encoding: chunked\r\n\r\n3 \r\nhel\r\n2;x=y\r\nlo\r\n0\r\nTrailer: x\r\n\r\n";

for (const size of [1, 2, 3, 7, 1000]) {
  test(`answers come out whole from pieces of ${size} bytes`, () => {
    assert.deepEqual(read(SIZED + CHUNKED + SIZED, size), [
      '200 {"content-length":"5"}',
      "hello kept",
      '201 {"transfer-encoding":"chunked"}',
      "hello kept",
      '200 {"content-length":"5"}',
      "hello kept",
    ]);
  });
}

test("an answer without a size ends with its connection", () => {
  assert.deepEqual(read("HTTP/1.0 200 OK\r\n\r\nall"), ["200 {}", "all kept", "with the connection"]);
});

test("a connection that ends within an answer with a size did not end the answer", () => {
  assert.deepEqual(read("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhello"), ['200 {"content-length":"9"}']);
});

test("answers without a body, and what comes before an answer", () => {
  assert.deepEqual(read("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 204 No Content\r\n\r\n"), ["204 {}", " kept"]);
  assert.deepEqual(read("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"), ['200 {"content-length":"0"}', " kept"]);
});

test("a server that says so closes the connection", () => {
  const told = read("HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 2\r\n\r\nok");
  assert.equal(told.at(-1), "ok closed");
});

test("repeated headers are one, in lower case", () => {
  const told = read('HTTP/1.1 204 No\r\nWarning: 299 - "a"\r\nwarning: 299 - "b"\r\n\r\n');
  assert.equal(told[0], `204 ${JSON.stringify({ warning: '299 - "a", 299 - "b"' })}`);
});

for (const [what, text] of [
  ["no HTTP", "SSH-2.0-OpenSSH\r\n\r\n"],
  ["a size that is none", "HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n"],
  [
    "a chunk of more bytes than can be counted",
    "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1000000000000\r\n",
  ],
  ["a chunk whose size ends in something else", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1x\r\n"],
  ["a chunk without a size", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n"],
  ["a chunk longer than it said", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nabc\r\n"],
  ["an unknown encoding", "HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip\r\n\r\n"],
  ["a header without a name", "HTTP/1.1 200 OK\r\n: x\r\n\r\n"],
  ["a head without end", `HTTP/1.1 200 OK\r\nx: ${"y".repeat(300_000)}`],
] as const) {
  test(`${what} is refused`, () => {
    assert.throws(() => read(text), /the server/);
  });
}
