/** `npm run check`: format and lint, types, tidy. Runs all at once, prints them in order and fails if any failed. */
import { spawn } from "node:child_process";

/** One check: its name and its command. */
type Step = readonly [name: string, command: string, ...args: string[]];

const STEPS: readonly Step[] = [
  ["format and lint", "biome", "check", "--error-on-warnings", "."],
  ["types of packages", "tsc", "-p", "packages"],
  ["types of operators, tools and tests", "tsc", "-p", "."],
  ["tidy", process.execPath, "tools/tidy/tidy.ts"],
];

/** Runs one step; what it prints is kept, so that steps do not print into each other. */
async function run([name, command, ...args]: Step): Promise<{ readonly output: string; readonly ok: boolean }> {
  const started = performance.now();
  const { promise: status, resolve, reject } = Promise.withResolvers<number | null>();
  const chunks: Buffer[] = [];
  const child = spawn(command, args, { stdio: ["ignore", "pipe", "pipe"] });
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk: Buffer) => chunks.push(chunk));
  child.on("error", reject).on("close", resolve);
  const ok = (await status) === 0;
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  return { ok, output: `${Buffer.concat(chunks)}${ok ? "ok    " : "FAILED"} ${name} (${seconds} s)` };
}

const results = await Promise.all(STEPS.map(run));
for (const { output } of results) console.log(output);
process.exitCode = results.every(({ ok }) => ok) ? 0 : 1;
