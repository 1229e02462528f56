/** The Go program beside this file: fed with cases, read back line by line. */
import { join } from "node:path";
import { type MutableJsonObject, setKey } from "@kubewright/core/meta";
import type { StructuralSchema } from "@kubewright/core/schema";
import { objectMetaSchema } from "../../packages/core/src/patch/apply/object-meta-schema.ts";
import { buildGoProgram, runProgram } from "../go-program.ts";
import { schemaOfV2 } from "./answer.ts";
import type { OracleCase, Outcome } from "./oracle-case.ts";

/** What Kubernetes' Go libraries make of cases: the outcomes of each, in the order of the cases. */
export type GoSide = (cases: readonly OracleCase[]) => readonly (readonly Outcome[])[];

/** Builds the Go program. Throws with the compiler's words when that fails. */
export function buildGoSide(): GoSide {
  const program = buildGoProgram(join(import.meta.dirname, "go"));
  return (cases) => {
    const input = `${cases.map((oracleCase) => JSON.stringify(forGo(oracleCase))).join("\n")}\n`;
    const lines = runProgram(program, [], { input }).trimEnd().split("\n");
    return lines.map((line) => (JSON.parse(line) as { outcomes: Outcome[] }).outcomes);
  };
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
