import assert from "node:assert/strict";
import { test } from "node:test";
import { parseKeyValues } from "./key-values.ts";

test("lines are pairs; comments, blank lines and spaces around do not count", () => {
  const text = "GREETING = hello\r\n\n# a comment\n  URL=http://a/?b=c \nEMPTY=\nALONE\n";
  assert.deepEqual(parseKeyValues(text), { GREETING: "hello", URL: "http://a/?b=c", EMPTY: "", ALONE: "" });
});

test("the later of two lines wins, and any key is a key", () => {
  const pairs = parseKeyValues("A=1\nA=2\n__proto__=x");
  assert.equal(pairs["A"], "2");
  assert.ok(Object.hasOwn(pairs, "__proto__"));
});
