/** The operator in one file: its sources and every package it loads, joined by esbuild. The same sources give the same bytes. */
import { existsSync, readFileSync } from "node:fs";
import { dirname, join, relative, sep } from "node:path";
import { CommandError } from "../command/command-error.ts";
import { builtinModules, zodNamespace } from "./bundle-plugins.ts";

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
    js: 'const require = process.getBuiltinModule("node:module").createRequire(import.meta.url);',
  },
  legalComments: "eof",
  metafile: true,
  write: false,
  logLevel: "silent",
} as const;

/**
 * A quarter less to read at the start, and without comments, one letter of which, beyond Latin-1, would make every letter of the text
 * take two bytes of memory. Names stay, and lines short enough for a stack to say where it was.
 */
const COMPACT = {
  format: "esm",
  target: "node24",
  minifyWhitespace: true,
  lineLimit: 160,
  legalComments: "eof",
} as const;

/** Bundles src/main.ts of a project. */
export async function bundleOperator(folder: string): Promise<OperatorBundle> {
  const { build, transform } = await import("esbuild");
  const plugins = [builtinModules, zodNamespace];
  const built = await build({ ...OPTIONS, plugins, absWorkingDir: folder, entryPoints: ["src/main.ts"] }).catch(
    (error: Error) => {
      throw new CommandError(`the operator cannot be bundled: ${error.message}`, {
        remedy: "npm run check shows type errors; npm install brings missing packages",
      });
    },
  );
  const owners = new Map(Object.keys(built.metafile.inputs).map((input) => [input, ownerOf(folder, input)] as const));
  const { code } = await transform(withoutPlaces(built.outputFiles[0]?.text ?? "", owners), COMPACT);
  return {
    code: Buffer.from(code),
    packages: packagesOf([...owners.values()]),
  };
}

/** The package that a file of the bundle belongs to, and where it is in it. */
interface Owner {
  readonly package: BundledPackage;
  readonly path: string;
}

/** The nearest named package above a file; undefined for files of the project itself. */
function ownerOf(project: string, input: string): Owner | undefined {
  const file = join(project, input);
  for (let folder = dirname(file); folder !== project && folder !== dirname(folder); folder = dirname(folder)) {
    const manifest = join(folder, "package.json");
    if (!existsSync(manifest)) continue;
    const { name, version, license } = JSON.parse(readFileSync(manifest, "utf8")) as Partial<BundledPackage>;
    if (name === undefined || version === undefined) continue; // It says how the folder is loaded, no more.
    const found = { name, version, ...(license === undefined ? {} : { license }) };
    return { package: found, path: relative(folder, file).replaceAll(sep, "/") };
  }
  return undefined;
}

/**
 * The bundle names the file of each module, relative to the project. Packages that are linked or installed further up would
 * make the digest depend on where the project lies, and tell where that is: each file is named by its package instead.
 */
function withoutPlaces(code: string, owners: ReadonlyMap<string, Owner | undefined>): string {
  return code.replace(/^(\/\/ | +")([^"\n]+)(?=$|"\()/gm, (line, before: string, input: string) => {
    const owner = owners.get(input);
    return owner === undefined ? line : `${before}node_modules/${owner.package.name}/${owner.path}`;
  });
}

function packagesOf(owners: readonly (Owner | undefined)[]): readonly BundledPackage[] {
  const found = new Map(
    owners.flatMap((owner) =>
      owner === undefined ? [] : [[`${owner.package.name}@${owner.package.version}`, owner.package] as const],
    ),
  );
  return [...found.entries()].toSorted(([left], [right]) => (left < right ? -1 : 1)).map(([, each]) => each);
}
