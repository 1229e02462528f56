import assert from "node:assert/strict";
import { test } from "node:test";
import { seededRandom } from "../ports/random.ts";
import { deepEqual } from "./deep.ts";
import { getKey, type Json, type JsonObject, type MutableJsonObject, setKey } from "./json.ts";
import { JSON_DEPTH_MAX } from "./json-reader.ts";
import { parseJson, parseJsonStrict, stringifyJson } from "./json-text.ts";
import { isMalformed } from "./malformed.ts";

const nested = (depth: number): string => "[".repeat(depth) + "]".repeat(depth);

test("integers of 64 bits survive, the safe ones as numbers", () => {
  assert.deepEqual(parseJson("[9007199254740991, 9007199254740993, -9223372036854775808, 9223372036854775807]"), [
    9007199254740991,
    9007199254740993n,
    -9223372036854775808n,
    9223372036854775807n,
  ]);
  assert.equal(parseJson("18446744073709551616"), 2 ** 64, "beyond 64 bits the nearest double");
  assert.equal(parseJson("1234567890123456.5"), 1234567890123456.5);
  assert.equal(stringifyJson(parseJson('{"a":[12345678901234567]}')), '{"a":[12345678901234567]}');
  assert.equal(stringifyJson({ a: 2n ** 60n }, 2), '{\n  "a": 1152921504606846976\n}');
});

test("numbers that no double holds are refused instead of becoming null", () => {
  for (const text of ["1e400", "[1,-1e999]", '{"a": 1E+0400}', "9".repeat(400)]) {
    assert.throws(() => parseJson(text), isMalformed, text);
  }
  assert.equal(parseJson("1e308"), 1e308);
  assert.equal(parseJson('"1e400"'), "1e400");
});

test("duplicate keys are told with their paths, once each, and the last value wins", () => {
  const text = '{"a":1,"spec":{"x":1,"ports":[{},{"n":1,"n":2,"n":3}],"x":{"y":1,"y":2}},"a":2}';
  assert.deepEqual(parseJsonStrict(text), {
    value: { a: 2, spec: { x: { y: 2 }, ports: [{}, { n: 3 }] } },
    duplicates: ["spec.ports[1].n", "spec.x", "spec.x.y", "a"],
  });
  assert.deepEqual(parseJsonStrict('[{"a":1},{"a":1}]').duplicates, []);
  assert.deepEqual(parseJsonStrict('{"__proto__":1,"__proto__":2,"\\u0061":1,"a":null}').duplicates, [
    "__proto__",
    "a",
  ]);
});

test("at most a hundred duplicates are told, and repeating one deep key is cheap", () => {
  const many = Array.from({ length: 300 }, (_, index) => `"k${index % 150}":1`).join(",");
  assert.equal(parseJsonStrict(`{${many}}`).duplicates.length, 100);
  const deep = `${'{"a":'.repeat(5000)}{${'"b":1,'.repeat(200_000)}"c":1}${"}".repeat(5000)}`;
  assert.equal(parseJsonStrict(deep).duplicates.length, 1);
});

test("nesting up to the limit is read, one more is refused, and nothing overflows the stack", () => {
  assert.ok(Array.isArray(parseJson(nested(JSON_DEPTH_MAX))));
  assert.throws(() => parseJson(nested(JSON_DEPTH_MAX + 1)), /exceeded max depth/);
  assert.throws(() => parseJson(`{"]]]]":${nested(JSON_DEPTH_MAX)}}`), /exceeded max depth/);
  assert.throws(() => parseJson("[".repeat(1_000_000)), isMalformed);
  assert.throws(() => parseJsonStrict('{"a":'.repeat(1_000_000)), isMalformed);
  const manyShallow = `[${Array.from({ length: 20_000 }, () => '{"a\\"[":[]}').join(",")}]`;
  assert.equal((parseJson(manyShallow) as Json[]).length, 20_000);
});

test("bytes must be UTF-8", () => {
  assert.equal(parseJson(new TextEncoder().encode('"ä€😀"')), "ä€😀");
  assert.throws(() => parseJson(new Uint8Array([0x22, 0xff, 0x22])), isMalformed);
  assert.throws(() => parseJson(new Uint8Array([0x22, 0xed, 0xa0, 0x80, 0x22])), isMalformed, "a lone surrogate");
  assert.throws(() => parseJson(new Uint8Array([0xef, 0xbb, 0xbf, 0x31])), isMalformed, "a byte order mark");
});

