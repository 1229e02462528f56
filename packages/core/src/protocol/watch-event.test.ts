import assert from "node:assert/strict";
import { test } from "node:test";
import { isMalformed } from "../meta/malformed.ts";
import { seededRandom } from "../ports/random.ts";
import { decodeWatchEvents, encodeWatchEvent, frameWatchEvent, type WatchEvent } from "./watch-event.ts";

async function* chunksOf(bytes: Uint8Array, sizes: () => number): AsyncGenerator<Uint8Array, void, void> {
  for (let start = 0; start < bytes.length; ) {
    const size = sizes();
    yield bytes.subarray(start, start + size);
    start += size;
  }
}

const decodeText = (text: string, sizes: () => number = () => 7): Promise<WatchEvent[]> =>
  Array.fromAsync(decodeWatchEvents(chunksOf(new TextEncoder().encode(text), sizes)));

const events: readonly WatchEvent[] = [
  { type: "ADDED", object: { kind: "Pod", metadata: { name: "ä€😀", generation: 9007199254740993n } } },
  { type: "BOOKMARK", object: { metadata: { resourceVersion: "15" } } },
  { type: "ERROR", object: { kind: "Status", code: 410 } },
];

test("events are one line each", () => {
  const line = encodeWatchEvent({ type: "ADDED", object: { a: "x\ny" } });
  assert.equal(line, '{"type":"ADDED","object":{"a":"x\\ny"}}\n');
  assert.equal(frameWatchEvent("ADDED", '{"a":"x\\ny"}'), line);
});

test("events survive any cutting of the bytes, inside characters included", async () => {
  const random = seededRandom(3);
  const text = events.map(encodeWatchEvent).join("");
  for (let round = 0; round < 200; round++) {
    assert.deepEqual(await decodeText(text, () => 1 + Math.floor(random.next() * 40)), events);
  }
  assert.deepEqual(await decodeText(text, () => 1), events);
});

test("blank lines and carriage returns between events mean nothing", async () => {
  const [first = events[0]] = events;
  assert.deepEqual(await decodeText(`\r\n\n${encodeWatchEvent(first as WatchEvent).trimEnd()}\r\n`), [first]);
});

test("a stream that ends inside an event is malformed, not silently shorter", async () => {
  await assert.rejects(decodeText('{"type":"ADDED","object":{"a"'), isMalformed);
});

test("a last event without its newline is told", async () => {
  assert.deepEqual(await decodeText(frameWatchEvent("ADDED", "{}").trimEnd()), [{ type: "ADDED", object: {} }]);
});

for (const line of [
  "[]",
  "{}",
  '{"type":"CHANGED","object":{}}',
  '{"type":"ADDED"}',
  '{"type":"ADDED","object":[]}',
  "{",
]) {
  test(`${line} is no event`, () => assert.rejects(decodeText(`${line}\n`), isMalformed));
}

test("invalid UTF-8 is malformed", async () => {
  const bytes = new Uint8Array([
    ...new TextEncoder().encode('{"type":"ADDED","object":{"a":"'),
    0xff,
    0x22,
    0x7d,
    0x7d,
    10,
  ]);
  await assert.rejects(Array.fromAsync(decodeWatchEvents(chunksOf(bytes, () => 9))), isMalformed);
});

test("a line beyond the limit is refused before it is buffered whole", async () => {
  let sent = 0;
  async function* endless(): AsyncGenerator<Uint8Array, void, void> {
    for (;;) {
      sent += 100;
      yield new Uint8Array(100).fill(0x61);
    }
  }
  await assert.rejects(Array.fromAsync(decodeWatchEvents(endless(), { lineBytesMax: 1000 })), isMalformed);
  assert.equal(sent, 1100);
});

test("a long line in many pieces costs its length, not its square", async () => {
  const object = { data: "x".repeat(4_000_000) };
  const decoded = await decodeText(encodeWatchEvent({ type: "ADDED", object }), () => 64);
  assert.deepEqual(decoded, [{ type: "ADDED", object }]);
});
