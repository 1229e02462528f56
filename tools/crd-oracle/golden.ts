/**
 * `node tools/crd-oracle/golden.ts`: writes the golden CRDs anew, by running controller-gen on the Go types below
 * packages/core/src/schema/testdata/controller-gen. Needs Go and its module proxy; `npm test` needs only the committed result.
 */
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { runProgram } from "../go-program.ts";

const CONTROLLER_GEN = "sigs.k8s.io/controller-tools/cmd/controller-gen@v0.23.0";
const KUBERNETES = "v0.36.3";
/** The folder of the golden files, and of the Go types that they are made from. */
export const CONTROLLER_GEN_GOLDENS: string = resolve(
  import.meta.dirname,
  "../../packages/core/src/schema/testdata/controller-gen",
);

/** The CRDs that controller-gen writes, by the names of their files. */
export function generateCrds(): Readonly<Record<string, string>> {
  const folder = mkdtempSync(join(tmpdir(), "kubewright-crd-golden-"));
  try {
    cpSync(CONTROLLER_GEN_GOLDENS, folder, { recursive: true });
    writeFileSync(join(folder, "go.mod"), goModule());
    runProgram("go", ["mod", "tidy"], { folder });
    const options = ["crd:allowDangerousTypes=true,maxDescLen=0", "paths=./...", "output:crd:dir=./crds"];
    runProgram("go", ["run", "-mod=mod", CONTROLLER_GEN, ...options], { folder });
    const crds = join(folder, "crds");
    return Object.fromEntries(readdirSync(crds).map((file) => [file, readFileSync(join(crds, file), "utf8")]));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function goModule(): string {
  const requires = ["apimachinery", "apiextensions-apiserver"].map((name) => `\tk8s.io/${name} ${KUBERNETES}`);
  return `module example.com/golden\n\ngo 1.26\n\nrequire (\n${requires.join("\n")}\n)\n`;
}

if (import.meta.main) {
  for (const [file, text] of Object.entries(generateCrds())) writeFileSync(join(CONTROLLER_GEN_GOLDENS, file), text);
}
