/**
 * Imports go one way: between packages and between the folders of core as layers.ts says; across workspaces only
 * through a package's entry points, inside a package only by relative path. Operators, docs and benchmarks import
 * entry points only.
 */
import { posix } from "node:path";
import { FOLDER_ARROWS, PACKAGE_ARROWS } from "../layers.ts";
import { type Finding, findingAt, type Rule, type SourceFile } from "../repository.ts";

/** The rule about import direction. */
export const arrows: Rule = {
  name: "arrow",
  *check(repository) {
    for (const file of repository.files) {
      for (const { specifier, offset } of file.references) {
        const message = specifier.startsWith(".") ? wrongPath(file, specifier) : wrongPackage(file, specifier);
        if (message !== undefined) yield findingAt(file, offset, message);
      }
    }
    yield* unknownPackages(repository.manifests.map((manifest) => manifest.workspace));
  },
};

function wrongPackage(file: SourceFile, specifier: string): string | undefined {
  const target = packageFolderOf(specifier);
  const source = packageOf(file);
  if (target === undefined || source === undefined || isSystemTest(file)) return undefined;
  if (target === source) return `imports its own package by name; import the file by its relative path`;
  if (PACKAGE_ARROWS[source]?.includes(target) ?? true) return undefined;
  return `${source} must not import ${target} (allowed: ${listOf(PACKAGE_ARROWS[source])}); move the code down, or pass it in as an option`;
}

function wrongPath(file: SourceFile, specifier: string): string | undefined {
  const target = posix.join(posix.dirname(file.path), specifier);
  const inside = target.startsWith(`${file.workspace}/`) || (file.workspace === "" && staysAtRoot(file, target));
  if (!inside) return `imports ${target} by path; import the public entry point of that package`;
  const [from, to] = [folderOf(file.path), folderOf(target)];
  const allowed = FOLDER_ARROWS[packageOf(file) ?? ""];
  if (allowed === undefined || from === undefined || to === undefined || from === to) return undefined;
  if (allowed[from]?.includes(to)) return undefined;
  return `${from} must not import ${to} (allowed: ${listOf(allowed[from])}); move what both need to a folder below both`;
}

/** The root's own files: the generators in tools/ write and reuse parts of packages, all others are users of them. */
function staysAtRoot(file: SourceFile, target: string): boolean {
  return file.path.startsWith("tools/") || !/^(?:packages|operators)\//.test(target);
}

function* unknownPackages(workspaces: readonly string[]): Iterable<Finding> {
  for (const workspace of workspaces) {
    const [root, name = ""] = workspace.split("/");
    if (root !== "packages" || Object.hasOwn(PACKAGE_ARROWS, name)) continue;
    yield {
      path: `${workspace}/package.json`,
      line: 1,
      message: `add ${name} and what it may import to tools/tidy/layers.ts`,
    };
  }
}

/** Tests in a package's test, test-real and test-node folders see it from outside, among the packages that it works with. */
function isSystemTest({ path }: SourceFile): boolean {
  return /^packages\/[^/]+\/test(?:-real|-node)?\//.test(path);
}

function packageOf(file: SourceFile): string | undefined {
  return file.workspace.startsWith("packages/") ? file.workspace.slice("packages/".length) : undefined;
}

function packageFolderOf(specifier: string): string | undefined {
  return specifier
    .match(/^(?:@kubewright\/([^/]+)|(kubewright))(?:\/|$)/)
    ?.slice(1)
    .find((name) => name !== undefined);
}

/** The folder below src that a file of a package is in. */
function folderOf(path: string): string | undefined {
  return path.match(/^packages\/[^/]+\/src\/([^/]+)\//)?.[1];
}

function listOf(names: readonly string[] | undefined): string {
  return names === undefined || names.length === 0 ? "nothing" : names.join(", ");
}
