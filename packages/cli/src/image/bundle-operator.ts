/** The operator in one file: its sources and every package it loads, joined by esbuild. The same sources give the same bytes. */
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { CommandError } from "../command/command-error.ts";

/** A package whose code is in the bundle. */
export interface BundledPackage {
  readonly name: string;
  readonly version: string;
  readonly license?: string;
}

/** The operator in one file. */
export interface OperatorBundle {
  readonly code: Uint8Array;
  /** What is in it, by name. */
  readonly packages: readonly BundledPackage[];
}

const OPTIONS = {
  outfile: "main.js",
  bundle: true,
  format: "esm",
  platform: "node",
  target: "node24",
  // Packages in CommonJS ask for Node.js' modules with require, which an ES module does not have.
  banner: {
    js: 'import { createRequire as __createRequire } from "node:module";const require = __createRequire(import.meta.url);',
  },
  legalComments: "eof",
  metafile: true,
  write: false,
  logLevel: "silent",
} as const;

/** Bundles src/main.ts of a project. */
export async function bundleOperator(folder: string): Promise<OperatorBundle> {
  const { build } = await import("esbuild");
  const built = await build({ ...OPTIONS, absWorkingDir: folder, entryPoints: ["src/main.ts"] }).catch(
    (error: Error) => {
      throw new CommandError(`the operator cannot be bundled: ${error.message}`, {
        remedy: "npm run check shows type errors; npm install brings missing packages",
      });
    },
  );
  const [output] = built.outputFiles;
  return {
    code: output?.contents ?? new Uint8Array(),
    packages: await packagesOf(folder, Object.keys(built.metafile.inputs)),
  };
}

async function packagesOf(folder: string, inputs: readonly string[]): Promise<readonly BundledPackage[]> {
  const manifests = new Set(inputs.flatMap((input) => manifestAbove(folder, join(folder, input))));
  const found = new Map<string, BundledPackage>();
  for (const path of manifests) {
    const { name, version, license } = JSON.parse(await readFile(path, "utf8")) as Partial<BundledPackage>;
    if (name === undefined || version === undefined) continue;
    found.set(`${name}@${version}`, { name, version, ...(license === undefined ? {} : { license }) });
  }
  return [...found.entries()].toSorted(([left], [right]) => (left < right ? -1 : 1)).map(([, each]) => each);
}

/** The package.json that a file belongs to; the project's own is left out. */
function manifestAbove(project: string, file: string): readonly string[] {
  for (let folder = dirname(file); folder !== project && folder !== dirname(folder); folder = dirname(folder)) {
    const path = join(folder, "package.json");
    if (existsSync(path)) return [path];
  }
  return [];
}
