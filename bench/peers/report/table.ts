/** The table of the README: a row for each metric, a column for each framework, from a result of the benchmark. Pure; publish.ts writes it. */
import type { BenchmarkResult } from "../../benchmark.ts";
import { formatFigure } from "../../report.ts";
import { FRAMEWORKS } from "../frameworks.ts";
import { type Setting, variantName } from "../metrics.ts";

/** Rows: a heading and the metrics that stand in it, joined by slashes; the last word is how the operators were set up. */
const ROWS: readonly (readonly [heading: string, metrics: readonly string[], setting: Setting])[] = [
  ["cold start, s", ["cold start"], "tuned"],
  ["2 000 objects converged, s", ["converge"], "tuned"],
  ["– CPU, s", ["cpu"], "tuned"],
  ["– peak memory, MB", ["memory"], "tuned"],
  ["– requests per object", ["requests"], "tuned"],
  ["– as the framework comes, s", ["converge"], "defaults"],
  ["10 000 objects converged, s", ["many converge"], "tuned"],
  ["– CPU, s / peak memory, MB", ["many cpu", "many memory"], "tuned"],
  ["reaction p50 / p99, ms", ["reaction p50", "reaction p99"], "tuned"],
  ["healing p50 / p99, ms", ["healing p50", "healing p99"], "tuned"],
  ["20 000 objects cached: answers after, s", ["big answers"], "tuned"],
  ["– CPU, s / memory, MB", ["big cpu", "big memory"], "tuned"],
  ["100 000 objects cached: answers after, s", ["huge answers"], "tuned"],
  ["– CPU, s / memory, MB", ["huge cpu", "huge memory"], "tuned"],
  ["idle, ms of CPU in 30 s", ["idle"], "tuned"],
];

/** What was not measured. */
const UNKNOWN = formatFigure(Number.NaN);

/** The result as a table in Markdown; what was not measured is a dash, or no row when that is so for all. */
export function markdownTable({ variants }: BenchmarkResult): string {
  const medians = (name: string, setting: Setting) =>
    variants.find((variant) => variant.name === variantName(name, setting))?.medians;
  const columns = FRAMEWORKS.filter(({ name }) => medians(name, "tuned") !== undefined);
  const rows = ROWS.map(([heading, metrics, setting]) => [
    heading,
    ...columns.map(({ name }) => cell(metrics.map((metric) => medians(name, setting)?.[metric] ?? Number.NaN))),
  ]).filter(([, ...cells]) => cells.some((each) => each !== UNKNOWN));
  const header = ["", ...columns.map(({ label }) => label)];
  return [header, header.map((_, index) => (index === 0 ? "---" : "---:")), ...rows].map(toRow).join("\n");
}

function cell(figures: readonly number[]): string {
  return figures.every(Number.isNaN) ? UNKNOWN : figures.map(formatFigure).join(" / ");
}

function toRow(cells: readonly string[]): string {
  return `| ${cells.join(" | ")} |`;
}
