/**
 * `npm run generate`: reads Kubernetes' own documents and writes the generated parts of packages/api and
 * packages/kubewright. `npm run generate -- --check` writes nothing and fails if the committed files differ; with
 * `--if-possible` it says so and succeeds where Go or its module proxy is not to be had.
 */
import { resolve } from "node:path";
import { wrongEncodings } from "./check-encodings.ts";
import { emitDiscovery } from "./emit-discovery.ts";
import { emitModule, exportedNames, type ModuleSource } from "./emit-module.ts";
import { emitTypeTable } from "./emit-type-table.ts";
import { withEnums } from "./enums.ts";
import { readGoFacts, readGoldens } from "./go-facts.ts";
import { withGoSchemas } from "./go-schemas.ts";
import { type KubernetesSource, readKubernetesSource, whatIsMissing } from "./kubernetes-source.ts";
import { shortGroup, typesByModule } from "./model.ts";
import { differences, HEADER, type Output, writeOutput } from "./output.ts";

const root = resolve(import.meta.dirname, "../..");
const missing = process.argv.includes("--if-possible") ? whatIsMissing() : undefined;
if (missing !== undefined) console.log(`generated files are not compared: ${missing}`);
else if (process.argv.includes("--check")) check([...differences(root, generate()), ...wrongEncodings()]);
else writeOutput(root, generate());

function generate(): Output {
  const facts = readGoFacts();
  const source = withGoSchemas(withEnums(readKubernetesSource()), facts);
  const files = new Map<string, string>();
  for (const module of moduleSources(source)) {
    files.set(`packages/api/src/generated/${module.module}.ts`, emitModule(module));
    files.set(`packages/kubewright/src/generated/${module.module}.ts`, emitFacade(module));
  }
  files.set("packages/api/src/tables/generated/discovery.ts", emitDiscovery(source.versions));
  const typeTable = emitTypeTable({ facts, schemas: source.schemas });
  files.set("packages/api/src/tables/generated/types.ts", typeTable);
  files.set("packages/api/src/testdata/goldens.json", readGoldens());
  return files;
}

function moduleSources(source: KubernetesSource): ModuleSource[] {
  const discovered = new Map(source.versions.map((entry) => [`${shortGroup(entry.group)}/${entry.version}`, entry]));
  return [...typesByModule(source)].map(([module, types]) => ({ module, types, discovered: discovered.get(module) }));
}

/** `kubewright/apps/v1`: the same names, from the facade. */
function emitFacade(module: ModuleSource): string {
  const names = exportedNames(module).map(({ name, isValue }) => `  ${isValue ? "" : "type "}${name},\n`);
  return `${HEADER}export {\n${names.join("")}} from "@kubewright/api/${module.module}";\n`;
}

function check(problems: readonly string[]): void {
  for (const line of problems) console.error(line);
  if (problems.length > 0) {
    console.error("generated files are not what the generator writes; run `npm run generate` and commit the result");
    process.exitCode = 1;
  }
}
