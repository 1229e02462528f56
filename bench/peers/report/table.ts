/** The table of the README: the tuned operators, one row each, from a result of the benchmark. Pure; publish.ts writes it. */
import type { BenchmarkResult, Sample } from "../../benchmark.ts";
import { formatFigure } from "../../report.ts";
import { FRAMEWORKS } from "../frameworks.ts";
import { variantName } from "../metrics.ts";

/** Columns: a heading and the metrics that stand in it, joined by slashes. */
const COLUMNS: readonly (readonly [heading: string, ...metrics: string[]])[] = [
  ["cold start, s", "cold start"],
  ["2 000 objects, s", "converge"],
  ["CPU, s", "cpu"],
  ["peak, MB", "memory"],
  ["requests per object", "requests"],
  ["reaction p50 / p99, ms", "reaction p50", "reaction p99"],
  ["healing p50 / p99, ms", "healing p50", "healing p99"],
  ["20 000 cached: answers, s / CPU, s / MB", "big answers", "big cpu", "big memory"],
];

/** The result as a table in Markdown; what was not measured is a dash. */
export function markdownTable({ variants, units }: BenchmarkResult): string {
  const columns = COLUMNS.filter(([, ...metrics]) => metrics.some((metric) => metric in units));
  const rows = FRAMEWORKS.flatMap(({ name, label }) => {
    const found = variants.find((variant) => variant.name === variantName(name, "tuned"));
    return found === undefined ? [] : [[label, ...columns.map(([, ...metrics]) => cell(found.medians, metrics))]];
  });
  const header = ["", ...columns.map(([heading]) => heading)];
  return [header, header.map((_, index) => (index === 0 ? "---" : "---:")), ...rows].map(toRow).join("\n");
}

function cell(medians: Sample, metrics: readonly string[]): string {
  return metrics.map((metric) => formatFigure(medians[metric] ?? Number.NaN)).join(" / ");
}

function toRow(cells: readonly string[]): string {
  return `| ${cells.join(" | ")} |`;
}
