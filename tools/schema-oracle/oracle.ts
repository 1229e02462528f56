/** Asks the Go program beside this file: one answer per question, in their order. It is built when it is asked first. */
import { spawnSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { fileURLToPath } from "node:url";

const folder = fileURLToPath(new URL(".", import.meta.url));
const cache = fileURLToPath(new URL("../../node_modules/.cache/", import.meta.url));
const program = `${cache}schema-oracle`;
/** More output than any corpus gives. */
const outputBytesMax = 1 << 28;

/** The answers of Kubernetes' own libraries. Needs Go. */
export function ask(questions: readonly object[]): unknown[] {
  mkdirSync(cache, { recursive: true });
  run("go", ["build", "-o", program, "."]);
  return run(program, [], questions.map((question) => JSON.stringify(question)).join("\n"))
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as unknown);
}

function run(command: string, args: readonly string[], input = ""): string {
  const result = spawnSync(command, args, { cwd: folder, input, maxBuffer: outputBytesMax, encoding: "utf8" });
  if (result.status !== 0) throw new Error(`${command} failed: ${result.error?.message ?? result.stderr}`);
  return result.stdout;
}
