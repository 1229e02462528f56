/**
 * `node tools/meta-oracle/record.ts`: asks the oracle (the Go program beside this file) and writes the golden files that the
 * tests of core/meta compare with. Its cases are random, the same ones each time.
 */
import { writeFileSync } from "node:fs";
import { buildGoProgram, runProgram } from "../go-program.ts";

/** The folder of the golden files. */
export const META_GOLDENS: URL = new URL("../../packages/core/src/meta/testdata/", import.meta.url);

/** How many cases of each kind. */
const COUNTS = { quantities: 400, selectors: 200, durations: 120, "duration-texts": 120 };
const SEED = "20";

/** Kubernetes has no suffix beyond E and then prints the bare number, which is wrong; such amounts are left out. */
const BEYOND_SUFFIXES = /"(?:input|other|canonical|sum|difference|product|negated)":"[^"]*[0-9]{4,}(?:\.[0-9]*)?[PE]"/;

/** The texts of the golden files, by their names. */
export function recordMeta(): Readonly<Record<string, string>> {
  const oracle = buildGoProgram(import.meta.dirname);
  const files = Object.entries(COUNTS).map(([kind, count]) => [`${kind}.json`, record(oracle, kind, count)] as const);
  return Object.fromEntries(files);
}

function record(oracle: string, kind: string, count: number): string {
  const lines = runProgram(oracle, [kind, SEED, String(count)])
    .trimEnd()
    .split("\n");
  const kept = [...new Set(lines)].filter((line) => !BEYOND_SUFFIXES.test(line));
  return `[\n${kept.map((line) => `  ${line}`).join(",\n")}\n]\n`;
}

if (import.meta.main) {
  for (const [file, text] of Object.entries(recordMeta())) writeFileSync(new URL(file, META_GOLDENS), text);
}
