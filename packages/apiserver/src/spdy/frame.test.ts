import assert from "node:assert/strict";
import { test } from "node:test";
import { constants, inflateSync } from "node:zlib";
import { dictionary } from "./dictionary.ts";
import { encodeData, encodePing, encodeReset, readSpdyFrame } from "./frame.ts";
import { HeaderReader, HeaderWriter } from "./headers.ts";
import { GO_AWAY, OPEN_DATA, OPEN_ERROR, PING, RESET_DATA, SAY_HI } from "./testdata/client-frames.ts";

test("frames of a client are read one after the other", () => {
  const kinds: string[] = [];
  let rest = Buffer.concat([OPEN_ERROR, OPEN_DATA, SAY_HI, RESET_DATA, PING, GO_AWAY]);
  for (let read = readSpdyFrame(rest); read !== "more"; read = readSpdyFrame(rest)) {
    assert.ok(read !== "error");
    kinds.push("stream" in read.frame ? `${read.frame.kind} ${read.frame.stream}` : read.frame.kind);
    rest = read.rest as Buffer<ArrayBuffer>;
  }
  assert.deepEqual(kinds, ["syn-stream 1", "syn-stream 3", "data 3", "rst-stream 3", "ping", "go-away"]);
});

test("a part of a frame needs more bytes", () => {
  for (let length = 0; length < OPEN_ERROR.byteLength; length++) {
    assert.equal(readSpdyFrame(OPEN_ERROR.subarray(0, length)), "more");
  }
});

test("other versions, short control frames and huge frames are errors", () => {
  assert.equal(readSpdyFrame(Buffer.from("800200060000000400000007", "hex")), "error");
  assert.equal(readSpdyFrame(Buffer.from("80030006000000020007", "hex")), "error");
  assert.equal(readSpdyFrame(Buffer.from("0000000300ffffff", "hex")), "error");
});

test("what is written is what a client writes", () => {
  assert.deepEqual(encodeData(3, Buffer.from("hi"), true), SAY_HI);
  assert.deepEqual(encodeReset(3, "cancel"), RESET_DATA);
  assert.deepEqual(encodePing(7), PING);
});

test("header blocks are read with those before them in mind", () => {
  const reader = new HeaderReader();
  const headersOf = (frame: Buffer): object => {
    const read = readSpdyFrame(frame);
    assert.ok(typeof read === "object" && read.frame.kind === "syn-stream");
    return Object.fromEntries(reader.read(read.frame.block));
  };
  assert.deepEqual(headersOf(OPEN_ERROR), { port: "8080", requestid: "0", streamtype: "error" });
  assert.deepEqual(headersOf(OPEN_DATA), { port: "8080", requestid: "0", streamtype: "data" });
});

test("header blocks that are written make one zlib stream", () => {
  const writer = new HeaderWriter();
  const headers = new Map([["a", "b"]]);
  const plain = inflateSync(Buffer.concat([writer.write(headers), writer.write(headers)]), {
    dictionary,
    finishFlush: constants.Z_SYNC_FLUSH,
  });
  const block = "0000000100000001610000000162";
  assert.equal(plain.toString("hex"), block + block);
});

test("a header block that is no zlib stream, ends early or grows too large is refused", () => {
  const blockOf = (value: string): Uint8Array => new HeaderWriter().write(new Map([["a", value]]));
  assert.throws(() => new HeaderReader().read(Buffer.from("none of this is compressed")));
  assert.throws(() => new HeaderReader().read(blockOf("b".repeat(1024 * 1024))));
  assert.throws(() => new HeaderReader().read(blockOf("b").subarray(0, 8)));
});
