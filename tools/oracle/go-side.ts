/** The Go program beside this file: built once per run, fed with cases, read back line by line. */
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type MutableJsonObject, setKey } from "@kubewright/core/meta";
import type { StructuralSchema } from "@kubewright/core/schema";
import { objectMetaSchema } from "../../packages/core/src/patch/apply/object-meta-schema.ts";
import { schemaOfV2 } from "./answer.ts";
import type { OracleCase, Outcome } from "./oracle-case.ts";

const sources = join(import.meta.dirname, "go");

/** The built program, until it is disposed of. */
export interface GoSide extends Disposable {
  /** The outcomes of each case, in the order of the cases. */
  answer(cases: readonly OracleCase[]): readonly (readonly Outcome[])[];
}

/** Builds the Go program. Throws with the compiler's words when that fails. */
export function buildGoSide(): GoSide {
  const folder = mkdtempSync(join(tmpdir(), "kubewright-oracle-"));
  const program = join(folder, "oracle");
  const built = spawnSync("go", ["build", "-o", program, "."], { cwd: sources, encoding: "utf8" });
  if (built.error !== undefined) throw new Error(`cannot run go (${built.error.message}); install Go 1.26 or newer`);
  if (built.status !== 0) throw new Error(`cannot build tools/oracle/go: ${built.stderr}`);
  return {
    answer: (cases) => ask(program, cases),
    [Symbol.dispose]: () => rmSync(folder, { recursive: true }),
  };
}

function ask(program: string, cases: readonly OracleCase[]): readonly (readonly Outcome[])[] {
  const input = `${cases.map((oracleCase) => JSON.stringify(forGo(oracleCase))).join("\n")}\n`;
  const { stdout, stderr, status } = spawnSync(program, { input, encoding: "utf8", maxBuffer: 1 << 30 });
  if (status !== 0) throw new Error(`the Go program failed: ${stderr}`);
  const lines = stdout.trimEnd().split("\n");
  return lines.map((line) => (JSON.parse(line) as { outcomes: Outcome[] }).outcomes);
}

/** Apply cases get OpenAPI definitions instead of the bare structural schema, as the API server makes them for CRDs. */
function forGo(oracleCase: OracleCase): object {
  if (oracleCase.kind !== "apply") return oracleCase;
  const { schema, laterSchema, ...rest } = oracleCase;
  const laterSchemas = laterSchema && definitionsOf(laterSchema);
  return { ...rest, schemas: definitionsOf(schema), ...(laterSchemas && { laterSchemas }) };
}

function definitionsOf(schema: StructuralSchema): object {
  return { v1: rootDefinition(schema), v2: rootDefinition(schemaOfV2(schema)), ObjectMeta: objectMetaSchema };
}

function rootDefinition(schema: StructuralSchema): object {
  return withResourceFields(definition(schema) as StructuralSchema);
}

function definition(schema: StructuralSchema): object {
  const properties: MutableJsonObject = {};
  for (const [name, field] of Object.entries(schema.properties ?? {}))
    setKey(properties, name, definition(field) as never);
  const { additionalProperties, items } = schema;
  const result = {
    ...schema,
    ...(schema.properties === undefined ? {} : { properties }),
    ...(typeof additionalProperties === "object" ? { additionalProperties: definition(additionalProperties) } : {}),
    ...(items === undefined ? {} : { items: definition(items) }),
  };
  return schema["x-kubernetes-embedded-resource"] === true ? withResourceFields(result as StructuralSchema) : result;
}

function withResourceFields(schema: StructuralSchema): object {
  const text = { type: "string" };
  const metadata = { $ref: "#/definitions/ObjectMeta" };
  return { ...schema, properties: { ...schema.properties, apiVersion: text, kind: text, metadata } };
}
