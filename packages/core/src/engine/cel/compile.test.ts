import assert from "node:assert/strict";
import { test } from "node:test";
import { parseType } from "./cel-type.ts";
import { compileExpression } from "./compile.ts";
import { standardFunctions } from "./environment.ts";
import { declare, functionTable } from "./overloads.ts";
import { dynamicValue } from "./schema-values.ts";
import type { Value } from "./values.ts";

test("an admission policy sees objects, the request and functions of its own", () => {
  const dyn = parseType("dyn");
  const variables = new Map(["object", "oldObject", "request", "params"].map((name) => [name, dyn] as const));
  variables.set("authorizer", parseType("kubernetes.authorization.Authorizer"));
  const allows = declare("kubernetes.authorization.Authorizer->allows(string) bool", ([, verb]) => verb === "get");
  const functions = new Map([...standardFunctions, ...functionTable([allows])]);
  const source = "object.spec.replicas <= params.max && request.operation == 'CREATE' && authorizer.allows('get')";
  const { program, problem } = compileExpression(source, { variables, functions });
  assert.equal(problem, undefined);
  const authorizer: Value = {
    kind: "opaque",
    type: parseType("kubernetes.authorization.Authorizer"),
    data: null,
    text: "",
    equals: () => true,
  };
  const values = new Map<string, Value>([
    ["object", dynamicValue({ spec: { replicas: 3 } })],
    ["params", dynamicValue({ max: 5 })],
    ["request", dynamicValue({ operation: "CREATE" })],
    ["authorizer", authorizer],
  ]);
  const outcome = program?.evaluate((name) => values.get(name));
  assert.deepEqual(outcome?.kind === "value" ? outcome.value : outcome, true);
  assert.deepEqual([...(program?.references ?? [])].sort(), ["authorizer", "object", "params", "request"]);
});

test("a name without a value at run time is an error of that evaluation", () => {
  const { program } = compileExpression("x == 1", { variables: new Map([["x", parseType("int")]]) });
  const outcome = program?.evaluate(() => undefined);
  assert.deepEqual(outcome, { kind: "error", message: "no such attribute(s): x", cost: 1 });
});

test("keys of objects are data, whatever their names", () => {
  const variables = new Map([["self", parseType("dyn")]]);
  const self = dynamicValue(JSON.parse('{"__proto__": 1, "constructor": {"a": 2}}'));
  const evaluate = (source: string) => compileExpression(source, { variables }).program?.evaluate(() => self);
  assert.deepEqual(evaluate("self['__proto__'] + self.constructor.a"), { kind: "value", value: 3n, cost: 6 });
  assert.deepEqual(evaluate("has(self.toString)")?.kind === "value" && evaluate("has(self.toString)"), {
    kind: "value",
    value: false,
    cost: 1,
  });
});
