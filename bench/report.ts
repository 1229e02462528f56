/** A benchmark's result as a table for people. */
import type { BenchmarkResult, PromiseResult, Sample } from "./benchmark.ts";

/** The medians as a table, the same as ratios where there is a baseline, then each promise with what was measured. */
export function formatResult(result: BenchmarkResult): string {
  const title = `${result.name}: ${result.description} (medians of ${roundsOf(result)}, measured in turns)`;
  const parts = [alignColumns(table(result)), ratioTable(result), result.promises.map(formatPromise)];
  return [title, ...parts.flatMap((lines) => (lines.length === 0 ? [] : ["", ...lines]))].join("\n");
}

/** How many rounds there were; some variants, or some of their metrics, may have been in fewer. */
export function roundsOf({ variants, rounds }: BenchmarkResult): string {
  const measured = Math.max(...variants.map(({ samples }) => samples.length));
  const isUneven = variants.some(({ medians, samples }) =>
    Object.entries(medians).some(
      ([metric, value]) => Number.isFinite(value) && samples.some((sample) => !(metric in sample)),
    ),
  );
  return `${isUneven ? "up to " : ""}${Math.min(measured, rounds)}`;
}

/** The figures divided by those of the baseline. */
function ratioTable(result: BenchmarkResult): readonly string[] {
  const base = result.variants.find(({ name }) => name === result.baseline);
  if (base === undefined) return [];
  const variants = result.variants.map((variant) => ({ ...variant, medians: ratiosOf(variant.medians, base.medians) }));
  const units = Object.fromEntries(Object.keys(result.units).map((metric) => [metric, "ratio"]));
  return [`as ratios to ${base.name}:`, "", ...alignColumns(table({ ...result, units, variants }))];
}

/** Each figure divided by the other one of the same name. */
export function ratiosOf(medians: Sample, base: Sample): Sample {
  const ratio = (metric: string, value: number): number => value / (base[metric] ?? Number.NaN);
  return Object.fromEntries(Object.entries(medians).map(([metric, value]) => [metric, ratio(metric, value)]));
}

/** A row per variant, or a row per metric where there are more of those. */
function table({ units, variants }: BenchmarkResult): readonly (readonly string[])[] {
  const metrics = Object.entries(units);
  const rows = variants.map(({ name, medians }) => [
    name,
    ...metrics.map(([metric]) => formatFigure(medians[metric] ?? Number.NaN)),
  ]);
  const byVariant = [["", ...metrics.map(([metric, unit]) => `${metric} (${unit})`)], ...rows];
  return metrics.length > variants.length ? transpose(byVariant) : byVariant;
}

function transpose(rows: readonly (readonly string[])[]): readonly (readonly string[])[] {
  return (rows[0] ?? []).map((_, column) => rows.map((row) => row[column] ?? ""));
}

/** Three digits that mean something; small figures are not rounded away, and what could not be measured is a dash. */
export function formatFigure(value: number): string {
  if (!Number.isFinite(value)) return "–";
  return Math.abs(value) >= 10 || value === 0 ? value.toFixed(1) : value.toPrecision(3);
}

function formatPromise({ metric, ours, peer, value, below, atLeast, kept }: PromiseResult): string {
  const limits = [
    ...(below === undefined ? [] : [`below ${formatFigure(below)}`]),
    ...(atLeast === undefined ? [] : [`at least ${formatFigure(atLeast)}`]),
  ];
  const measured = peer === undefined ? formatFigure(value) : `${value.toPrecision(3)} of ${peer}`;
  return `${kept ? "kept  " : "BROKEN"} ${metric}: ${ours} is ${measured}, promised ${limits.join(" and ")}`;
}

/** First column to the left, figures to the right. */
function alignColumns(rows: readonly (readonly string[])[]): readonly string[] {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows.map((row) =>
    row
      .map((cell, column) => (column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0)))
      .join("  "),
  );
}
