/** What expressions can cost at most, compared with cel-go's estimate in Kubernetes' environment (tools/schema-oracle). */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import type { StructuralSchema } from "../../../schema/structural.ts";
import { dynType } from "../cel-type.ts";
import { compileExpression } from "../compile.ts";
import { schemaType } from "../schema-types.ts";
import { schemaSizes } from "./schema-sizes.ts";

const { schema, cases } = JSON.parse(
  readFileSync(new URL("../../testdata/cost-cases.json", import.meta.url), "utf8"),
) as {
  readonly schema: StructuralSchema;
  readonly cases: readonly { readonly expr: string; readonly estimate: number }[];
};

const sizes = schemaSizes(schema, false);
const variables = new Map([["self", schemaType(schema, "selfType", false) ?? dynType]]);

for (const { expr, estimate } of cases) {
  test(`cel-go estimates the same cost of: ${expr}`, () => {
    const { program, problem } = compileExpression(expr, { variables, ...(sizes && { sizes }) });
    // Beyond 2^53 the two round differently.
    const costMax = program?.costMax ?? Number.NaN;
    assert.ok(Math.abs(costMax - estimate) <= estimate * Number.EPSILON * 2, `${costMax}, not ${estimate} ${problem}`);
  });
}
