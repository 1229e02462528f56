/** A benchmark's result as a table for people. */
import type { BenchmarkResult, PromiseResult } from "./benchmark.ts";

/** The medians as a table, then each promise with what was measured. */
export function formatResult(result: BenchmarkResult): string {
  const title = `${result.name}: ${result.description} (medians of ${result.rounds}, measured in turns)`;
  return [title, "", ...alignColumns(table(result)), "", ...result.promises.map(formatPromise)].join("\n");
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

/** Three digits that mean something; small figures are not rounded away. */
function formatFigure(value: number): string {
  return Math.abs(value) >= 10 || value === 0 || !Number.isFinite(value) ? value.toFixed(1) : value.toPrecision(3);
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
