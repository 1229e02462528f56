/**
 * `node tools/schema-oracle/record.ts`: asks the oracle (the Go program beside this file) about every case of the corpora
 * and writes the golden files that the tests of core/engine compare with.
 */
import { writeFileSync } from "node:fs";
import type { SchemaCase } from "./case.ts";
import { schemaCases } from "./corpus.ts";
import { celExpressions, celObject, celSchema } from "./corpus-cel.ts";
import { ruleCases } from "./corpus-rules.ts";
import { ask } from "./oracle.ts";

const testdata = new URL("../../packages/core/src/engine/testdata/", import.meta.url);

function write(file: string, text: string, count: number): void {
  writeFileSync(new URL(file, testdata), text);
  console.log(`${file}: ${count} cases`);
}

function recordObjects(file: string, cases: readonly SchemaCase[]): void {
  const answers = ask(cases);
  const lines = cases.map((question, index) => `  ${JSON.stringify({ ...question, expected: answers[index] })}`);
  write(file, `[\n${lines.join(",\n")}\n]\n`, cases.length);
}

function recordExpressions(file: string): void {
  const answers = ask(celExpressions.map((expr) => ({ schema: celSchema, object: celObject, expr })));
  const lines = celExpressions.map((expr, index) => {
    const { errors: _, ...expected } = answers[index] as Record<string, unknown>;
    return `    ${JSON.stringify({ expr, expected })}`;
  });
  const head = `  "schema": ${JSON.stringify(celSchema)},\n  "object": ${JSON.stringify(celObject)}`;
  write(file, `{\n${head},\n  "cases": [\n${lines.join(",\n")}\n  ]\n}\n`, celExpressions.length);
}

recordObjects("schema-cases.json", schemaCases);
recordObjects("rule-cases.json", ruleCases);
recordExpressions("cel-cases.json");
