/**
 * The public API changes on purpose: each package's exports.txt says what its entry points export, and the facade has all
 * that authors of operators call.
 */
import { exportLists } from "../../exports/export-list.ts";
import { exportedNames } from "../imports.ts";
import type { Finding, Repository, Rule } from "../repository.ts";

const FACADE = "packages/kubewright/src/index.ts";
/** Entry points that the facade re-exports whole; of the others it picks what operators need. */
const WHOLE = ["packages/core/src/schema/index.ts", "packages/runtime/src/index.ts"];

/** The rule about export lists and the facade. */
export const exportsInStep: Rule = {
  name: "exports",
  *check(repository) {
    for (const { path, text } of exportLists(repository)) {
      const committed = repository.textOf(path) ?? "";
      if (committed === text) continue;
      const change = `added: ${difference(text, committed)}; removed: ${difference(committed, text)}`;
      yield { path, line: 1, message: `is not what the package exports (${change}); run \`npm run exports\`` };
    }
    for (const entry of WHOLE) yield* missingInFacade(repository, entry);
  },
};

function* missingInFacade(repository: Repository, entry: string): Iterable<Finding> {
  const facade = new Set(namesOf(repository, FACADE));
  const missing = namesOf(repository, entry).filter((name) => !facade.has(name));
  if (missing.length === 0) return;
  yield { path: FACADE, line: 1, message: `lacks ${missing.join(", ")} of ${entry}; re-export them by name` };
}

function namesOf(repository: Repository, path: string): readonly string[] {
  const file = repository.files.find((each) => each.path === path);
  return file === undefined ? [] : exportedNames(file.code);
}

/** The lines of `left` that `right` lacks. */
function difference(left: string, right: string): string {
  const known = new Set(right.split("\n"));
  const lines = left.split("\n").filter((line) => !known.has(line));
  return lines.length === 0 ? "nothing" : lines.map((line) => line.trim()).join(", ");
}
