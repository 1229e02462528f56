import assert from "node:assert/strict";
import { test } from "node:test";
import { encodeFrame, readFrame } from "./websocket-frame.ts";

const LIMIT = 1 << 20;
const MASK = Uint8Array.of(1, 2, 3, 4);

for (const length of [0, 1, 125, 126, 65_535, 65_536, 100_000]) {
  test(`a message of ${length} bytes comes back from its frame, masked and not`, () => {
    const payload = new Uint8Array(length).map((_byte, index) => index);
    for (const mask of [undefined, MASK]) {
      const bytes = encodeFrame("binary", payload, mask);
      const read = readFrame(new Uint8Array([...bytes, 9]), { masked: mask !== undefined, payloadBytesMax: LIMIT });
      assert.deepEqual(read, { frame: { kind: "binary", payload, final: true }, rest: Uint8Array.of(9) });
    }
  });
}

test("a frame that is not whole asks for more, whatever is missing", () => {
  const bytes = encodeFrame("text", new Uint8Array(300), MASK);
  for (const length of [0, 1, 2, 3, 7, 300]) {
    assert.equal(readFrame(bytes.subarray(0, length), { masked: true, payloadBytesMax: LIMIT }), "more");
  }
});

test("a frame that is too large, unknown, or masked when it must not be is an error", () => {
  const rules = { masked: false, payloadBytesMax: 100 };
  assert.equal(readFrame(encodeFrame("text", new Uint8Array(101)), rules), "error");
  assert.equal(readFrame(Uint8Array.of(0x83, 0), rules), "error");
  assert.equal(readFrame(Uint8Array.of(0xc1, 0), rules), "error");
  assert.equal(readFrame(encodeFrame("text", new Uint8Array(1), MASK), rules), "error");
});

test("a close, ping or pong that is cut into several frames, or longer than 125 bytes, is an error", () => {
  const rules = { masked: false, payloadBytesMax: LIMIT };
  for (const kind of ["close", "ping", "pong"] as const) {
    const whole = encodeFrame(kind, new Uint8Array(125));
    assert.notEqual(readFrame(whole, rules), "error");
    const cut = whole.map((byte, index) => (index === 0 ? byte & 0x7f : byte));
    assert.equal(readFrame(cut, rules), "error");
    assert.equal(readFrame(encodeFrame(kind, new Uint8Array(126)), rules), "error");
  }
});
