/** Rules that try to take for ever, or everything: bounded by cost and limits, never by a clock. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { dynType } from "./cel-type.ts";
import { compileExpression, costPerCallMax } from "./compile.ts";
import { dynamicValue } from "./schema-values.ts";

const variables = new Map([["self", dynType]]);
const numbers = Array.from({ length: 3000 }, (_, index) => index);
const self = dynamicValue({
  numbers,
  objects: numbers.map((index) => ({ index, name: `object-${index}` })),
  text: "a".repeat(1 << 20),
});

function outcomeOf(source: string) {
  const { program, problem } = compileExpression(source, { variables });
  assert.equal(problem, undefined);
  return program?.evaluate((name) => (name === "self" ? self : undefined));
}

for (const source of [
  "self.numbers.all(a, self.numbers.all(b, self.numbers.all(c, a + b + c >= 0)))",
  "self.numbers.map(a, self.numbers.map(b, self.numbers))",
  "self.numbers.map(a, self.numbers + self.numbers).size() >= 0 && self.numbers.all(a, self.numbers.map(b, self.numbers + self.numbers).size() > 0)",
  "self.numbers.all(a, self.objects == self.objects)",
  "self.numbers.map(a, self.objects).distinct().size() == 1",
  "self.numbers.all(a, sets.contains(self.numbers, self.numbers))",
  "self.numbers.all(a, self.numbers.reverse().sort() == self.numbers)",
  "self.numbers.all(a, (self.text + self.text).size() > 0)",
  "self.numbers.all(a, self.text.size() > 0)",
  "self.numbers.all(a, self.text.matches('(a+)+$'))",
  "self.numbers.exists(a, self.text.contains('aaab'))",
  "self.numbers.all(a, self.text.replace('a', 'aaaaaaaaaaaaaaaaaaaa').size() > 0)",
  "lists.range(1000000000000).size() > 0",
  "lists.range(900000).all(a, lists.range(900000).size() > 0)",
  "self.numbers.map(a, self.numbers).flatten().map(a, self.numbers).flatten().size() > 0",
  "self.numbers.all(a, '%s'.format([self.text]) != '')",
  "self.numbers.all(a, quantity(self.text) == quantity(self.text))",
]) {
  test(`ends at the cost limit: ${source}`, () => {
    const outcome = outcomeOf(source);
    assert.equal(outcome?.kind, "too-expensive");
    assert.equal(outcome?.message, "operation cancelled: actual cost limit exceeded");
  });
}

test("no operator forgives an exceeded limit", () => {
  const loop = "self.numbers.all(a, self.numbers.all(b, a + b >= 0))";
  for (const source of [
    `${loop} || true`,
    `true && ${loop}`,
    `[1].exists(x, ${loop})`,
    `[${loop}].size() == 1 || true`,
  ]) {
    assert.equal(outcomeOf(source)?.kind, "too-expensive", source);
  }
});

test("what costs less than the limit is told with its cost", () => {
  const outcome = outcomeOf("self.numbers.all(a, a >= 0)");
  assert.equal(outcome?.kind, "value");
  assert.ok((outcome?.cost ?? 0) > numbers.length && (outcome?.cost ?? 0) < costPerCallMax);
});

test("deeply nested sources are refused", () => {
  const deep = 5000;
  for (const source of [
    `${"(".repeat(deep)}1${")".repeat(deep)}`,
    `${"[".repeat(deep)}1${"]".repeat(deep)}`,
    `self${".a".repeat(deep)}`,
    `self${"[0]".repeat(deep)}`,
    `1${" + 1".repeat(deep)}`,
    `${"true ? 1 : ".repeat(deep)}2`,
  ]) {
    assert.match(compileExpression(source, { variables }).problem ?? "", /recursion limit exceeded/);
  }
});

test("many negations are one", () => {
  assert.equal(compileExpression(`${"!".repeat(50_001)}true`, { variables }).problem, undefined);
});

test("sources beyond the size limit are refused", () => {
  assert.match(compileExpression("1".repeat(100_001), { variables }).problem ?? "", /size exceeds limit/);
});

test("sources at the size limit compile, and tell at most a hundred problems", () => {
  const groups = (term: string) => Array.from({ length: 15 }, () => `(${Array(900).fill(term).join("&&")})`).join("||");
  assert.equal(compileExpression(groups("1==1"), { variables }).problem, undefined);
  const problem = compileExpression(groups("1==x"), { variables }).problem ?? "";
  assert.equal(problem.match(/ERROR: /g)?.length, 100);
});
