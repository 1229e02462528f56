/** `npm start [-- --once]`: the demo; every operator of operators/ on one embedded cluster. */
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { loadOperator, runDemo } from "@kubewright/cli";
import { systemClock, systemFiles } from "@kubewright/node";

const TIMEOUT_MS = 60_000;
const operators = join(import.meta.dirname, "..", "operators");

const USAGE = "npm start [-- --once]; --once ends when all operators are ready";
if (process.argv.includes("--help")) {
  console.log(`usage: ${USAGE}`);
  process.exit(0);
}
const unknown = process.argv.slice(2).filter((argument) => argument !== "--once");
if (unknown.length > 0) {
  console.error(`unknown argument ${unknown.join(" ")}; use: ${USAGE}`);
  process.exit(2);
}
const folders = readdirSync(operators)
  .map((name) => join(operators, name))
  .filter((folder) => existsSync(join(folder, "src", "main.ts")));
const interrupted = new AbortController();
process.once("SIGINT", () => interrupted.abort());
process.once("SIGTERM", () => interrupted.abort());
try {
  await runDemo(
    {
      projects: await Promise.all(folders.map(loadOperator)),
      kubeconfig: ".kubewright/demo.kubeconfig",
      once: process.argv.includes("--once"),
      timeoutMs: TIMEOUT_MS,
    },
    { clock: systemClock, files: systemFiles, print: (line) => console.log(line), signal: interrupted.signal },
  );
} catch (error) {
  if (!interrupted.signal.aborted) {
    console.error(`the demo failed: ${error instanceof Error ? error.message : String(error)}`);
    process.exit(1);
  }
}
