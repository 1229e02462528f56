/**
 * The package.json of a published package, made from the one in the repository: entry points lead to JavaScript and
 * declarations in place of sources, and what only the repository needs is left out. Pure; build.ts writes it.
 */

/** What the build reads of a package.json. */
export interface SourceManifest {
  readonly name: string;
  readonly version: string;
  readonly description: string;
  readonly license: string;
  readonly type: "module";
  readonly private?: boolean;
  readonly bin?: Readonly<Record<string, string>>;
  readonly exports: Readonly<Record<string, string>>;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
  readonly peerDependenciesMeta?: Readonly<Record<string, { readonly optional?: boolean }>>;
}

/** Where one entry point of a published package leads. */
export interface PublishedEntry {
  readonly types: string;
  readonly default: string;
}

/** The oldest Node.js that runs the packages. */
const NODE_RANGE = ">=24";

/** What goes into the package.json of the published package. */
export function publishedManifest(source: SourceManifest): object {
  const { name, version, description, license, type, bin, dependencies, optionalDependencies } = source;
  return {
    name,
    version,
    description,
    license,
    type,
    engines: { node: NODE_RANGE },
    sideEffects: false,
    files: ["dist"],
    ...(bin && { bin: mapValues(bin, (path) => builtPath(path, ".js")) }),
    exports: { ...publishedExports(source), "./package.json": "./package.json" },
    ...(hasEntries(dependencies) && { dependencies }),
    ...(hasEntries(optionalDependencies) && { optionalDependencies }),
    ...(hasEntries(source.peerDependencies) && { peerDependencies: source.peerDependencies }),
    ...(hasEntries(source.peerDependenciesMeta) && { peerDependenciesMeta: source.peerDependenciesMeta }),
    publishConfig: { access: "public" },
  };
}

/** Entry points with the types before the code, as TypeScript asks for. */
export function publishedExports(source: SourceManifest): Readonly<Record<string, PublishedEntry>> {
  return mapValues(source.exports, (path) => ({ types: builtPath(path, ".d.ts"), default: builtPath(path, ".js") }));
}

/** "./src/a.ts" → "./dist/a.js" */
function builtPath(path: string, extension: ".js" | ".d.ts"): string {
  if (!/^\.\/src\/.+\.ts$/.test(path)) throw new Error(`"${path}" must be ./src/….ts: entry points are sources here`);
  return path.replace(/^\.\/src\//, "./dist/").replace(/\.ts$/, extension);
}

function mapValues<From, To>(record: Readonly<Record<string, From>>, to: (value: From) => To): Record<string, To> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, to(value)]));
}

function hasEntries(record: object | undefined): boolean {
  return record !== undefined && Object.keys(record).length > 0;
}
