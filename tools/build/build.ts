/**
 * `npm run build`: publishable packages in dist/packages/<name>, each with JavaScript (bundle.ts) and declarations in dist/,
 * a package.json, a README and the license. Same sources, same bytes.
 */
import { spawnSync } from "node:child_process";
import {
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join, resolve } from "node:path";
import { bundlePackage } from "./bundle.ts";
import { entryPoints } from "./entry-points.ts";
import { publishedManifest, type SourceManifest } from "./manifest.ts";

const ROOT = resolve(import.meta.dirname, "../..");

/** One package of the repository, and where its published form goes. */
export interface PackageFolders {
  readonly manifest: SourceManifest;
  /** packages/core */
  readonly source: string;
  /** dist/packages/core */
  readonly target: string;
}

/** Builds every package that is not private into a folder of `outFolder`. */
export function buildPackages(outFolder: string): readonly PackageFolders[] {
  rmSync(outFolder, { recursive: true, force: true });
  compile(outFolder);
  const packages = publicPackages(outFolder);
  for (const each of packages) completePackage(each);
  keepOnly(outFolder, packages);
  return packages;
}

/** The packages that are published, in the order of their names. */
function publicPackages(outFolder: string): readonly PackageFolders[] {
  return readdirSync(join(ROOT, "packages"))
    .sort()
    .filter((name) => existsSync(join(ROOT, "packages", name, "package.json")))
    .map((name) => ({
      manifest: JSON.parse(readFileSync(join(ROOT, "packages", name, "package.json"), "utf8")) as SourceManifest,
      source: join(ROOT, "packages", name),
      target: join(outFolder, name),
    }))
    .filter(({ manifest }) => manifest.private !== true);
}

/** One compilation for all packages, so that a type means the same in each; writes <outFolder>/<name>/src. */
function compile(outFolder: string): void {
  const options = ["--noEmit", "false", "--rootDir", join(ROOT, "packages"), "--outDir", outFolder];
  const { status } = spawnSync("tsc", ["-p", join(ROOT, "packages"), ...options], { stdio: "inherit" });
  if (status !== 0) throw new Error("the packages do not compile; run `npm run check` and fix what it says");
}

function completePackage({ manifest, source, target }: PackageFolders): void {
  mkdirSync(join(target, "src"), { recursive: true });
  renameSync(join(target, "src"), join(target, "dist"));
  rewriteDeclarations(join(target, "dist"));
  bundlePackage({ folder: target, entries: builtEntries(manifest, source) });
  copyAssets(join(source, "src"), join(target, "dist"));
  writeFileSync(join(target, "package.json"), `${JSON.stringify(publishedManifest(manifest), undefined, 2)}\n`);
  writeFileSync(join(target, "README.md"), readmeOf(manifest, source));
  cpSync(join(ROOT, "LICENSE"), join(target, "LICENSE"));
}

/** The JavaScript that users can name: entry points and commands. */
function builtEntries(manifest: SourceManifest, source: string): readonly string[] {
  const importable = entryPoints(manifest, globSync("src/**/*.ts", { cwd: source })).map((entry) => entry.source);
  const commands = Object.values(manifest.bin ?? {}).map((path) => path.replace(/^\.\//, ""));
  return [...new Set([...importable, ...commands])].map((path) => path.replace(/^src\/(.*)\.ts$/, "dist/$1.js"));
}

/** The compiler rewrites "./x.ts" to "./x.js" in code only; older TypeScript versions want it in declarations too. */
function rewriteDeclarations(folder: string): void {
  for (const path of globSync(join(folder, "**/*.d.ts"))) {
    const text = readFileSync(path, "utf8");
    writeFileSync(path, text.replace(/(\bfrom |\bimport\()"(\.{1,2}\/[^"]+)\.ts"/g, '$1"$2.js"'));
  }
}

/** What the compiler leaves behind: templates and tables that code reads beside itself. */
function copyAssets(from: string, to: string): void {
  cpSync(from, to, {
    recursive: true,
    filter: (path) => !/\.ts$|\/testdata(?:\/|$)/.test(path),
  });
}

/** The package's own README, the repository's for the facade, or a pointer to it. */
function readmeOf(manifest: SourceManifest, source: string): string {
  const own = [join(source, "README.md"), ...(manifest.name === "kubewright" ? [join(ROOT, "README.md")] : [])];
  const path = own.find((candidate) => existsSync(candidate));
  if (path !== undefined) return withoutRepositoryLinks(readFileSync(path, "utf8"));
  return `# ${manifest.name}\n\n${manifest.description}.\n\nPart of Kubewright, the operator SDK for TypeScript. Most users install \`kubewright\`.\n`;
}

/** Links to files of the repository lead nowhere from a package: their text stays. */
function withoutRepositoryLinks(markdown: string): string {
  return markdown.replace(/\[([^\]]+)\]\((?!https?:)[^)]+\)/g, "$1");
}

/** Removes what the compiler wrote for packages that are not published. */
function keepOnly(outFolder: string, packages: readonly PackageFolders[]): void {
  const kept = new Set(packages.map(({ target }) => target));
  for (const name of readdirSync(outFolder)) {
    if (!kept.has(join(outFolder, name))) rmSync(join(outFolder, name), { recursive: true });
  }
}

if (import.meta.main) {
  for (const { manifest, target } of buildPackages(join(ROOT, "dist/packages"))) {
    console.log(`${manifest.name} ${manifest.version} → ${target.slice(ROOT.length + 1)}`);
  }
}
