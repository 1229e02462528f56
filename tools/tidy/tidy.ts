/**
 * `npm run check` runs this: the style rules that can be checked. Prints one line for each finding, with what to do, and
 * fails if there is one. A rule is a file in rules/ and a line below.
 */
import { fileURLToPath } from "node:url";
import { readTree } from "./read-tree.ts";
import { type Rule, repositoryOf } from "./repository.ts";
import { arrows } from "./rules/arrows.ts";
import { barrels } from "./rules/barrels.ts";
import { cycles } from "./rules/cycles.ts";
import { dependencies } from "./rules/dependencies.ts";
import { docs } from "./rules/docs.ts";
import { evaluation } from "./rules/evaluation.ts";
import { exportsInStep } from "./rules/exports.ts";
import { globals } from "./rules/globals.ts";
import { leftovers } from "./rules/leftovers.ts";
import { names } from "./rules/names.ts";

const RULES: readonly Rule[] = [
  arrows,
  cycles,
  barrels,
  globals,
  dependencies,
  exportsInStep,
  docs,
  names,
  leftovers,
  evaluation,
];

const root = process.argv[2] ?? fileURLToPath(new URL("../..", import.meta.url));
const repository = repositoryOf(readTree(root));
const lines = RULES.flatMap((rule) =>
  Array.from(rule.check(repository), ({ path, line, message }) => `${path}:${line}: ${message} (${rule.name})`),
);
for (const line of lines.sort()) console.log(line);
console.log(`tidy: ${lines.length} findings in ${repository.files.length} files`);
process.exitCode = lines.length === 0 ? 0 : 1;
