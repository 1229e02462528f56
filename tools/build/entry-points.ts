/** The entry points of a package: every specifier that its `exports` allow, with the source file behind each. */

/** One importable specifier. */
export interface EntryPoint {
  /** What users write: "kubewright/apps/v1". */
  readonly specifier: string;
  /** The source file, relative to the package: "src/generated/apps/v1.ts". */
  readonly source: string;
}

/** What is read of a package.json. */
export interface ExportsManifest {
  readonly name: string;
  readonly exports: Readonly<Record<string, string>>;
}

/** All entry points of a package, patterns spelled out over its `files` (relative to the package), sorted. */
export function entryPoints(manifest: ExportsManifest, files: readonly string[]): readonly EntryPoint[] {
  return Object.entries(manifest.exports)
    .flatMap(([subpath, target]) =>
      subpath.includes("*") ? spellOut(subpath, target.slice(2), files) : [{ subpath, source: target.slice(2) }],
    )
    .map(({ subpath, source }) => ({ specifier: manifest.name + subpath.slice(1), source }))
    .sort((left, right) => (left.specifier < right.specifier ? -1 : 1));
}

/** The subpaths that a pattern stands for: one for each file it matches. */
function spellOut(subpath: string, target: string, files: readonly string[]): { subpath: string; source: string }[] {
  const [before = "", after = ""] = target.split("*");
  return files
    .filter((path) => path.startsWith(before) && path.endsWith(after) && path.length > before.length + after.length)
    .filter((path) => !path.endsWith(".test.ts"))
    .map((source) => ({
      subpath: subpath.replace("*", source.slice(before.length, source.length - after.length)),
      source,
    }));
}
