/** What the engine makes of objects, compared with what Kubernetes' own libraries made of them (tools/schema-oracle). */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import type { Json } from "../meta/json.ts";
import type { FieldError } from "../protocol/field-error.ts";
import type { StructuralSchema } from "../schema/structural.ts";
import { applyDefaults, dropNulls } from "./defaults.ts";
import { prune } from "./prune.ts";
import { validateObject } from "./validate-object.ts";

interface GoldenCase {
  readonly name: string;
  readonly schema: StructuralSchema;
  readonly object: Json;
  readonly old?: Json;
  readonly expected: {
    readonly pruned?: readonly string[];
    readonly defaulted: Json;
    readonly warnings?: readonly string[];
    readonly errors: readonly { readonly type: string; readonly field: string; readonly message: string }[];
  };
}

function readCases(file: string): readonly GoldenCase[] {
  return JSON.parse(readFileSync(new URL(`testdata/${file}`, import.meta.url), "utf8")) as readonly GoldenCase[];
}

for (const golden of [...readCases("schema-cases.json"), ...readCases("rule-cases.json")]) {
  test(`Kubernetes agrees on: ${golden.name}`, () => {
    const { schema, expected } = golden;
    const pruned = prune(golden.object, schema);
    const object = applyDefaults(dropNulls(pruned.value, schema), schema);
    assert.deepEqual(pruned.unknownFields, expected.pruned ?? []);
    assert.deepEqual(object, expected.defaulted);
    const old =
      golden.old === undefined
        ? {}
        : { old: applyDefaults(dropNulls(prune(golden.old, schema).value, schema), schema) };
    const { errors, warnings } = validateObject(object, schema, old);
    assert.deepEqual(sorted(errors), expected.errors);
    assert.deepEqual(warnings.toSorted(compare), expected.warnings ?? []);
  });
}

function sorted(errors: readonly FieldError[]): FieldError[] {
  return errors.toSorted((a, b) => compare(a.field, b.field) || compare(a.message, b.message));
}

function compare(left: string, right: string): number {
  return Buffer.compare(Buffer.from(left), Buffer.from(right));
}
