/**
 * Metrics: counters, gauges and histograms with labels, printed in Prometheus' text format. Everything hangs on a registry, which a
 * manager owns: nothing is global to the process.
 */
import { DURATION_BUCKETS, histogramSamples, observe, type Sample, type Series } from "./histogram.ts";

/** Label values, in the order of the metric's label names. */
export type LabelValues = readonly string[];

/** What every metric has. */
export interface MetricOptions {
  readonly name: string;
  readonly help: string;
  /** @default [] */
  readonly labels?: readonly string[];
}

/** A number that only grows. */
export interface Counter {
  add(labels: LabelValues, amount?: number): void;
  /** Adds one to the values of these labels, again and again: what is counted often need not spell them each time. */
  counting(labels: LabelValues): () => void;
}

/** A number that goes up and down. */
export interface Gauge {
  set(labels: LabelValues, value: number): void;
}

/** Observations in buckets. */
export interface Histogram {
  observe(labels: LabelValues, value: number): void;
  /** Observes values of these labels, again and again. */
  observing(labels: LabelValues): (value: number) => void;
}

/** The values of a metric, now. */
export type ReadValues = () => Iterable<readonly [labels: LabelValues, value: number]>;

interface Metric extends MetricOptions {
  readonly type: "counter" | "gauge" | "histogram";
  samples(): Iterable<Sample>;
}

/** The metrics of one manager. */
export class MetricsRegistry {
  readonly #metrics = new Map<string, Metric>();

  /** A counter. */
  counter(options: MetricOptions): Counter {
    const values = this.#values("counter", options);
    const textOf = labelTexts(options);
    return {
      add: (labels, amount = 1) => {
        const key = textOf(labels);
        values.set(key, (values.get(key) ?? 0) + amount);
      },
      counting: (labels) => {
        const key = textOf(labels);
        return () => values.set(key, (values.get(key) ?? 0) + 1);
      },
    };
  }

  /** A gauge that is set. */
  gauge(options: MetricOptions): Gauge {
    const values = this.#values("gauge", options);
    const textOf = labelTexts(options);
    return { set: (labels, value) => values.set(textOf(labels), value) };
  }

  /** A gauge that is asked for its values when metrics are read. */
  observedGauge(options: MetricOptions, read: ReadValues): void {
    this.#observe("gauge", options, read);
  }

  /** A counter that is kept elsewhere, and asked for its values when metrics are read. */
  observedCounter(options: MetricOptions, read: ReadValues): void {
    this.#observe("counter", options, read);
  }

  #observe(type: "counter" | "gauge", options: MetricOptions, read: ReadValues): void {
    const textOf = labelTexts(options);
    this.#add({
      ...options,
      type,
      *samples() {
        for (const [labels, value] of read()) yield ["", textOf(labels), value];
      },
    });
  }

  /** A histogram. */
  histogram(options: MetricOptions & { readonly buckets?: readonly number[] }): Histogram {
    const { buckets = DURATION_BUCKETS } = options;
    const textOf = labelTexts(options);
    const series = new Map<string, Series>();
    this.#add({ ...options, type: "histogram", samples: () => histogramSamples(series, buckets) });
    const seriesOf = (labels: LabelValues): Series => {
      const key = textOf(labels);
      const known = series.get(key) ?? { counts: buckets.map(() => 0), sum: 0, count: 0 };
      series.set(key, known);
      return known;
    };
    return {
      observe: (labels, value) => observe(seriesOf(labels), buckets, value),
      observing: (labels) => {
        let known: Series | undefined; // Nothing is printed of what was never observed.
        return (value) => {
          known ??= seriesOf(labels);
          observe(known, buckets, value);
        };
      },
    };
  }

  /** All metrics in Prometheus' text format. */
  print(): string {
    const lines: string[] = [];
    for (const metric of [...this.#metrics.values()].sort((a, b) => (a.name < b.name ? -1 : 1))) {
      lines.push(`# HELP ${metric.name} ${metric.help}`, `# TYPE ${metric.name} ${metric.type}`);
      for (const [suffix, labels, value] of metric.samples()) {
        lines.push(`${metric.name}${suffix}${labels === "" ? "" : `{${labels}}`} ${formatNumber(value)}`);
      }
    }
    return `${lines.join("\n")}\n`;
  }

  #values(type: "counter" | "gauge", options: MetricOptions): Map<string, number> {
    const values = new Map<string, number>();
    this.#add({
      ...options,
      type,
      *samples() {
        for (const [labels, value] of values) yield ["", labels, value];
      },
    });
    return values;
  }

  #add(metric: Metric): void {
    if (this.#metrics.has(metric.name)) throw new TypeError(`metric ${metric.name} is registered twice`);
    this.#metrics.set(metric.name, metric);
  }
}

/** The printed labels for values. They are few and come again and again, so each text is made once. */
function labelTexts({ name, labels = [] }: MetricOptions): (values: LabelValues) => string {
  const texts = new Map<string, string>();
  return (values) => {
    const key = values.join("\n");
    const known = texts.get(key);
    if (known !== undefined) return known;
    if (labels.length !== values.length) throw new TypeError(`metric ${name} has labels ${labels.join(", ")}`);
    const text = labels.map((label, index) => `${label}="${escapeLabel(values[index] ?? "")}"`).join(",");
    texts.set(key, text);
    return text;
  };
}

function escapeLabel(value: string): string {
  return value.replace(/\\/g, "\\\\").replace(/\n/g, "\\n").replace(/"/g, '\\"');
}

function formatNumber(value: number): string {
  if (value === Number.POSITIVE_INFINITY) return "+Inf";
  return value === Number.NEGATIVE_INFINITY ? "-Inf" : String(value);
}
