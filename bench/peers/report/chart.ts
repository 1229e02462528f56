/** The chart of the README: for a few metrics, a bar for each framework, as an SVG that reads on light and dark pages. Pure. */
import type { BenchmarkResult } from "../../benchmark.ts";
import { formatFigure } from "../../report.ts";
import { FRAMEWORKS } from "../frameworks.ts";
import { OURS, variantName } from "../metrics.ts";

const METRICS: readonly (readonly [metric: string, title: string])[] = [
  ["cold start", "Cold start (s)"],
  ["converge", "2 000 objects converged (s)"],
  ["cpu", "CPU for that (s)"],
  ["big memory", "Memory with 20 000 cached (MB)"],
];
const WIDTH = 760;
const LABEL_WIDTH = 260;
const FIGURE_WIDTH = 70;
const ROW = 20;
const TITLE = 30;

/** The chart; metrics that nobody has are left out. */
export function chart(result: BenchmarkResult): string {
  const parts: string[] = [];
  let top = 0;
  for (const [metric, title] of METRICS) {
    const bars = barsOf(result, metric);
    if (bars.length === 0) continue;
    parts.push(text({ x: 0, y: top + ROW, weight: "bold", content: title }), ...drawn(bars, top + TITLE));
    top += TITLE + bars.length * ROW + ROW / 2;
  }
  const style = "text{font:13px sans-serif;fill:#777}.ours{fill:#3178c6}.other{fill:#9aa4ad}";
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${top}" width="${WIDTH}" height="${top}"><style>${style}</style>\n${parts.join("\n")}\n</svg>\n`;
}

interface Bar {
  readonly label: string;
  readonly value: number;
  readonly ours: boolean;
}

function barsOf({ variants }: BenchmarkResult, metric: string): readonly Bar[] {
  return FRAMEWORKS.flatMap(({ name, label }) => {
    const value = variants.find((each) => each.name === variantName(name, "tuned"))?.medians[metric];
    return value === undefined || Number.isNaN(value) ? [] : [{ label, value, ours: name === OURS }];
  });
}

function drawn(bars: readonly Bar[], top: number): readonly string[] {
  const largest = Math.max(...bars.map(({ value }) => value));
  return bars.flatMap(({ label, value, ours }, index) => {
    const y = top + index * ROW;
    const width = Math.max(1, Math.round((value / largest) * (WIDTH - LABEL_WIDTH - FIGURE_WIDTH)));
    return [
      text({ x: 0, y: y + 13, content: label }),
      `<rect class="${ours ? "ours" : "other"}" x="${LABEL_WIDTH}" y="${y + 2}" width="${width}" height="${ROW - 6}"/>`,
      text({ x: LABEL_WIDTH + width + 6, y: y + 13, content: formatFigure(value) }),
    ];
  });
}

function text(of: {
  readonly x: number;
  readonly y: number;
  readonly content: string;
  readonly weight?: string;
}): string {
  const weight = of.weight === undefined ? "" : ` font-weight="${of.weight}"`;
  return `<text x="${of.x}" y="${of.y}"${weight}>${of.content.replaceAll("&", "&amp;").replaceAll("<", "&lt;")}</text>`;
}
