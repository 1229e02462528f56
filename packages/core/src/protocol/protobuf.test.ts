import assert from "node:assert/strict";
import { test } from "node:test";
import { isMalformed } from "../meta/malformed.ts";
import { decodeProtobuf, type ProtobufField, type ProtobufMessage } from "./protobuf.ts";
import { INT_OR_STRING_MESSAGE, MICRO_TIME_MESSAGE, RAW_JSON_MESSAGE, TIME_MESSAGE } from "./protobuf-messages.ts";
import { PROTOBUF_DEPTH_MAX } from "./protobuf-reader.ts";

const THING: ProtobufMessage = {
  fields: new Map<number, ProtobufField>([
    [1, { name: "text", type: "string" }],
    [2, { name: "count", type: "int64" }],
    [3, { name: "numbers", type: "int32", repeat: "list" }],
    [4, { name: "labels", type: "string", repeat: "map" }],
    [5, { name: "child", type: () => THING }],
    [6, { name: "", type: () => THING }],
    [7, { name: "time", type: () => TIME_MESSAGE }],
    [8, { name: "microTime", type: () => MICRO_TIME_MESSAGE }],
    [9, { name: "port", type: () => INT_OR_STRING_MESSAGE }],
    [10, { name: "raw", type: () => RAW_JSON_MESSAGE }],
    [11, { name: "ratio", type: "double" }],
    [12, { name: "data", type: "bytes" }],
  ]),
};

const bytes = (...values: readonly (number | string | readonly number[])[]): number[] =>
  values.flatMap((value) => (typeof value === "string" ? [...Buffer.from(value)] : value));
/** A length-delimited field. */
const field = (number: number, content: readonly number[] | string): number[] => {
  const body = typeof content === "string" ? bytes(content) : content;
  return [...varint(number * 8 + 2), ...varint(body.length), ...body];
};
const varint = (value: number): number[] => (value < 128 ? [value] : [(value % 128) | 128, ...varint(value >> 7)]);
const envelope = (kind: string, raw: readonly number[]): Uint8Array =>
  Uint8Array.from(bytes("k8s\0", field(1, [...field(1, "v1"), ...field(2, kind)]), field(2, raw)));

const messages = (apiVersion: string, kind: string) => (apiVersion === "v1" && kind === "Thing" ? THING : undefined);
const decode = (...raw: readonly number[]) => {
  const { apiVersion, kind, ...fields } = decodeProtobuf(envelope("Thing", raw), messages);
  assert.deepEqual([apiVersion, kind], ["v1", "Thing"]);
  return fields;
};

test("apiVersion and kind come from the envelope", () => {
  assert.deepEqual(decodeProtobuf(envelope("Thing", []), messages), { apiVersion: "v1", kind: "Thing" });
});

test("integers keep all 64 bits and their sign", () => {
  const ones = (count: number) => Array<number>(count).fill(0xff);
  assert.deepEqual(decode(0x10, 0x96, 0x01), { count: 150 });
  assert.deepEqual(decode(0x10, ...ones(9), 0x01), { count: -1 });
  assert.deepEqual(decode(0x10, ...ones(7), 0x0f), { count: 2 ** 53 - 1 });
  assert.deepEqual(decode(0x10, ...ones(8), 0x7f), { count: 2n ** 63n - 1n });
  assert.deepEqual(decode(0x10, ...Array<number>(9).fill(0x80), 0x01), { count: -(2n ** 63n) });
});

test("lists of numbers may be packed or not", () => {
  assert.deepEqual(decode(0x18, 1, 0x18, 2), { numbers: [1, 2] });
  assert.deepEqual(decode(...field(3, [1, 2, 0x80, 0x01])), { numbers: [1, 2, 128] });
});

test("maps take any key as data, and absent values as zero", () => {
  const entry = (key: string, value: readonly number[]) => field(4, [...field(1, key), ...value]);
  const { labels } = decode(...entry("__proto__", field(2, "a")), ...entry("b", [])) as { labels: object };
  assert.deepEqual(Object.entries(labels), [
    ["__proto__", "a"],
    ["b", ""],
  ]);
});

test("an inlined message gives its fields to the surrounding object", () => {
  assert.deepEqual(decode(...field(6, field(1, "a")), 0x10, 1), { text: "a", count: 1 });
});

