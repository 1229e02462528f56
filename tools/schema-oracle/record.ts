/**
 * `node tools/schema-oracle/record.ts`: asks the oracle (the Go program beside this file) about every case of the corpora
 * and writes the golden files that the tests of core/engine compare with.
 */
import { writeFileSync } from "node:fs";
import type { SchemaCase } from "./case.ts";
import { schemaCases } from "./corpus.ts";
import { celExpressions, celObject, celSchema } from "./corpus-cel.ts";
import { costExpressions, costSchema } from "./corpus-costs.ts";
import { ruleCases } from "./corpus-rules.ts";
import { ask } from "./oracle.ts";

/** The folder of the golden files. */
export const SCHEMA_GOLDENS: URL = new URL("../../packages/core/src/engine/testdata/", import.meta.url);

/** The texts of the golden files, by their names. */
export function recordSchemas(): Readonly<Record<string, string>> {
  return {
    "schema-cases.json": recordObjects(schemaCases),
    "rule-cases.json": recordObjects(ruleCases),
    "cel-cases.json": recordExpressions(),
    "cost-cases.json": recordCosts(),
  };
}

function recordObjects(cases: readonly SchemaCase[]): string {
  const answers = ask(cases);
  const lines = cases.map((question, index) => `  ${JSON.stringify({ ...question, expected: answers[index] })}`);
  return `[\n${lines.join(",\n")}\n]\n`;
}

/** What expressions over values of limited size can cost. */
function recordCosts(): string {
  const answers = ask(costExpressions.map((expr) => ({ schema: costSchema, expr })));
  const lines = costExpressions.map((expr, index) => {
    const { estimate, compileErrors } = answers[index] as { readonly estimate?: number; compileErrors?: string[] };
    if (compileErrors !== undefined) throw new Error(`${expr}: ${compileErrors.join()}`);
    return `    ${JSON.stringify({ expr, estimate: estimate ?? 0 })}`;
  });
  const head = `  "schema": ${JSON.stringify(costSchema)}`;
  return `{\n${head},\n  "cases": [\n${lines.join(",\n")}\n  ]\n}\n`;
}

function recordExpressions(): string {
  const answers = ask(celExpressions.map((expr) => ({ schema: celSchema, object: celObject, expr })));
  const lines = celExpressions.map((expr, index) => {
    const { errors: _, ...expected } = answers[index] as Record<string, unknown>;
    return `    ${JSON.stringify({ expr, expected })}`;
  });
  const head = `  "schema": ${JSON.stringify(celSchema)},\n  "object": ${JSON.stringify(celObject)}`;
  return `{\n${head},\n  "cases": [\n${lines.join(",\n")}\n  ]\n}\n`;
}

if (import.meta.main) {
  for (const [file, text] of Object.entries(recordSchemas())) writeFileSync(new URL(file, SCHEMA_GOLDENS), text);
}