test("__proto__ and constructor are ordinary keys", () => {
  for (const parse of [parseJson, (text: string) => parseJsonStrict(text).value]) {
    const value = parse('{"__proto__":{"polluted":true},"constructor":1,"toString":2}') as JsonObject;
    assert.deepEqual(Object.keys(value), ["__proto__", "constructor", "toString"]);
    assert.equal(Object.getPrototypeOf(value), Object.prototype);
    assert.equal(Object.hasOwn(value, "polluted") || "polluted" in value, false);
    assert.deepEqual(getKey(value, "__proto__"), { polluted: true });
    assert.equal(getKey(value, "hasOwnProperty"), undefined);
    assert.equal(stringifyJson(value), '{"__proto__":{"polluted":true},"constructor":1,"toString":2}');
  }
});

const refused: ReadonlyArray<readonly [text: string, message: string]> = [
  ["", "unexpected end of JSON input"],
  ["{", "unexpected end of JSON input"],
  ['"abc', "unexpected end of JSON input"],
  ["nul", "unexpected end of JSON input"],
  ["[1,]", "invalid character ']' looking for beginning of value"],
  ["{,}", "invalid character ',' looking for beginning of object key string"],
  ['{"a" 1}', "invalid character '1' after object key"],
  ['{"a":1 "b"}', "invalid character '\"' after object key:value pair"],
  ["[1 2]", "invalid character '2' after array element"],
  ["1 2", "invalid character '2' after top-level value"],
  ["01", "invalid character '1' after top-level value"],
  ["tru3", "invalid character '3' in literal true (expecting 'e')"],
  ["[1.]", "invalid character ']' after decimal point in numeric literal"],
  ["[1.5e+]", "invalid character ']' in exponent of numeric literal"],
  ["[1.5.5]", "invalid character '.' after array element"],
  ["1e400", "json: cannot unmarshal number 1e400 into Go value of type float64"],
  ["'a'", "invalid character '\\'' looking for beginning of value"],
  ['"a\nb"', "invalid character '\\n' in string literal"],
  ['"\\x"', "invalid character 'x' in string escape code"],
  ['"\\u12g4"', "invalid character 'g' in \\u hexadecimal character escape"],
  ["-", "unexpected end of JSON input"],
  ["-a", "invalid character 'a' in numeric literal"],
  ["\u00a01", "invalid character '\u00a0' looking for beginning of value"],
];

for (const [text, message] of refused) {
  test(`${JSON.stringify(text)} is refused: ${message}`, () => {
    assert.throws(() => parseJson(text), { message, code: "Malformed" });
    assert.throws(() => parseJsonStrict(text), { message, code: "Malformed" });
  });
}

test("for all values: text and back gives the same, by both readers", () => {
  const random = seededRandom(9);
  const pick = <Item>(items: readonly Item[]): Item => items[Math.floor(random.next() * items.length)] as Item;
  const draw = (depth: number): Json => {
    const kind = Math.floor(random.next() * (depth > 3 ? 6 : 8));
    if (kind === 0) return null;
    if (kind === 1) return random.next() < 0.5;
    if (kind === 2) return Math.floor((random.next() - 0.5) * 1e6);
    if (kind === 3) return (random.next() - 0.5) * 10 ** Math.floor(random.next() * 35 - 20);
    if (kind === 4) return BigInt(Number.MAX_SAFE_INTEGER) + BigInt(1 + Math.floor(random.next() * 1e9));
    if (kind === 5) return pick(["", "a", '"\\/\b\f\n\r\t', "\u0001", "ä€😀", "\u2028", "1e999", "12345678901234567"]);
    if (kind === 6) return Array.from({ length: Math.floor(random.next() * 4) }, () => draw(depth + 1));
    const object: MutableJsonObject = {};
    for (let keys = Math.floor(random.next() * 4); keys > 0; keys--) {
      setKey(object, pick(["a", "b", "__proto__", "constructor", "", "a.b", "ü"]), draw(depth + 1));
    }
    return object;
  };
  for (let round = 0; round < 2000; round++) {
    const value = draw(0);
    const text = stringifyJson(value, round % 2);
    assert.ok(deepEqual(parseJson(text), value), text);
    assert.deepEqual(parseJsonStrict(text).duplicates, []);
    assert.ok(deepEqual(parseJsonStrict(text).value, value), text);
  }
});

test("for all broken texts: both readers refuse the same, as JSON.parse does", () => {
  const random = seededRandom(10);
  const alphabet = '{}[]",:0123-.eEtrufalsn \\ux';
  for (let round = 0; round < 5000; round++) {
    const length = Math.floor(random.next() * 8);
    const text = Array.from({ length }, () => alphabet[Math.floor(random.next() * alphabet.length)]).join("");
    const outcome = (parse: () => unknown): string => {
      try {
        return JSON.stringify(parse()) ?? "";
      } catch {
        return "refused";
      }
    };
    assert.equal(
      outcome(() => parseJsonStrict(text).value),
      outcome(() => JSON.parse(text)),
      text,
    );
  }
});

test("what JSON cannot say is not written", () => {
  assert.throws(() => stringifyJson(undefined), TypeError);
});
