import assert from "node:assert/strict";
import { test } from "node:test";
import type { Json } from "../meta/json.ts";
import { applyDefaults, dropNulls } from "./defaults.ts";
import { validateListTypes } from "./list-types.ts";
import { prune } from "./prune.ts";
import { validate } from "./validate.ts";

test("an object with two hundred thousand errors is told all of them", () => {
  const errors = validate(Array(200_000).fill(1), { type: "array", items: { type: "string" } });
  assert.equal(errors.length, 200_000);
  assert.equal(errors.at(-1)?.field, "[199999]");
});

test("integers beyond 2^53 are compared exactly", () => {
  const schema = { type: "integer", maximum: 9007199254740993n } as const;
  assert.deepEqual(validate(9007199254740993n, schema), []);
  assert.equal(
    validate(9007199254740994n, schema)[0]?.message,
    "Invalid value: 9007199254740994:  in body should be less than or equal to 9007199254740993",
  );
});

test("what needs no change is returned as it is", () => {
  const schema = { type: "object", properties: { a: { type: "array", items: { type: "object" } } } } as const;
  const object = { a: [{}, {}] };
  assert.equal(prune(object, schema).value, object);
  assert.equal(dropNulls(object, schema), object);
  assert.equal(applyDefaults(object, schema), object);
});

test("inputs are never changed", () => {
  const schema = {
    type: "object",
    properties: {
      a: {
        type: "object",
        default: { b: 1 },
        properties: { b: { type: "integer" }, c: { type: "integer", default: 2 } },
      },
    },
  } as const;
  const object = Object.freeze({ x: 1 });
  assert.deepEqual(applyDefaults(prune(object, schema).value, schema), { a: { b: 1, c: 2 } });
  assert.deepEqual(schema.properties.a.default, { b: 1 });
});

test("deeply nested values do not exhaust the stack", () => {
  const deep = JSON.parse(`${"[".repeat(100_000)}${"]".repeat(100_000)}`);
  const schema = { type: "object", properties: { a: { "x-kubernetes-preserve-unknown-fields": true } } } as const;
  assert.deepEqual(validate({ a: deep }, schema, { old: { a: deep } }), []);
  assert.deepEqual(prune({ a: deep }, schema).unknownFields, []);
});

test("values nested as deep as JSON may be are pruned, compared and printed", () => {
  const nested = (): Json => JSON.parse(`${"[".repeat(10_000)}${"]".repeat(10_000)}`);
  const anything = { "x-kubernetes-preserve-unknown-fields": true } as const;
  const set = { type: "array", "x-kubernetes-list-type": "set", items: anything } as const;
  assert.deepEqual(prune({ a: nested() }, { type: "object", additionalProperties: true }).unknownFields, []);
  assert.equal(validateListTypes([nested(), nested()], set).length, 1);
  assert.equal(validate(nested(), { ...anything, enum: [1] }).length, 1);
});
