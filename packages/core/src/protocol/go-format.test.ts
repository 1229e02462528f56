import assert from "node:assert/strict";
import { test } from "node:test";
import { formatFloat, formatGoJson, formatNumber, quote } from "./go-format.ts";

test("floats have an exponent from a million on and below 0.0001", () => {
  const texts = [1, 0.5, 123456, 1e6, 2097152.5, 123456789, 1e21, 0.0001, 0.00001, -3.4e38, 0, -0].map(formatFloat);
  assert.deepEqual(texts, [
    "1",
    "0.5",
    "123456",
    "1e+06",
    "2.0971525e+06",
    "1.23456789e+08",
    "1e+21",
    "0.0001",
    "1e-05",
    "-3.4e+38",
    "0",
    "-0",
  ]);
  assert.deepEqual([Number.NaN, Infinity, -Infinity].map(formatFloat), ["NaN", "+Inf", "-Inf"]);
});

test("integers of JSON are printed in full", () => {
  assert.equal(formatNumber(1000000), "1000000");
  assert.equal(formatNumber(9223372036854775807n), "9223372036854775807");
});

test("texts are quoted as Go quotes them", () => {
  assert.equal(quote('say "é"\n\u0001\u007f😀\u200b'), '"say \\"é\\"\\n\\x01\\x7f😀\\u200b"');
});

test("JSON has sorted keys and escapes what HTML would take for markup", () => {
  assert.equal(formatGoJson({ b: [1, null, true], a: "<&>" }), '{"a":"\\u003c\\u0026\\u003e","b":[1,null,true]}');
});
