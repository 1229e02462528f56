/**
 * What a benchmark is: named variants measured in turns in one run, and promises about their figures. run.ts runs them,
 * report.ts prints them. A machine is not equally fast all the time, and rounds may lie minutes apart: so what is compared is
 * measured one right after the other, now the one first and now the other, and a ratio is taken within each round.
 */

/** One thing that was measured, in its unit. */
export type Sample = Readonly<Record<string, number>>;

/** How much is measured: all of it for figures to show, or just enough to see where they lie. */
export type Extent = "full" | "quick";

/** One way of doing what a benchmark measures. */
export interface Variant {
  readonly name: string;
  /** Measures once, from a cold start; `round` counts from 0. A metric that is left out was not measured, or could not be. */
  measure(extent: Extent, round: number): Sample | Promise<Sample>;
}

/** A limit on a metric of ours: on its ratio to a peer's, or on the figure itself. */
export interface BenchmarkPromise {
  readonly metric: string;
  /** Name of our variant. */
  readonly ours: string;
  /** Name of the peer's variant. @default none: the limit is on our figure itself */
  readonly peer?: string;
  /** The median of our figures, or of their ratios to the peer's, stays below this. @default no such limit */
  readonly below?: number;
  /** The median of our figures, or of their ratios to the peer's, is at least this. @default no such limit */
  readonly atLeast?: number;
}

/** A benchmark, ready to run. */
export interface Benchmark {
  readonly name: string;
  readonly description: string;
  /** How often each variant is measured in a full run; a quick one measures once. */
  readonly rounds: number;
  /** The unit of each metric, in the order they are shown. */
  readonly units: Readonly<Record<string, string>>;
  /** In the order they are shown and measured, every other round backwards; those that a promise compares are neighbours. */
  readonly variants: readonly Variant[];
  readonly promises: readonly BenchmarkPromise[];
  /** Name of the variant whose figures are 1 in a second table, of ratios. @default no such table */
  readonly baseline?: string;
  /** Gets what the variants need, once, before the first round. */
  prepare(): void | Promise<void>;
}

/** Medians of one variant. */
export interface VariantResult {
  readonly name: string;
  readonly medians: Sample;
  /** What each round gave, by its number: a difference smaller than their spread is none. Fewer when the run was stopped. */
  readonly samples: readonly Sample[];
}

/** A promise with what was measured. */
export interface PromiseResult extends BenchmarkPromise {
  /** What the limit is on: the median of `rounds`, NaN when there are none. */
  readonly value: number;
  /** The ratios of the rounds in which both were measured, or without a peer our figures; oldest first. */
  readonly rounds: readonly number[];
  readonly kept: boolean;
}

/** What a run of one benchmark gave. */
export interface BenchmarkResult {
  readonly name: string;
  readonly description: string;
  readonly rounds: number;
  readonly units: Readonly<Record<string, string>>;
  readonly baseline?: string;
  readonly variants: readonly VariantResult[];
  readonly promises: readonly PromiseResult[];
}

/** Measures all variants in turns, `rounds` times. When `signal` aborts, what is under way is the last that is measured. */
export async function runBenchmark(
  benchmark: Benchmark,
  extent: Extent = "full",
  signal?: AbortSignal,
): Promise<BenchmarkResult> {
  const { name, description, units, baseline } = benchmark;
  const rounds = extent === "full" ? benchmark.rounds : 1;
  await benchmark.prepare();
  const samples = benchmark.variants.map((): Sample[] => []);
  for (let round = 0; round < rounds; round += 1) {
    for (const [index, variant] of inTurn(benchmark.variants, round)) {
      if (signal?.aborted !== true) samples[index]?.push(await variant.measure(extent, round));
    }
  }
  const metrics = Object.keys(units);
  const variants = benchmark.variants.map((variant, index) => ({
    name: variant.name,
    medians: Object.fromEntries(metrics.map((metric) => [metric, medianOf(samples[index] ?? [], metric)])),
    samples: samples[index] ?? [],
  }));
  return {
    name,
    description,
    rounds,
    units,
    ...(baseline === undefined ? {} : { baseline }),
    variants,
    promises: benchmark.promises.map((each) => judge(each, variants)),
  };
}

/** Forwards and backwards by turns: what drifts within a round favours nobody. */
function inTurn(variants: readonly Variant[], round: number): readonly (readonly [index: number, variant: Variant])[] {
  const forwards = [...variants.entries()];
  return round % 2 === 0 ? forwards : forwards.toReversed();
}

/** The median of the rounds that could be measured; NaN when none could. */
function medianOf(samples: readonly Sample[], metric: string): number {
  return median(figuresOf(samples, metric));
}

/** The figures of the rounds that have one. */
export function figuresOf(samples: readonly Sample[], metric: string): readonly number[] {
  return samples.map((sample) => figureOf(sample, metric)).filter(isMeasured);
}

/** The figures divided by those of the same round of another variant, of the rounds that have both. */
export function ratiosOf(samples: readonly Sample[], others: readonly Sample[], metric: string): readonly number[] {
  return samples.map((sample, round) => figureOf(sample, metric) / figureOf(others[round], metric)).filter(isMeasured);
}

function figureOf(sample: Sample | undefined, metric: string): number {
  return sample?.[metric] ?? Number.NaN;
}

function isMeasured(figure: number): boolean {
  return !Number.isNaN(figure);
}

/** The middle value; the mean of the two middle ones of an even number. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((left, right) => left - right);
  const middle = sorted.length / 2;
  const upper = sorted[Math.floor(middle)] ?? Number.NaN;
  return Number.isInteger(middle) ? (upper + (sorted[middle - 1] ?? Number.NaN)) / 2 : upper;
}

function judge(promise: BenchmarkPromise, variants: readonly VariantResult[]): PromiseResult {
  const samplesOf = (name: string): readonly Sample[] => variants.find((each) => each.name === name)?.samples ?? [];
  const { metric, ours, peer, below = Number.POSITIVE_INFINITY, atLeast = Number.NEGATIVE_INFINITY } = promise;
  const rounds =
    peer === undefined ? figuresOf(samplesOf(ours), metric) : ratiosOf(samplesOf(ours), samplesOf(peer), metric);
  const value = median(rounds);
  return { ...promise, value, rounds, kept: value < below && value >= atLeast };
}
