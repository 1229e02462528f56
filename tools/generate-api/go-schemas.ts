/**
 * Schemas for the kinds that API servers send but do not serve, and so do not publish: the reviews that webhooks answer.
 * Made from the Go types; a field that Go always writes is required.
 */
import type { GoFacts, GoField } from "./go-facts.ts";
import { openApiName, structsIn } from "./go-names.ts";
import type { KubernetesSource, OpenApiSchema } from "./kubernetes-source.ts";

const WEBHOOK_KINDS = ["AdmissionReview", "ConversionReview"];

/** The same source, with the schemas that OpenAPI lacks. */
export function withGoSchemas(source: KubernetesSource, facts: GoFacts): KubernetesSource {
  const schemas = new Map(source.schemas);
  const add = (type: string): void => {
    const fields = facts.types[type];
    if (fields === undefined || schemas.has(openApiName(type))) return;
    const own = fields.filter(({ name }) => name !== "");
    schemas.set(openApiName(type), schemaOf(type, own, facts));
    for (const name of own.flatMap((field) => structsIn(field.type))) add(name);
  };
  for (const { kind, type } of facts.kinds) if (WEBHOOK_KINDS.includes(kind)) add(type);
  return { ...source, schemas };
}

function schemaOf(type: string, own: readonly GoField[], facts: GoFacts): OpenApiSchema {
  const gvk = facts.kinds.filter((kind) => kind.type === type);
  const typeMeta = { kind: { type: "string" }, apiVersion: { type: "string" } };
  return {
    type: "object",
    required: own.filter(({ omit }) => omit === "never").map(({ name }) => name),
    properties: {
      ...(gvk.length > 0 && typeMeta),
      ...Object.fromEntries(own.map((field) => [field.name, schemaOfType(field.type)])),
    },
    ...(gvk.length > 0 && { "x-kubernetes-group-version-kind": gvk }),
  };
}

const SCALARS: Readonly<Record<string, OpenApiSchema>> = {
  bool: { type: "boolean" },
  bytes: { type: "string", format: "byte" },
  int32: { type: "integer", format: "int32" },
  int64: { type: "integer", format: "int64" },
  string: { type: "string" },
};

function schemaOfType(expression: string): OpenApiSchema {
  if (expression.startsWith("*")) return schemaOfType(expression.slice(1));
  if (expression.startsWith("[]")) return { type: "array", items: schemaOfType(expression.slice(2)) };
  if (expression.startsWith("map[string]"))
    return { type: "object", additionalProperties: schemaOfType(expression.slice(11)) };
  return SCALARS[expression] ?? { $ref: `#/components/schemas/${openApiName(expression)}` };
}
