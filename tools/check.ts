/** `npm run check`: format and lint, types, tidy. Runs all and fails if any failed. */
import { spawnSync } from "node:child_process";

const steps: ReadonlyArray<readonly [name: string, command: string, ...args: string[]]> = [
  ["format and lint", "biome", "check", "--error-on-warnings", "."],
  ["types of packages", "tsc", "-p", "packages"],
  ["types of operators, tools and tests", "tsc", "-p", "."],
  ["tidy", process.execPath, "tools/tidy/tidy.ts"],
];

let failed = 0;
for (const [name, command, ...args] of steps) {
  const started = performance.now();
  const { status } = spawnSync(command, args, { stdio: "inherit" });
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  console.log(`${status === 0 ? "ok    " : "FAILED"} ${name} (${seconds} s)`);
  failed += status === 0 ? 0 : 1;
}
process.exit(failed === 0 ? 0 : 1);
