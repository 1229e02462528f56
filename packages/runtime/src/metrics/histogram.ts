/** Histograms: observations counted in buckets, and what Prometheus reads of them. registry.ts keeps them. */

/** Buckets for durations in seconds, as controller-runtime has them for reconciles. */
export const DURATION_BUCKETS: readonly number[] = [
  0.005, 0.01, 0.025, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4, 0.45, 0.5, 0.6, 0.7, 0.8, 0.9, 1, 1.25, 1.5, 1.75, 2,
  2.5, 3, 3.5, 4, 4.5, 5, 6, 7, 8, 9, 10, 15, 20, 25, 30, 40, 50, 60,
];

/** One printed line of a metric: what follows its name, its labels, its value. */
export type Sample = readonly [suffix: string, labels: string, value: number];

/** The observations of one set of labels. */
export interface Series {
  readonly counts: number[];
  sum: number;
  count: number;
}

/** Counts a value in the bucket that it falls into. */
export function observe(series: Series, buckets: readonly number[], value: number): void {
  const { length } = buckets;
  let bucket = 0;
  while (bucket < length && value > (buckets[bucket] ?? 0)) bucket += 1;
  if (bucket < length) series.counts[bucket] = (series.counts[bucket] ?? 0) + 1;
  series.sum += value;
  series.count += 1;
}

/** What is printed of all series. */
export function* histogramSamples(series: ReadonlyMap<string, Series>, buckets: readonly number[]): Iterable<Sample> {
  for (const [labels, { counts, sum, count }] of series) {
    const comma = labels === "" ? "" : ",";
    let below = 0;
    for (const [index, limit] of buckets.entries()) {
      below += counts[index] ?? 0;
      yield ["_bucket", `${labels}${comma}le="${limit}"`, below];
    }
    yield ["_bucket", `${labels}${comma}le="+Inf"`, count];
    yield ["_sum", labels, sum];
    yield ["_count", labels, count];
  }
}
