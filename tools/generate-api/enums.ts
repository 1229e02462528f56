/**
 * Enums, which the published OpenAPI documents leave out: read from the OpenAPI code of kube-apiserver and put into the
 * schemas, where the printer of types and the table of types find them.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { KubernetesSource, OpenApiSchema } from "./kubernetes-source.ts";
import { parseTypeName } from "./model.ts";

/** The allowed values of a field, of the items of its list or map, or both. */
interface FieldEnum {
  readonly values?: readonly string[];
  readonly itemValues?: readonly string[];
}

/** The same source, with enums in its schemas. */
export function withEnums(source: KubernetesSource): KubernetesSource {
  const enums = readEnums(source.directory);
  const schemas = [...source.schemas].map(([openApiName, schema]) => {
    const typeName = parseTypeName(openApiName);
    if (typeName === undefined) return [openApiName, schema] as const;
    return [openApiName, addToProperties(schema, `${typeName.module}.${typeName.name}`, enums)] as const;
  });
  return { ...source, schemas: new Map(schemas) };
}

function addToProperties(schema: OpenApiSchema, type: string, enums: ReadonlyMap<string, FieldEnum>): OpenApiSchema {
  if (schema.properties === undefined) return schema;
  const properties = Object.entries(schema.properties).map(([name, property]) => {
    const { values, itemValues } = enums.get(`${type}.${name}`) ?? {};
    const below = property.items === undefined ? "additionalProperties" : "items";
    const items = itemValues && { [below]: { ...property[below], enum: itemValues } };
    return [name, { ...property, ...(values && { enum: values }), ...items }] as const;
  });
  return { ...schema, properties: Object.fromEntries(properties) };
}

/** Enums by "apps/v1.DeploymentStrategy.type". */
function readEnums(kubernetesDirectory: string): Map<string, FieldEnum> {
  const text = readFileSync(join(kubernetesDirectory, "pkg/generated/openapi/zz_generated.openapi.go"), "utf8");
  const enums = new Map<string, FieldEnum>();
  let type = "";
  let field = "";
  for (const line of text.split("\n")) {
    const declared = /^func schema_\w*?_?([a-z0-9]+)_(v\d[a-z0-9]*)_(\w+)\(/.exec(line);
    if (declared !== null) type = `${declared[1]}/${declared[2]}.${declared[3]}`;
    field = /^\t{5}"([^"]+)": \{$/.exec(line)?.[1] ?? field;
    const found = /^(\t+)Enum:\s+\[\]interface\{\}\{(.*)\},$/.exec(line);
    if (found !== null) addEnum(enums, `${type}.${field}`, found as unknown as EnumLine);
  }
  return enums;
}

type EnumLine = readonly [line: string, indent: string, values: string];

/** The schema of the field itself is seven levels deep in the Go code; anything deeper is about its items. */
function addEnum(enums: Map<string, FieldEnum>, key: string, [, indent, list]: EnumLine): void {
  const values = JSON.parse(`[${list}]`) as string[];
  enums.set(key, { ...enums.get(key), [indent.length === 7 ? "values" : "itemValues"]: values });
}
