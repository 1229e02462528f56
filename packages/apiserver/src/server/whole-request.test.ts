import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { type KnownFields, parseWholeRequest } from "./whole-request.ts";

const HOST = "Host: 127.0.0.1:6443";

const parse = (lines: readonly string[], body = "", known: KnownFields = new Map()) =>
  parseWholeRequest(Buffer.from(`${lines.join("\r\n")}\r\n\r\n${body}`), known);

test("a plain request is its method, path, headers in lower case and body", () => {
  const lines = ["PUT /api/v1/namespaces/a%20b?x=1 HTTP/1.1", HOST, "Content-Length:  7 ", "X-Empty:"];
  const request = parse(lines, '{"ü":1');
  assert.deepEqual(
    { ...request, body: Buffer.from(request?.body ?? []).toString("utf8") },
    {
      method: "PUT",
      path: "/api/v1/namespaces/a%20b?x=1",
      headers: { host: "127.0.0.1:6443", "content-length": "7", "x-empty": "" },
      body: '{"ü":1',
    },
  );
});

test("fields that are repeated from one request to the next are read once", () => {
  const known: KnownFields = new Map();
  const first = parse(["GET /a HTTP/1.1", HOST], "", known);
  const other = parse(["GET /a HTTP/1.1", HOST, "Accept: text/plain"], "", known);
  const second = parse(["GET /b HTTP/1.1", HOST], "", known);
  assert.equal(second?.headers, first?.headers);
  assert.equal(second?.path, "/b");
  assert.equal(other?.headers["accept"], "text/plain");
});

describe("left to Node.js", () => {
  const cases: readonly (readonly [why: string, lines: readonly string[], body?: string])[] = [
    ["a head without host", ["GET / HTTP/1.1", "Accept: */*"]],
    ["HTTP/1.0", ["GET / HTTP/1.0", HOST]],
    ["a method that has no body in its answer", ["HEAD / HTTP/1.1", HOST]],
    ["a path that is a whole address", ["GET http://example.com/ HTTP/1.1", HOST]],
    ["less body than announced", ["POST / HTTP/1.1", HOST, "Content-Length: 3"], "ab"],
    ["more than one request", ["GET / HTTP/1.1", HOST], `GET / HTTP/1.1\r\n${HOST}\r\n\r\n`],
    ["a body of a GET", ["GET / HTTP/1.1", HOST, "Content-Length: 2"], "ab"],
    ["chunks", ["POST / HTTP/1.1", HOST, "Transfer-Encoding: chunked"]],
    ["chunks with a length", ["POST / HTTP/1.1", HOST, "Content-Length: 0", "Transfer-Encoding: chunked"]],
    ["two lengths", ["POST / HTTP/1.1", HOST, "Content-Length: 0", "Content-Length: 0"]],
    ["a length that is no number", ["POST / HTTP/1.1", HOST, "Content-Length: +0"]],
    ["a name with a space before its colon", ["POST / HTTP/1.1", HOST, "Content-Length : 0"]],
    ["a line that goes on", ["GET / HTTP/1.1", HOST, "Accept: a", " b"]],
    ["a line that ends by a newline alone", ["GET / HTTP/1.1", `${HOST}\nContent-Length: 0`]],
    ["a line without a colon", ["GET / HTTP/1.1", HOST, "Accept"]],
    ["bytes beyond ASCII", ["GET / HTTP/1.1", HOST, "Accept: ü"]],
    ["another protocol", ["GET / HTTP/1.1", HOST, "Connection: Upgrade", "Upgrade: websocket"]],
    ["a connection that is to be closed", ["GET / HTTP/1.1", HOST, "Connection: close"]],
    ["a client that waits to be asked for the body", ["POST / HTTP/1.1", HOST, "Expect: 100-continue"]],
    ["several groups to act in", ["GET / HTTP/1.1", HOST, "Impersonate-Group: a"]],
    ["a head too long for Node.js too", ["GET / HTTP/1.1", HOST, `X: ${"x".repeat(17_000)}`]],
  ];
  for (const [why, lines, body] of cases) {
    test(why, () => assert.equal(parse(lines, body), undefined));
  }
});
