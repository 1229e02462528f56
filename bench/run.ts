/**
 * `npm run bench [-- name…] [--quick] [--limits] [-o json]`: runs the benchmarks, each beside its peers in one run, prints
 * their tables and writes bench/results/<name>.json. With --limits it fails when a promise is broken. A benchmark is a
 * folder here and a line below. The other options are those of "peers" (peers/peers.ts); --write puts its figures into the README.
 * Told to stop (SIGINT, SIGTERM), it ends what it is measuring and reports what it has.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { cpus } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { apiserverBenchmark } from "./apiserver/apiserver.ts";
import { type Benchmark, type BenchmarkResult, runBenchmark } from "./benchmark.ts";
import { clusterBenchmark } from "./cluster/cluster.ts";
import { importBenchmark } from "./import/import.ts";
import { latencyBenchmark } from "./latency/latency.ts";
import { peersBenchmark } from "./peers/peers.ts";
import { publish } from "./peers/report/publish.ts";
import { formatResult } from "./report.ts";

const RESULTS = join(import.meta.dirname, "results");

const USAGE = "usage: npm run bench [-- name… --quick --limits -o table|json]; more in docs/performance.md";

const OPTIONS = {
  allowPositionals: true,
  options: {
    output: { type: "string", short: "o", default: "table" },
    quick: { type: "boolean", default: false },
    limits: { type: "boolean", default: false },
    only: { type: "string" },
    rounds: { type: "string" },
    scenarios: { type: "string" },
    settings: { type: "string" },
    n: { type: "string" },
    big: { type: "string" },
    brief: { type: "boolean", default: false },
    write: { type: "boolean", default: false },
    help: { type: "boolean", short: "h", default: false },
  },
} as const;
const { values, positionals } = orUsage(() => parseArgs(OPTIONS));
if (values.help) {
  console.log(USAGE);
  process.exit(0);
}
const BENCHMARKS: readonly Benchmark[] = [
  apiserverBenchmark,
  clusterBenchmark,
  importBenchmark,
  latencyBenchmark,
  peersBenchmark({
    quick: values.quick,
    brief: values.brief,
    names: toList(values.only),
    rounds: toNumber(values.rounds),
    scenarios: toList(values.scenarios),
    settings: toList(values.settings),
    count: toNumber(values.n),
    countBig: toNumber(values.big),
  }),
];
const unknown = positionals.filter((name) => !BENCHMARKS.some((benchmark) => benchmark.name === name));
if (unknown.length > 0)
  fail(`no benchmark ${unknown.join(", ")}: there are ${BENCHMARKS.map(({ name }) => name).join(", ")}`);
if (!["table", "json"].includes(values.output)) fail(`no output ${values.output}: there are table and json`);
const chosen = BENCHMARKS.filter(({ name }) => positionals.length === 0 || positionals.includes(name));
const results: BenchmarkResult[] = [];
const stop = new AbortController();
for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => stop.abort());
for (const benchmark of chosen) {
  if (stop.signal.aborted) break;
  const result = await runBenchmark(benchmark, values.quick ? "quick" : "full", stop.signal);
  writeResult(result);
  if (values.write && result.name === "peers") publish(result, process.argv.slice(2));
  if (values.output === "table") console.log(`${formatResult(result)}\n`);
  results.push(result);
}
if (values.output === "json") console.log(JSON.stringify(results, undefined, 2));
const areKept = results.every(({ promises }) => promises.every(({ kept }) => kept));
process.exitCode = values.limits && !areKept ? 1 : 0;

/** The figures with what they were measured on. */
function writeResult(result: BenchmarkResult): void {
  const processors = cpus();
  const machine = { processor: processors[0]?.model, processors: processors.length, node: process.version };
  const conditions = { extent: values.quick ? "quick" : "full", machine };
  mkdirSync(RESULTS, { recursive: true });
  writeFileSync(
    join(RESULTS, `${result.name}.json`),
    `${JSON.stringify({ ...result, ...conditions }, undefined, 2)}\n`,
  );
}

function toList(text: string | undefined): readonly string[] {
  return text?.split(",").filter((item) => item !== "") ?? [];
}

function toNumber(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const value = Number(text);
  if (Number.isInteger(value) && value > 0) return value;
  console.error(`${text} is no positive number`);
  process.exit(2);
}

/** Flags that nobody knows are a wrong command line, not an accident. */
function orUsage<Result>(parse: () => Result): Result {
  try {
    return parse();
  } catch (error) {
    return fail(error instanceof Error ? error.message : String(error));
  }
}

function fail(reason: string): never {
  console.error(`${reason}\n${USAGE}`);
  process.exit(2);
}
