/** `npm run bench -- peers --write`: the table into README.md, between its markers, and the chart beside the documents. */
import { readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import type { BenchmarkResult } from "../../benchmark.ts";
import { chart } from "./chart.ts";
import { markdownTable } from "./table.ts";

const REPOSITORY = resolve(import.meta.dirname, "../../..");
const BEGIN = "<!-- figures of bench/peers: begin -->";
const END = "<!-- figures of bench/peers: end -->";

/** Writes README.md and docs/peers.svg anew. */
export function publish(result: BenchmarkResult): void {
  const readme = join(REPOSITORY, "README.md");
  writeFileSync(readme, replaceBetween(readFileSync(readme, "utf8"), markdownTable(result)));
  writeFileSync(join(REPOSITORY, "docs/peers.svg"), chart(result));
}

/** The text with what stands between the markers replaced. */
export function replaceBetween(text: string, content: string): string {
  const [begin, end] = [text.indexOf(BEGIN), text.indexOf(END)];
  if (begin === -1 || end < begin) throw new Error(`there is no place for the figures: ${BEGIN} … ${END}`);
  return `${text.slice(0, begin + BEGIN.length)}\n\n${content}\n\n${text.slice(end)}`;
}
