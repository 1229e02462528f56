/**
 * What a benchmark is: named variants measured in turns in one run, so that a slow moment of the machine hits all of
 * them, and promises about their ratios. run.ts runs them, report.ts prints them.
 */

/** One thing that was measured, in its unit. */
export type Sample = Readonly<Record<string, number>>;

/** One way of doing what a benchmark measures. */
export interface Variant {
  readonly name: string;
  /** Measures once, from a cold start. */
  measure(): Sample;
}

/** A limit on how a metric of ours compares with a peer's. */
export interface BenchmarkPromise {
  readonly metric: string;
  /** Name of our variant. */
  readonly ours: string;
  /** Name of the peer's variant. */
  readonly peer: string;
  /** Our median divided by the peer's stays below this. */
  readonly ratioMax: number;
}

/** A benchmark, ready to run. */
export interface Benchmark {
  readonly name: string;
  readonly description: string;
  /** How often each variant is measured. */
  readonly rounds: number;
  /** The unit of each metric, in the order of the table's columns. */
  readonly units: Readonly<Record<string, string>>;
  readonly variants: readonly Variant[];
  readonly promises: readonly BenchmarkPromise[];
  /** Gets what the variants need, once, before the first round. */
  prepare(): void;
}

/** Medians of one variant. */
export interface VariantResult {
  readonly name: string;
  readonly medians: Sample;
}

/** A promise with what was measured. */
export interface PromiseResult extends BenchmarkPromise {
  readonly ratio: number;
  readonly kept: boolean;
}

/** What a run of one benchmark gave. */
export interface BenchmarkResult {
  readonly name: string;
  readonly description: string;
  readonly rounds: number;
  readonly units: Readonly<Record<string, string>>;
  readonly variants: readonly VariantResult[];
  readonly promises: readonly PromiseResult[];
}

/** Measures all variants in turns, `rounds` times. */
export function runBenchmark(benchmark: Benchmark): BenchmarkResult {
  const { name, description, rounds, units } = benchmark;
  benchmark.prepare();
  const samples = benchmark.variants.map((): Sample[] => []);
  for (let round = 0; round < rounds; round += 1) {
    for (const [index, variant] of benchmark.variants.entries()) samples[index]?.push(variant.measure());
  }
  const metrics = Object.keys(units);
  const variants = benchmark.variants.map((variant, index) => ({
    name: variant.name,
    medians: Object.fromEntries(
      metrics.map((metric) => [metric, median((samples[index] ?? []).map((each) => each[metric] ?? Number.NaN))]),
    ),
  }));
  return {
    name,
    description,
    rounds,
    units,
    variants,
    promises: benchmark.promises.map((each) => judge(each, variants)),
  };
}

/** The middle value; the mean of the two middle ones of an even number. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((left, right) => left - right);
  const middle = sorted.length / 2;
  const upper = sorted[Math.floor(middle)] ?? Number.NaN;
  return Number.isInteger(middle) ? (upper + (sorted[middle - 1] ?? Number.NaN)) / 2 : upper;
}

function judge(promise: BenchmarkPromise, variants: readonly VariantResult[]): PromiseResult {
  const medianOf = (name: string): number =>
    variants.find((variant) => variant.name === name)?.medians[promise.metric] ?? Number.NaN;
  const ratio = medianOf(promise.ours) / medianOf(promise.peer);
  return { ...promise, ratio, kept: ratio < promise.ratioMax };
}
