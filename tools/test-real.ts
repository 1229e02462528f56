/**
 * `npm run test:real [-- path…]`: runs the tests in test-real/ folders, which need programs of a real Kubernetes. What is
 * missing is built from Go modules first; tests find the programs' folder in KUBEWRIGHT_PROGRAMS.
 */
import { spawnSync } from "node:child_process";
import { globSync } from "node:fs";
import { realPrograms } from "./real-cluster/build.ts";

const given = process.argv.slice(2);
const roots = given.length > 0 ? given : ["packages", "operators", "bench"];
const files = roots.flatMap((root) =>
  root.endsWith(".ts") ? [root] : globSync(`${root}/**/test-real/**/*.test.ts`, { exclude: ["**/node_modules"] }),
);
if (files.length === 0) {
  console.error(`no tests in test-real folders of ${roots.join(", ")}`);
  process.exit(1);
}
const programs = await realPrograms("controllers", (line) => console.log(line));
const result = spawnSync(
  process.execPath,
  ["--test", "--test-reporter=spec", "--test-concurrency=1", ...files.toSorted()],
  { stdio: "inherit", env: { ...process.env, KUBEWRIGHT_PROGRAMS: programs } },
);
process.exit(result.status ?? 1);
