/**
 * `node tools/schema-oracle/record.ts ORACLE`: asks the oracle (built from main.go beside this file with `go build`)
 * about every case of the corpora and writes the golden files that the tests of core/engine compare with.
 */
import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { schemaCases } from "./corpus.ts";

const [oracle] = process.argv.slice(2);
if (oracle === undefined) throw new Error("name the oracle's program: node tools/schema-oracle/record.ts ORACLE");

const testdata = new URL("../../packages/core/src/engine/testdata/", import.meta.url);

function record(file: string, cases: readonly object[]): void {
  const input = cases.map((question) => JSON.stringify(question)).join("\n");
  const { stdout, stderr, status } = spawnSync(oracle ?? "", { input, maxBuffer: 1 << 28, encoding: "utf8" });
  if (status !== 0) throw new Error(stderr);
  const answers = stdout.trimEnd().split("\n");
  const lines = cases.map((question, index) => {
    const { name, ...rest } = question as { name?: string };
    return `  ${JSON.stringify({ name, ...rest, expected: JSON.parse(answers[index] ?? "null") })}`;
  });
  writeFileSync(new URL(file, testdata), `[\n${lines.join(",\n")}\n]\n`);
  console.log(`${file}: ${cases.length} cases`);
}

record("schema-cases.json", schemaCases);
