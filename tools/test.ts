/**
 * `npm test [-- path… --flag…]`: runs the `*.test.ts` files of the repository with node:test. Paths (folders or files)
 * narrow it down; flags go to `node --test` as they are (`--test-name-pattern=…`). Each file runs in a process of its own,
 * a few at a time; compiled code is kept between runs.
 */
import { spawnSync } from "node:child_process";
import { globSync } from "node:fs";
import { availableParallelism } from "node:os";
import { resolve } from "node:path";
import { testArguments } from "./test-arguments.ts";

const ROOTS = ["packages", "operators", "tools", "docs", "bench"];
const FOLDERS_LEFT_OUT = new Set(["node_modules", "dist", "testdata", "test-real", "test-node", ".cache"]);
/** At least two files at once: many tests wait for a child process. */
const CONCURRENCY = Math.max(2, availableParallelism() - 1);
/** A file that takes longer waits for something that never comes; it fails instead of holding up all others. */
const FILE_MS_MAX = 300_000;

const { paths, flags } = testArguments(
  "npm test [-- path… --flag…]; paths are folders or *.test.ts files, flags those of node --test",
);
const files = testFiles(paths.length > 0 ? paths : ROOTS);
if (files.length === 0) {
  console.error(`no test files in ${paths.join(", ")}; name folders or *.test.ts files, for example packages/core`);
  process.exit(1);
}
const result = spawnSync(
  process.execPath,
  [
    "--test",
    "--test-reporter=spec",
    `--test-concurrency=${CONCURRENCY}`,
    `--test-timeout=${FILE_MS_MAX}`,
    ...flags,
    ...files,
  ],
  { stdio: "inherit", env: { ...process.env, NODE_COMPILE_CACHE: resolve("node_modules/.cache/compile") } },
);
process.exit(result.status ?? 1);

function testFiles(roots: readonly string[]): readonly string[] {
  const patterns = roots.map((root) => (root.endsWith(".ts") ? root : `${root.replace(/\/$/, "")}/**/*.test.ts`));
  return [...new Set(globSync(patterns, { exclude: isLeftOut }))].sort();
}

function isLeftOut(path: string): boolean {
  return path.split("/").some((folder) => FOLDERS_LEFT_OUT.has(folder));
}
