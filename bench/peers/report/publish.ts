/** `npm run bench -- peers --write`: the table into README.md, between its markers, and the chart beside the documents. */
import { readFileSync, writeFileSync } from "node:fs";
import { cpus } from "node:os";
import { join, resolve } from "node:path";
import type { BenchmarkResult } from "../../benchmark.ts";
import { roundsOf } from "../../report.ts";
import { chart } from "./chart.ts";
import { markdownTable } from "./table.ts";

const REPOSITORY = resolve(import.meta.dirname, "../../..");
const BEGIN = "<!-- figures of bench/peers: begin -->";
const END = "<!-- figures of bench/peers: end -->";

/** Writes README.md and docs/peers.svg anew; `args` are those of the command that measured. */
export function publish(result: BenchmarkResult, args: readonly string[]): void {
  const readme = join(REPOSITORY, "README.md");
  const figures = `${markdownTable(result)}\n\n${origin(result, args)}`;
  writeFileSync(readme, replaceBetween(readFileSync(readme, "utf8"), figures));
  writeFileSync(join(REPOSITORY, "docs/peers.svg"), chart(result));
}

/** How the figures came about. */
function origin(result: BenchmarkResult, args: readonly string[]): string {
  const day = new Date().toLocaleDateString("en-GB", { day: "numeric", month: "long", year: "numeric" });
  const machine = `${cpus().length} processors (${cpus()[0]?.model ?? "unknown"})`;
  return `Made by \`npm run bench -- ${args.join(" ")}\` on ${day}: medians of ${roundsOf(result)} rounds, ${machine}.`;
}

/** The text with what stands between the markers replaced. */
export function replaceBetween(text: string, content: string): string {
  const [begin, end] = [text.indexOf(BEGIN), text.indexOf(END)];
  if (begin === -1 || end < begin) throw new Error(`there is no place for the figures: ${BEGIN} … ${END}`);
  return `${text.slice(0, begin + BEGIN.length)}\n\n${content}\n\n${text.slice(end)}`;
}
