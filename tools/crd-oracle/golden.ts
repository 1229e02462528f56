/**
 * Regenerates the golden CRDs: runs controller-gen on the Go types below packages/core/src/schema/testdata/controller-gen.
 * Needs Go and its module proxy; `npm test` needs only the committed result.
 */
import { execFileSync } from "node:child_process";
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

const CONTROLLER_GEN = "sigs.k8s.io/controller-tools/cmd/controller-gen@v0.23.0";
const KUBERNETES = "v0.36.3";
const goldens = resolve(import.meta.dirname, "../../packages/core/src/schema/testdata/controller-gen");

const work = mkdtempSync(join(tmpdir(), "crd-golden-"));
try {
  cpSync(goldens, work, { recursive: true });
  writeFileSync(join(work, "go.mod"), goModule());
  run("go", ["mod", "tidy"]);
  run("go", [
    "run",
    CONTROLLER_GEN,
    "crd:allowDangerousTypes=true,maxDescLen=0",
    "paths=./...",
    "output:crd:dir=./crds",
  ]);
  for (const file of readdirSync(join(work, "crds"))) {
    writeFileSync(join(goldens, file), readFileSync(join(work, "crds", file)));
    console.log(`wrote ${file}`);
  }
} finally {
  rmSync(work, { recursive: true, force: true });
}

function goModule(): string {
  const requires = ["apimachinery", "apiextensions-apiserver"].map((name) => `\tk8s.io/${name} ${KUBERNETES}`);
  return `module example.com/golden\n\ngo 1.26\n\nrequire (\n${requires.join("\n")}\n)\n`;
}

function run(command: string, args: readonly string[]): void {
  execFileSync(command, args, { cwd: work, stdio: "inherit", env: { ...process.env, GOFLAGS: "-mod=mod" } });
}