test("a message that comes twice is merged, unknown fields are passed over", () => {
  const unknown = [...field(99, "?"), ...varint(98 * 8), 1, ...varint(97 * 8 + 1), ...Array<number>(8).fill(0)];
  const twice = [...field(5, field(1, "a")), ...unknown, ...field(5, [0x10, 2])];
  assert.deepEqual(decode(...twice), { child: { text: "a", count: 2 } });
});

test("times, numbers or names, JSON, doubles and bytes become their JSON", () => {
  const at = [0x08, ...varint(1_000_000_000), 0x10, ...varint(123_456_789)];
  assert.deepEqual(decode(...field(7, at), ...field(8, at)), {
    time: "2001-09-09T01:46:40Z",
    microTime: "2001-09-09T01:46:40.123456Z",
  });
  assert.deepEqual(decode(...field(7, [])), { time: null });
  assert.deepEqual(decode(...field(9, [0x08, 1, ...field(3, "http")])), { port: "http" });
  assert.deepEqual(decode(...field(9, [0x08, 0, 0x10, 80])), { port: 80 });
  assert.deepEqual(decode(...field(10, field(1, '{"a":9007199254740993}'))), { raw: { a: 9007199254740993n } });
  assert.deepEqual(decode(0x59, 0, 0, 0, 0, 0, 0, 0xf8, 0x3f), { ratio: 1.5 });
  assert.deepEqual(decode(...field(12, [0, 255])), { data: "AP8=" });
});

const nested = (levels: number): number[] => {
  let message: number[] = [];
  for (let level = 0; level < levels; level++) message = field(5, message);
  return message;
};

const refused: readonly (readonly [string, Uint8Array, RegExp])[] = [
  ["bytes without the prefix", Uint8Array.from([1, 2, 3]), /expected prefix \[107 56 115 0\]/],
  ["an empty body", new Uint8Array(), /expected prefix/],
  ["a kind that is not known", envelope("Other", []), /no kind "Other" is registered for version "v1"/],
  ["text that is cut off", envelope("Thing", [0x0a, 5, 0x61]), /length of 5 goes beyond the end/],
  ["a length of four gigabytes", envelope("Thing", [0x0a, 0xff, 0xff, 0xff, 0xff, 0x0f]), /goes beyond the end/],
  ["a negative length", envelope("Thing", [0x0a, ...Array<number>(9).fill(0xff), 1]), /length of -1/],
  ["an endless integer", envelope("Thing", [0x10, ...Array<number>(20).fill(0xff)]), /more than 64 bits/],
  ["an integer that is cut off", envelope("Thing", [0x10, 0x80]), /ends within a value/],
  ["a double that is cut off", envelope("Thing", [0x59, 0, 0]), /ends within a value/],
  ["the field number 0", envelope("Thing", [0x02, 0]), /no tag of a field/],
  ["a wire type that the field does not have", envelope("Thing", [0x08, 1]), /wire type 0 where the field has 2/],
  ["groups", envelope("Thing", [...varint(99 * 8 + 3)]), /wire type 3 is not supported/],
  ["messages that nest too deep", envelope("Thing", nested(PROTOBUF_DEPTH_MAX + 1)), /nest deeper than 300/],
  ["JSON that is none", envelope("Thing", field(10, field(1, "{"))), /./],
  ["times beyond the calendar", envelope("Thing", field(7, [0x08, ...Array<number>(7).fill(0xff), 1])), /RFC 3339/],
];

for (const [name, body, message] of refused) {
  test(`refuses ${name}`, () => {
    assert.throws(
      () => decodeProtobuf(body, messages),
      (error: Error) => isMalformed(error) && message.test(error.message),
    );
  });
}

test("no cut and no flipped bit of a message makes the decoder fail in another way", () => {
  const body = envelope("Thing", [
    ...field(5, [...field(1, "abc"), 0x10, 7, ...field(4, field(1, "k"))]),
    ...field(9, [0x08, 1]),
  ]);
  for (let index = 0; index < body.length * 8; index++) {
    const changed = Uint8Array.from(body);
    changed[index >> 3] = (changed[index >> 3] as number) ^ (1 << (index & 7));
    for (const candidate of [changed, body.subarray(0, index >> 3)]) {
      try {
        decodeProtobuf(candidate, messages);
      } catch (error) {
        assert.ok(isMalformed(error), String(error));
      }
    }
  }
});
