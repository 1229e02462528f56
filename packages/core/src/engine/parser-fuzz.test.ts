/** Texts that come from clients, damaged at random: each parser either reads them or says that they are malformed, and soon. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { parseDuration } from "../meta/duration.ts";
import { parseFieldSelector } from "../meta/field-selector.ts";
import { parseIpv4, parseIpv6 } from "../meta/ip-address.ts";
import { parseJsonPath } from "../meta/json-path.ts";
import { parseJsonStrict } from "../meta/json-text.ts";
import { parseLabelSelector } from "../meta/label-selector-text.ts";
import { isMalformed } from "../meta/malformed.ts";
import { parseQuantity } from "../meta/quantity.ts";
import { parseMicroTime, parseTime } from "../meta/time.ts";
import { type Random, seededRandom } from "../ports/random.ts";
import { parseAccept } from "../protocol/media-type.ts";
import { parseRequest } from "../protocol/request-path.ts";
import { CelError } from "./cel/cel-error.ts";
import { dynType } from "./cel/cel-type.ts";
import { compileExpression } from "./cel/compile.ts";
import { compilePattern } from "./pattern.ts";

const TEXTS_PER_PARSER = 3000;

/** A parser, and texts that it reads. */
const PARSERS: Readonly<Record<string, readonly [parse: (text: string) => unknown, ...texts: string[]]>> = {
  JSON: [
    parseJsonStrict,
    '{"a":[1,-2.5e3,"x\\u00e9",null,true],"b":{"__proto__":{}}}',
    "[[[[]]]]",
    "12345678901234567890",
  ],
  "label selectors": [parseLabelSelector, "a=b,c!=d,e in (f,g),h notin (i),!j,k>1", "x.io/y==z"],
  "field selectors": [parseFieldSelector, "metadata.name=a,spec.x!=b\\,c", "a==b"],
  quantities: [parseQuantity, "1.5Gi", "100m", "-12e3", "0.000000001", "9223372036854775807k"],
  durations: [parseDuration, "1h2m3.5s", "-10ms", "1us2ns"],
  "JSON paths": [parseJsonPath, `.spec.a[0]['b.c'][?(@.type=="x")].status`, ".items[*].x", ".a[1:3:2]"],
  times: [parseTime, "2026-01-02T03:04:05Z", "2026-01-02T03:04:05.123456+01:00"],
  "times with microseconds": [parseMicroTime, "2026-01-02T03:04:05.123456Z"],
  "IPv4 addresses": [(text) => parseIpv4(text, { leadingZeros: true }), "127.0.0.1", "255.255.255.255"],
  "IPv6 addresses": [(text) => parseIpv6(text, { leadingZeros: false }), "2001:db8::1", "::ffff:1.2.3.4"],
  "Accept headers": [parseAccept, 'application/json;q=0.5;as=Table;v=v1;g="meta.k8s.io",*/*', "a/b;;c=d"],
  "request paths": [
    (text) => parseRequest("GET", text),
    "/apis/apps/v1/namespaces/a/deployments/b/scale?x=%20&y",
    "/api/v1/watch/pods",
  ],
  patterns: [compilePattern, "^[a-z]([-a-z0-9]*[a-z0-9])?$", "(?i)\\pL+|\\Qa.b\\E|x{2,5}(?P<n>y)*?", "[[:alpha:]]\\z"],
  "CEL expressions": [
    (text) => compileExpression(text, { variables: new Map([["self", dynType]]) }),
    "self.a.all(x, x > 1 && has(x.b)) ? \"a\" + 'b' : size(self.c.map(y, y * 2.5e1))",
    "self.?x.orValue([1, 2u, b'c', {1: null}])[0] in [r'\\d', \"\"\"z\"\"\"] || !(duration('1h') < self.t)",
  ],
};

const ODD = [
  "\0",
  "\\",
  '"',
  "'",
  "(",
  ")",
  "[",
  "]",
  "{",
  "}",
  "%",
  "%zz",
  "é",
  "\ud800",
  "999999999999999999999",
  "-",
  "..",
];

describe("fuzzing of parsers", { timeout: 60_000 }, () => {
  for (const [what, [parse, ...texts]] of Object.entries(PARSERS)) {
    test(`damaged ${what} are read or refused`, () => {
      const random = seededRandom(11);
      for (const text of texts) parse(text);
      for (let count = 0; count < TEXTS_PER_PARSER; count++) {
        const text = damaged(random, texts);
        try {
          parse(text);
        } catch (error) {
          assert.ok(isMalformed(error) || error instanceof CelError, `${JSON.stringify(text)}: ${String(error)}`);
        }
      }
    });
  }

  test("texts that repeat themselves for long are read or refused, too", () => {
    for (const [what, [parse]] of Object.entries(PARSERS)) {
      for (const piece of [...ODD, "a", "1", "a,", "(a", "!", "a=b,", "[0]", ".a", "-1", "1h", "{1:", "?a:"]) {
        const text = piece.repeat(20_000);
        try {
          parse(text);
        } catch (error) {
          assert.ok(
            isMalformed(error) || error instanceof CelError,
            `${what}: ${piece} …: ${String(error).slice(0, 300)}`,
          );
        }
      }
    }
  });
});

function damaged(random: Random, texts: readonly string[]): string {
  let text = texts[below(random, texts.length)] ?? "";
  for (let wounds = 1 + below(random, 4); wounds > 0; wounds--) {
    const [start, end] = [below(random, text.length + 1), below(random, text.length + 1)];
    const put = random.next() < 0.5 ? (ODD[below(random, ODD.length)] ?? "") : text.slice(Math.min(start, end), end);
    text = text.slice(0, start) + put + text.slice(start + below(random, 3));
  }
  return text;
}

function below(random: Random, limit: number): number {
  return Math.floor(random.next() * limit);
}
