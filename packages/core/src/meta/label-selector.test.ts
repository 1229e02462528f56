import assert from "node:assert/strict";
import { test } from "node:test";
import { seededRandom } from "../ports/random.ts";
import {
  formatLabelSelector,
  labelsToRequirements,
  matchesLabels,
  selectorMatches,
  toLabelRequirements,
} from "./label-selector.ts";
import { parseLabelSelector } from "./label-selector-text.ts";
import { isMalformed } from "./malformed.ts";

const matches = (text: string, labels: Record<string, string>): boolean =>
  matchesLabels(parseLabelSelector(text), labels);

test("a selector without requirements selects everything", () => {
  assert.deepEqual(parseLabelSelector(""), []);
  assert.deepEqual(parseLabelSelector(" \t"), []);
  assert.equal(matches("", {}), true);
  assert.equal(matchesLabels([], undefined), true);
});

test("equality needs the label, inequality does not", () => {
  assert.equal(matches("a=b", { a: "b" }), true);
  assert.equal(matches("a==b", { a: "b" }), true);
  assert.equal(matches("a=b", { a: "c" }), false);
  assert.equal(matches("a=b", {}), false);
  assert.equal(matches("a!=b", {}), true);
  assert.equal(matches("a!=b", { a: "b" }), false);
  assert.equal(matches("a=", { a: "" }), true);
  assert.equal(matches("a=,b", { a: "", b: "x" }), true);
});

test("sets select any of their values; notin also objects without the label", () => {
  assert.equal(matches("a in (b, c)", { a: "c" }), true);
  assert.equal(matches("a in (b,c)", {}), false);
  assert.equal(matches("a notin (b,c)", {}), true);
  assert.equal(matches("a notin (b,c)", { a: "b" }), false);
  assert.equal(matches("a in ()", { a: "" }), true);
  assert.equal(matches("a in (,x)", { a: "" }), true);
  assert.equal(matches("in in (in, notin)", { in: "notin" }), true, "the words are keys and values too");
});

test("existence looks at the key alone", () => {
  assert.equal(matches("a", { a: "" }), true);
  assert.equal(matches("a", {}), false);
  assert.equal(matches("!a", {}), true);
  assert.equal(matches("! a , b", { b: "1" }), true);
});

test("comparisons are of 64-bit integers and never hold for other text", () => {
  assert.equal(matches("a>9007199254740992", { a: "9007199254740993" }), true);
  assert.equal(matches("a<10", { a: "9" }), true);
  assert.equal(matches("a<10", { a: "x" }), false);
  assert.equal(matches("a<10", {}), false);
  assert.equal(matches("a>1", { a: "99999999999999999999" }), false);
});

test("labels named like members of Object are ordinary labels", () => {
  assert.equal(matches("constructor", {}), false);
  assert.equal(matches("!toString", {}), true);
  assert.equal(matches("constructor=a", { constructor: "a" }), true);
});

test("requirements print sorted by key with sorted values", () => {
  const text = "z notin (c,b,a,b),y!=1,x in (q),!w,v,u>3,t<4,s==1,r=2";
  const printed = "r=2,s==1,t<4,u>3,v,!w,x in (q),y!=1,z notin (a,b,c)";
  assert.equal(formatLabelSelector(parseLabelSelector(text)), printed);
  assert.deepEqual(parseLabelSelector(printed), parseLabelSelector(text));
});

const LABEL_RULE =
  "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')";

const refused: ReadonlyArray<readonly [text: string, message: string]> = [
  ["a,", "found '', expected: identifier after ','"],
  [",a", "found ',', expected: !, identifier, or 'end of string'"],
  ["=a", "found '=', expected: !, identifier, or 'end of string'"],
  ["a b", "unable to parse requirement: found 'b', expected: in, notin, =, ==, !=, gt, lt"],
  ["a in b", "unable to parse requirement: found 'b' expected: '('"],
  ["a in (b c)", "unable to parse requirement: found 'c', expected: ',' or ')'"],
  ["a in (b,", "unable to parse requirement: found '', expected: ',', or identifier"],
  ["a in (=)", "unable to parse requirement: found '=', expected: ',', ')' or identifier"],
  ["a=(b)", "unable to parse requirement: found '(', expected: identifier"],
  ["a=b c", "found 'c', expected: ',' or 'end of string'"],
  ["!a=b", "found '=', expected: ',' or 'end of string'"],
  ["!", "unable to parse requirement: found '', expected: identifier"],
  ["a=-", `unable to parse requirement: values[0][a]: Invalid value: "-": ${LABEL_RULE}`],
  [
    "a>b",
    `unable to parse requirement: values[0]: Invalid value: "b": for 'Gt', 'Lt' operators, the value must be an integer`,
  ],
];

for (const [text, message] of refused) {
  test(`refuses ${JSON.stringify(text)} with Kubernetes' text`, () => {
    assert.throws(
      () => parseLabelSelector(text),
      (error: unknown) => {
        assert.ok(isMalformed(error));
        assert.equal(error.message, message);
        return true;
      },
    );
  });
}

test("a LabelSelector object combines labels and expressions", () => {
  const selector = {
    matchLabels: { app: "web" },
    matchExpressions: [
      { key: "tier", operator: "In", values: ["b", "a"] },
      { key: "old", operator: "DoesNotExist" },
      { key: "zone", operator: "Exists" },
      { key: "env", operator: "NotIn", values: ["dev"] },
    ],
  };
  assert.equal(formatLabelSelector(toLabelRequirements(selector)), "app=web,env notin (dev),!old,tier in (a,b),zone");
  assert.equal(selectorMatches(selector, { app: "web", tier: "a", zone: "1" }), true);
  assert.equal(selectorMatches(selector, { app: "web", tier: "a", zone: "1", old: "" }), false);
});

test("an empty LabelSelector selects everything and an absent one nothing", () => {
  assert.equal(selectorMatches({}, { a: "b" }), true);
  assert.equal(selectorMatches(undefined, { a: "b" }), false);
  assert.equal(selectorMatches(null, {}), false);
});

test("a LabelSelector with an unknown operator is refused", () => {
  assert.throws(() => toLabelRequirements({ matchExpressions: [{ key: "a", operator: "Like" }] }), {
    message: '"Like" is not a valid label selector operator',
  });
});

test("whatever labels an object has, the selector made of them selects it, through text and back", () => {
  const random = seededRandom(7);
  const pick = (letters: string): string => letters[Math.floor(random.next() * letters.length)] ?? "a";
  const word = (): string => Array.from({ length: 1 + Math.floor(random.next() * 5) }, () => pick("abXY019")).join("");
  for (let round = 0; round < 500; round++) {
    const labels = Object.fromEntries(
      Array.from({ length: 4 }, () => [`${word()}.io/${word()}`.toLowerCase(), word()]),
    );
    const requirements = labelsToRequirements(labels);
    assert.deepEqual(parseLabelSelector(formatLabelSelector(requirements)), requirements);
    assert.equal(matchesLabels(requirements, labels), true);
    const [first = ""] = Object.keys(labels);
    assert.equal(matchesLabels(requirements, { ...labels, [first]: "other-value" }), false);
  }
});
