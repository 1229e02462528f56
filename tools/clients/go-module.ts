/** Sources of Go modules in a folder that can be written to: Go's own cache is read-only, and its tests write beside them. */
import { chmodSync, cpSync, existsSync, readdirSync, renameSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { build, cacheFolder } from "./toolchain.ts";

/** The folder with the sources of a module, copied once. */
export async function goModuleSources(path: string, version: string): Promise<string> {
  const parent = cacheFolder("go-modules");
  const folder = join(parent, `${path.replaceAll("/", "_")}@${version}`);
  if (existsSync(folder)) return folder;
  const downloaded = await build("go", ["mod", "download", "-json", `${path}@${version}`], { cwd: parent });
  const { Dir: source } = JSON.parse(downloaded) as { readonly Dir: string };
  const copy = `${folder}.new`;
  rmSync(copy, { recursive: true, force: true });
  cpSync(source, copy, { recursive: true });
  makeWritable(copy);
  renameSync(copy, folder);
  return folder;
}

function makeWritable(path: string): void {
  const { mode } = statSync(path);
  chmodSync(path, mode | 0o200);
  for (const entry of readdirSync(path, { withFileTypes: true })) {
    if (entry.isDirectory()) makeWritable(join(path, entry.name));
    else if (entry.isFile()) chmodSync(join(path, entry.name), statSync(join(path, entry.name)).mode | 0o200);
  }
}
