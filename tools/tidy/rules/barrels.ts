/**
 * Only the entry `index.ts` of a package (for core: of each folder; node and testing have a second) re-exports, and name by name: barrels load what is
 * not used and hide cycles. All files of the facade are entries.
 */
import { boundNames } from "../imports.ts";
import { findingAt, type Rule, type SourceFile } from "../repository.ts";

const ENTRY =
  /^packages\/(?:core\/src\/[^/]+\/index|node\/src\/certificates\/index|testing\/src\/node\/index|[^/]+\/src\/index|kubewright\/src\/.+)\.ts$/;
const EXPORT_ALL = /^export\s+(?:type\s+)?\*/gm;
const EXPORT_LIST = /^export\s+(?:type\s+)?\{([^}]*)\}(?!\s*from\b)/gm;

/** The rule about re-exports. */
export const barrels: Rule = {
  name: "barrel",
  *check(repository) {
    for (const file of repository.files) {
      for (const match of file.code.matchAll(EXPORT_ALL)) {
        yield findingAt(file, match.index, "`export *` hides what is exported; re-export name by name");
      }
      if (!ENTRY.test(file.path)) yield* reExports(file);
    }
  },
};

function* reExports(file: SourceFile) {
  for (const { isReExport, specifier, offset, clause } of file.references) {
    if (!isReExport || clause.includes("*")) continue;
    yield findingAt(
      file,
      offset,
      `re-exports from "${specifier}"; only an entry index.ts does, import the file itself`,
    );
  }
  const imported = new Set(
    file.references.filter((each) => !each.isReExport).flatMap((each) => boundNames(each.clause)),
  );
  for (const match of file.code.matchAll(EXPORT_LIST)) {
    for (const part of (match[1] ?? "").split(",").map((each) => each.trim().replace(/^type\s+/, ""))) {
      const name = part.split(/\s+/)[0] ?? "";
      if (name === "") continue;
      const remedy = imported.has(name) ? "import it from where it is declared" : "write `export` at its declaration";
      yield findingAt(file, match.index, `exports ${name} in a list; ${remedy}`);
    }
  }
}
