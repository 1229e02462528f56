/** A benchmark's result as a table for people. */
import type { BenchmarkResult } from "./benchmark.ts";

/** The medians as a table, then each promise with its ratio. */
export function formatResult(result: BenchmarkResult): string {
  const metrics = Object.entries(result.units);
  const header = ["", ...metrics.map(([metric, unit]) => `${metric} (${unit})`)];
  const rows = result.variants.map(({ name, medians }) => [
    name,
    ...metrics.map(([metric]) => (medians[metric] ?? Number.NaN).toFixed(1)),
  ]);
  const promises = result.promises.map(
    ({ metric, ours, peer, ratio, ratioMax, kept }) =>
      `${kept ? "kept  " : "BROKEN"} ${metric}: ${ours} is ${ratio.toFixed(2)} of ${peer}, promised below ${ratioMax.toFixed(2)}`,
  );
  const title = `${result.name}: ${result.description} (medians of ${result.rounds}, measured in turns)`;
  return [title, "", ...alignColumns([header, ...rows]), "", ...promises].join("\n");
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
