/**
 * The packages as users get them: built, packed, installed from tarballs in an empty folder, imported by plain Node.js and
 * type-checked by a strict project. Nothing comes from a registry: packages of others are packed from node_modules.
 */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { after, before, test } from "node:test";
import { buildPackages, type PackageFolders } from "./build.ts";
import { entryPoints } from "./entry-points.ts";

const ROOT = resolve(import.meta.dirname, "../..");
/** Types of Node.js, which a project that runs on it has. */
const CONSUMER_TYPES = ["@types/node", "undici-types"];

const folder = mkdtempSync(join(tmpdir(), "kubewright-build-"));
const consumer = join(folder, "consumer");
let packages: readonly PackageFolders[] = [];
let specifiers: readonly string[] = [];

before(() => {
  packages = buildPackages(join(folder, "packages"));
  specifiers = packages.flatMap(({ source, manifest }) =>
    entryPoints(manifest, globSync("src/**/*.ts", { cwd: source })).map((each) => each.specifier),
  );
  const installed = [
    ...packages.map((each) => each.target),
    ...foreignPackages().map((name) => join(ROOT, "node_modules", name)),
  ];
  install(pack(installed));
});

after(() => rmSync(folder, { recursive: true, force: true }));

test("every entry point is imported by plain Node.js", () => {
  const lines = specifiers.map((specifier) => `await import(${JSON.stringify(specifier)});`);
  writeFileSync(join(consumer, "import-all.mjs"), [...lines, `console.log(${lines.length});`].join("\n"));
  assert.ok(specifiers.includes("kubewright") && specifiers.includes("kubewright/apps/v1"), specifiers.join(" "));
  assert.equal(run(consumer, process.execPath, "import-all.mjs").trim(), String(specifiers.length));
});

test("the types of every entry point resolve in a strict project", () => {
  const lines = specifiers.map((specifier, index) => `import * as entry${index} from ${JSON.stringify(specifier)};`);
  const uses = specifiers.map((_, index) => `export type Entry${index} = typeof entry${index};`);
  const example = [
    'import { Deployment } from "kubewright/apps/v1";',
    'import type { ObjectOf } from "@kubewright/core/meta";',
    "export const replicas = (deployment: ObjectOf<typeof Deployment>): number => deployment.spec?.replicas ?? 1;",
    "// @ts-expect-error a type that resolves to `any` would accept this",
    'export const wrong = (deployment: ObjectOf<typeof Deployment>): string => deployment.spec?.replicas ?? "";',
  ];
  writeFileSync(join(consumer, "consumer.ts"), [...lines, ...example, ...uses].join("\n"));
  const compilerOptions = { module: "nodenext", target: "es2024", strict: true, noEmit: true, types: ["node"] };
  writeFileSync(join(consumer, "tsconfig.json"), JSON.stringify({ compilerOptions, files: ["consumer.ts"] }));
  assert.equal(run(consumer, join(ROOT, "node_modules/.bin/tsc"), "-p", "."), "");
});

test("a package holds what runs and nothing else", () => {
  const files = packages.flatMap(({ target }) => globSync("**/*.*", { cwd: target }));
  assert.deepEqual(
    files.filter((path) => /\.test\.|testdata|(?<!\.d)\.ts$/.test(path)),
    [],
  );
  for (const { target, manifest } of packages) {
    assert.match(readFileSync(join(target, "README.md"), "utf8"), /^# /, manifest.name);
    assert.doesNotMatch(readFileSync(join(target, "README.md"), "utf8"), /\]\((?!https:)/, manifest.name);
    assert.match(readFileSync(join(target, "LICENSE"), "utf8"), /Apache License/, manifest.name);
  }
});

test("building again gives the same bytes", () => {
  const again = buildPackages(join(folder, "again"));
  assert.deepEqual(
    again.map(({ target }) => digest(target)),
    packages.map(({ target }) => digest(target)),
  );
});

/** What the packages, or their types, want from others. */
function foreignPackages(): readonly string[] {
  const wanted = packages.flatMap(({ manifest }) =>
    Object.keys({ ...manifest.dependencies, ...manifest.peerDependencies, ...manifest.optionalDependencies }),
  );
  const own = new Set(packages.map(({ manifest }) => manifest.name));
  return [...new Set([...wanted.filter((name) => !own.has(name)), ...CONSUMER_TYPES])].sort();
}

/** Tarballs of the packages in these folders, by package name. */
function pack(folders: readonly string[]): ReadonlyMap<string, string> {
  const output = run(folder, "npm", "pack", "--json", "--ignore-scripts", "--pack-destination", folder, ...folders);
  const packed = JSON.parse(output) as readonly { readonly name: string; readonly filename: string }[];
  return new Map(packed.map(({ name, filename }) => [name, join(folder, filename)]));
}

function install(tarballs: ReadonlyMap<string, string>): void {
  mkdirSync(consumer);
  const dependencies = Object.fromEntries([...tarballs].map(([name, path]) => [name, `file:${path}`]));
  writeFileSync(join(consumer, "package.json"), JSON.stringify({ type: "module", private: true, dependencies }));
  run(consumer, "npm", "install", "--offline", "--ignore-scripts", "--no-audit", "--no-fund");
}

function run(cwd: string, command: string, ...args: readonly string[]): string {
  const { status, stdout, stderr, error } = spawnSync(command, args, { cwd, encoding: "utf8", maxBuffer: 2 ** 26 });
  assert.equal(status, 0, `${command} ${args.join(" ")} failed: ${error ?? ""}\n${stdout}\n${stderr}`);
  return stdout;
}

function digest(target: string): string {
  const hash = createHash("sha256");
  for (const path of globSync("**/*.*", { cwd: target }).sort())
    hash.update(path).update(readFileSync(join(target, path)));
  return hash.digest("hex");
}
