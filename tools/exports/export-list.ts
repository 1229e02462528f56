/**
 * What each entry point of a package exports, types included, as text: `packages/<name>/exports.txt` holds it, so that a
 * change of the public API shows as a change of a file. Generated entry points are left out: their text is their list.
 */
import { type ExportsManifest, entryPoints } from "../build/entry-points.ts";
import { exportedNames } from "../tidy/imports.ts";
import type { Repository } from "../tidy/repository.ts";

/** The export list of one package and the file that holds it. */
export interface ExportList {
  /** From the root of the repository: "packages/core/exports.txt". */
  readonly path: string;
  /** "" when the package has no entry point that people write. */
  readonly text: string;
}

/** The export lists of all packages, as their sources say. */
export function exportLists(repository: Repository): readonly ExportList[] {
  return repository.manifests
    .filter(({ workspace, exports }) => workspace.startsWith("packages/") && exports !== undefined)
    .map((manifest) => ({
      path: `${manifest.workspace}/exports.txt`,
      text: exportListOf(repository, manifest.workspace, manifest as ExportsManifest),
    }));
}

function exportListOf(repository: Repository, workspace: string, manifest: ExportsManifest): string {
  const own = repository.files.filter((file) => file.workspace === workspace);
  const sources = new Map(own.map((file) => [file.path.slice(workspace.length + 1), file]));
  return entryPoints(manifest, [...sources.keys()])
    .map(({ specifier, source }) => ({ specifier, file: sources.get(source) }))
    .map(({ specifier, file }) => ({ specifier, names: !file || file.isGenerated ? [] : exportedNames(file.code) }))
    .filter(({ names }) => names.length > 0)
    .map(({ specifier, names }) => `${[specifier, ...sortNames(names)].join("\n  ")}\n`)
    .join("\n");
}

/** By name, whether type or value. */
function sortNames(names: readonly string[]): readonly string[] {
  const keyOf = (name: string): string => name.replace(/^type /, "");
  return names.toSorted((left, right) => (keyOf(left) < keyOf(right) ? -1 : 1));
}
