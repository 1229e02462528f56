/**
 * `npm test [-- path…]`: runs every `*.test.ts` of the packages, operators, tools and docs with node:test.
 * Paths narrow it down to the files below them.
 */
import { spawnSync } from "node:child_process";
import { globSync } from "node:fs";

const roots = process.argv.slice(2);
const patterns = (roots.length > 0 ? roots : ["packages", "operators", "tools", "docs"]).map((root) =>
  root.endsWith(".ts") ? root : `${root}/**/*.test.ts`,
);
const files = globSync(patterns, { exclude: (name) => name.includes("node_modules") || name === "dist" }).sort();
if (files.length === 0) {
  console.error(`no test files match ${patterns.join(", ")}; name a folder or a *.test.ts file`);
  process.exit(1);
}
const result = spawnSync(process.execPath, ["--test", "--test-reporter=spec", ...files], {
  stdio: "inherit",
  env: { ...process.env, NODE_COMPILE_CACHE: "node_modules/.cache/compile" },
});
process.exit(result.status ?? 1);
