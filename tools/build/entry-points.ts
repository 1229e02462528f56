/** The entry points of a package: every specifier that its `exports` allow, with the source file behind each. */
import { globSync } from "node:fs";
import { join } from "node:path";

/** One importable specifier. */
export interface EntryPoint {
  /** What users write: "kubewright/apps/v1". */
  readonly specifier: string;
  /** The source file, relative to the package: "src/generated/apps/v1.ts". */
  readonly source: string;
}

/** All entry points of the package in `folder`, patterns spelled out, sorted. */
export function entryPoints(
  folder: string,
  manifest: { readonly name: string; readonly exports: Readonly<Record<string, string>> },
): readonly EntryPoint[] {
  const found = Object.entries(manifest.exports).flatMap(([subpath, target]) =>
    subpath.includes("*") ? spellOut(folder, subpath, target) : [{ subpath, source: target.slice(2) }],
  );
  return found
    .map(({ subpath, source }) => ({ specifier: manifest.name + subpath.slice(1), source }))
    .sort((left, right) => (left.specifier < right.specifier ? -1 : 1));
}

/** The subpaths that a pattern stands for: one for each file it matches. */
function spellOut(folder: string, subpath: string, target: string): { subpath: string; source: string }[] {
  const [before = "", after = ""] = target.slice(2).split("*");
  return globSync(join(folder, `${before}**/*.ts`))
    .map((path) => path.slice(folder.length + 1))
    .filter((path) => path.endsWith(after) && path.length > before.length + after.length && !path.endsWith(".test.ts"))
    .map((source) => ({
      subpath: subpath.replace("*", source.slice(before.length, source.length - after.length)),
      source,
    }));
}
