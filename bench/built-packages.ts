/** The packages as users get them: built, in a folder where a program can import them by name. */
import { mkdirSync, rmSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { buildPackages } from "../tools/build/build.ts";

/** Builds all packages into `folder`/packages and links them in `folder`/node_modules. */
export function linkBuiltPackages(folder: string): void {
  for (const { manifest, target } of buildPackages(join(folder, "packages"))) {
    const link = join(folder, "node_modules", manifest.name);
    rmSync(link, { recursive: true, force: true });
    mkdirSync(dirname(link), { recursive: true });
    symlinkSync(target, link);
  }
}
