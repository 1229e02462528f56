/**
 * Joins the modules of one built package into its entry points and the chunks they share. An operator's start is mostly the
 * loading of modules: joined, the facade is 23 of them instead of 128 and takes half the memory and two thirds of the time
 * (bench/import). Siblings and packages of others stay imports, so that nobody loads two copies of core. Input: the
 * compiler's JavaScript in dist/, which the result replaces; declarations stay as they are.
 */
import { globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { buildSync } from "esbuild";
import { blankLiterals } from "../tidy/blank.ts";

/** What to join. */
export interface BundleOptions {
  /** The folder of the package, with dist/ in it. */
  readonly folder: string;
  /** Its entry points and commands: "dist/index.js". */
  readonly entries: readonly string[];
}

/** Replaces the modules in dist/ by the entries and what they share; each module is in one place only. */
export function bundlePackage({ folder, entries }: BundleOptions): void {
  const modules = globSync("dist/**/*.js", { cwd: folder }).sort();
  refuseOwnPlace(
    folder,
    modules.filter((path) => !entries.includes(path)),
  );
  const { outputFiles } = buildSync({
    absWorkingDir: folder,
    entryPoints: [...entries].sort(),
    outdir: "dist",
    outbase: "dist",
    chunkNames: "chunks/[name]-[hash]",
    bundle: true,
    splitting: true,
    packages: "external",
    format: "esm",
    platform: "node",
    target: "node24",
    write: false,
    logLevel: "error",
  });
  for (const path of modules) rmSync(join(folder, path));
  for (const { path, contents } of outputFiles) {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, contents);
  }
}

/** A module that looks for files beside itself would look in the wrong place once it is part of another. */
function refuseOwnPlace(folder: string, modules: readonly string[]): void {
  const uses = (path: string): boolean =>
    blankLiterals(readFileSync(join(folder, path), "utf8")).includes("import.meta");
  const found = modules.filter(uses);
  if (found.length === 0) return;
  throw new Error(
    `${found.join(", ")} in ${folder}: only an entry point may use import.meta; pass the place in from there`,
  );
}
