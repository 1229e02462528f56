/** A benchmark's result as a table for people. */
import { type BenchmarkResult, figuresOf, median, type PromiseResult, ratiosOf } from "./benchmark.ts";

/** The medians as a table, the same as ratios where there is a baseline, then each promise with what was measured. */
export function formatResult(result: BenchmarkResult): string {
  const title = `${result.name}: ${result.description} (medians of ${roundsOf(result)}, measured in turns)`;
  const parts = [alignColumns(table(result)), ratioTable(result), result.promises.map(formatPromise)];
  return [title, ...parts.flatMap((lines) => (lines.length === 0 ? [] : ["", ...lines]))].join("\n");
}

/** How many rounds there were; some variants, or some of their metrics, may have been in fewer. */
export function roundsOf({ units, variants, rounds }: BenchmarkResult): string {
  const measured = Math.max(...variants.map(({ samples }) => samples.length));
  const counts = variants.flatMap(({ samples }) =>
    Object.keys(units).map((metric) => figuresOf(samples, metric).length),
  );
  const isUneven = counts.some((count) => count > 0 && count < measured);
  return `${isUneven ? "up to " : ""}${Math.min(measured, rounds)}`;
}

/** The figures divided by those of the baseline, round by round as promises are judged. */
function ratioTable(result: BenchmarkResult): readonly string[] {
  const base = result.variants.find(({ name }) => name === result.baseline);
  if (base === undefined) return [];
  const metrics = Object.keys(result.units);
  const variants = result.variants.map((variant) => ({
    ...variant,
    medians: Object.fromEntries(
      metrics.map((metric) => [metric, median(ratiosOf(variant.samples, base.samples, metric))]),
    ),
  }));
  const units = Object.fromEntries(metrics.map((metric) => [metric, "ratio"]));
  return [`as ratios to ${base.name} in the same round:`, "", ...alignColumns(table({ ...result, units, variants }))];
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

function formatPromise({ metric, ours, peer, value, rounds, below, atLeast, kept }: PromiseResult): string {
  const limits = [
    ...(below === undefined ? [] : [`below ${formatFigure(below)}`]),
    ...(atLeast === undefined ? [] : [`at least ${formatFigure(atLeast)}`]),
  ];
  const format = peer === undefined ? formatFigure : formatRatio;
  const measured = `${format(value)}${formatSpread(rounds, format)}${peer === undefined ? "" : ` of ${peer}`}`;
  return `${kept ? "kept  " : "BROKEN"} ${metric}: ${ours} is ${measured}, promised ${limits.join(" and ")}`;
}

function formatRatio(value: number): string {
  return value.toPrecision(3);
}

/** Between which figures the rounds lie, where there is more than one. */
function formatSpread(rounds: readonly number[], format: (figure: number) => string): string {
  if (rounds.length < 2) return "";
  return ` (${format(Math.min(...rounds))}–${format(Math.max(...rounds))} in ${rounds.length} rounds)`;
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
