/** What the engine makes of objects, compared with what Kubernetes' own libraries made of them (tools/schema-oracle). */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import type { Json } from "../meta/json.ts";
import type { FieldError } from "../protocol/field-error.ts";
import type { StructuralSchema } from "../schema/structural.ts";
import { applyDefaults, dropNulls } from "./defaults.ts";
import { validateEmbedded } from "./embedded.ts";
import { validateListTypes } from "./list-types.ts";
import { prune } from "./prune.ts";
import { validate } from "./validate.ts";

interface GoldenCase {
  readonly name: string;
  readonly schema: StructuralSchema;
  readonly object: Json;
  readonly old?: Json;
  readonly expected: {
    readonly pruned?: readonly string[];
    readonly defaulted: Json;
    readonly errors: readonly { readonly type: string; readonly field: string; readonly message: string }[];
  };
}

const cases = JSON.parse(
  readFileSync(new URL("testdata/schema-cases.json", import.meta.url), "utf8"),
) as readonly GoldenCase[];

for (const golden of cases) {
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
    const errors = [
      ...validate(object, schema, old),
      ...validateEmbedded(object, schema),
      ...validateListTypes(object, schema, old),
    ];
    assert.deepEqual(sorted(errors), expected.errors);
  });
}

function sorted(errors: readonly FieldError[]): FieldError[] {
  return errors.toSorted((a, b) => compare(a.field, b.field) || compare(a.message, b.message));
}

function compare(left: string, right: string): number {
  return Buffer.compare(Buffer.from(left), Buffer.from(right));
}
