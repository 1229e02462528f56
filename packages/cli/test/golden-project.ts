/** The golden project in testdata/: how it is made, and all files of a folder for comparing. */
import { mkdir, readdir, readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { run } from "./command-line.ts";

/** Where the golden project is. */
export const GOLDEN: string = resolve(import.meta.dirname, "../testdata/memcached-operator");

const COMMANDS: readonly (readonly string[])[] = [
  ["init", "--domain", "example.com", "--project-name", "memcached-operator", "--owner", "Example Authors"],
  ["create", "api", "--group", "cache", "--version", "v1alpha1", "--kind", "Memcached"],
  ["create", "api", "--group", "infra", "--version", "v1", "--kind", "Region", "--no-namespaced"],
  ["manifests"],
];

/** Makes the project in `folder`. */
export async function makeGoldenProject(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  for (const args of COMMANDS) {
    const { exitCode, stderr } = await run({ folder }, ...args);
    if (exitCode !== 0) throw new Error(`kubewright ${args.join(" ")}: ${stderr}`);
  }
}

/** The texts of all files below a folder, by path; packages are left out. */
export async function textsBelow(folder: string): Promise<Readonly<Record<string, string>>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .filter((path) => !path.startsWith("node_modules"))
    .toSorted();
  const texts = await Promise.all(
    paths.map(async (path) => [path, await readFile(join(folder, path), "utf8")] as const),
  );
  return Object.fromEntries(texts);
}
