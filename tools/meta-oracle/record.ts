/**
 * `node tools/meta-oracle/record.ts ORACLE`: writes the golden files that the tests of core/meta compare with. ORACLE is
 * the program built from main.go beside this file with `go build`.
 */
import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";

const [oracle] = process.argv.slice(2);
if (oracle === undefined) throw new Error("name the oracle's program: node tools/meta-oracle/record.ts ORACLE");

const testdata = new URL("../../packages/core/src/meta/testdata/", import.meta.url);

/** Kubernetes has no suffix beyond E and then prints the bare number, which is wrong; such amounts are left out. */
const BEYOND_SUFFIXES = /"(?:input|other|canonical|sum|difference|product|negated)":"[^"]*[0-9]{4,}(?:\.[0-9]*)?[PE]"/;

function record(kind: string, count: number): void {
  const { stdout, stderr, status } = spawnSync(oracle ?? "", [kind, "20", String(count)], { encoding: "utf8" });
  if (status !== 0) throw new Error(stderr);
  const lines = stdout.trimEnd().split("\n");
  const kept = [...new Set(lines)].filter((line) => !BEYOND_SUFFIXES.test(line));
  writeFileSync(new URL(`${kind}.json`, testdata), `[\n${kept.map((line) => `  ${line}`).join(",\n")}\n]\n`);
  console.log(`${kind}: ${kept.length} cases`);
}

record("quantities", 400);
record("selectors", 200);
record("durations", 120);
record("duration-texts", 120);
