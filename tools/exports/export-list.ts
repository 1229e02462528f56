/**
 * What each entry point of a package exports, types included, as text: `packages/<name>/exports.txt` holds it, so that a
 * change of the public API shows as a change of a file. Generated entry points are left out: their text is their list.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { entryPoints } from "../build/entry-points.ts";
import type { SourceManifest } from "../build/manifest.ts";
import { exportedNames } from "../tidy/imports.ts";
import { repositoryOf } from "../tidy/repository.ts";

const ROOT = resolve(import.meta.dirname, "../..");

/** The export list of one package and the file that holds it. */
export interface ExportList {
  /** From the root of the repository: "packages/core/exports.txt". */
  readonly path: string;
  /** "" when the package has no entry point that people write. */
  readonly text: string;
}

/** The export lists of all packages, as their sources say now. */
export function exportLists(): readonly ExportList[] {
  return readdirSync(join(ROOT, "packages"), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => `packages/${entry.name}`)
    .map((folder) => ({ path: `${folder}/exports.txt`, text: exportListOf(folder) }));
}

function exportListOf(folder: string): string {
  const manifest = JSON.parse(readFileSync(join(ROOT, folder, "package.json"), "utf8")) as SourceManifest;
  return entryPoints(join(ROOT, folder), manifest)
    .map(({ specifier, source }) => ({ specifier, names: namesIn(`${folder}/${source}`) }))
    .filter(({ names }) => names.length > 0)
    .map(({ specifier, names }) => `${[specifier, ...names.map((name) => `  ${name}`)].join("\n")}\n`)
    .join("\n");
}

/** The sorted exports of a file that people write: "name", or "type Name". */
function namesIn(path: string): readonly string[] {
  const [file] = repositoryOf(new Map([[path, readFileSync(join(ROOT, path), "utf8")]])).files;
  if (file === undefined || file.isGenerated) return [];
  return exportedNames(file.code).toSorted(byName);
}

function byName(left: string, right: string): number {
  const [a, b] = [left.replace("type ", ""), right.replace("type ", "")];
  return a < b ? -1 : a > b ? 1 : 0;
}
