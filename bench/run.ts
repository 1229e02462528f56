/**
 * `npm run bench [-- name…] [-o json]`: runs the benchmarks, each beside its peers in one run, and fails when a promise is
 * broken. A benchmark is a folder here and a line below.
 */
import { parseArgs } from "node:util";
import { type Benchmark, runBenchmark } from "./benchmark.ts";
import { importBenchmark } from "./import/import.ts";
import { formatResult } from "./report.ts";

const BENCHMARKS: readonly Benchmark[] = [importBenchmark];

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { output: { type: "string", short: "o", default: "table" } },
});
const unknown = positionals.filter((name) => !BENCHMARKS.some((benchmark) => benchmark.name === name));
if (unknown.length > 0 || !["table", "json"].includes(values.output)) {
  console.error(
    `usage: npm run bench [-- name…] [-o table|json]; benchmarks: ${BENCHMARKS.map(({ name }) => name).join(", ")}`,
  );
  process.exit(2);
}
const chosen = BENCHMARKS.filter(({ name }) => positionals.length === 0 || positionals.includes(name));
const results = chosen.map(runBenchmark);
console.log(values.output === "json" ? JSON.stringify(results, undefined, 2) : results.map(formatResult).join("\n\n"));
process.exitCode = results.every(({ promises }) => promises.every(({ kept }) => kept)) ? 0 : 1;
