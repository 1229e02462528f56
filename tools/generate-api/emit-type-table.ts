/**
 * Prints the table behind schemas, zero values and protobuf messages: one row per Go struct, with what OpenAPI says of
 * each field. packages/api/src/tables/type-table.ts reads it. Fails if Go and OpenAPI disagree on the fields of a type.
 */
import type { FieldAttributes } from "../../packages/api/src/tables/type-table.ts";
import type { GoFacts, GoField } from "./go-facts.ts";
import { openApiName, structsIn, typeId } from "./go-names.ts";
import type { OpenApiSchema } from "./kubernetes-source.ts";
import { HEADER } from "./output.ts";

/** Where the rows come from. */
export interface TypeTableSource {
  readonly facts: GoFacts;
  readonly schemas: ReadonlyMap<string, OpenApiSchema>;
}

/** The attributes that are copied as they are. */
const COPIED = [
  "x-kubernetes-list-type",
  "x-kubernetes-list-map-keys",
  "x-kubernetes-map-type",
  "x-kubernetes-patch-strategy",
  "x-kubernetes-patch-merge-key",
] as const;

/** The source text of the table. */
export function emitTypeTable(source: TypeTableSource): string {
  const kinds = source.facts.kinds.filter(({ type }) => source.schemas.has(openApiName(type)));
  const owners = schemaOwners(source);
  const rows = [...reachable(kinds, source.facts)]
    .sort((a, b) => (typeId(a) < typeId(b) ? -1 : 1))
    .map((type) => `  ${JSON.stringify(typeId(type))}: ${quote(printRow(type, owners, source))},\n`);
  return `${HEADER}
/** Kinds by group/version. */
export const kinds: Readonly<Record<string, readonly string[]>> = {\n${printKinds(kinds)}};

/** Rows by id, as JSON text. */
export const types: Readonly<Record<string, string>> = {\n${rows.join("")}};\n`;
}

/** The types of these kinds and all that they contain. */
function reachable(kinds: GoFacts["kinds"], facts: GoFacts): Set<string> {
  const found = new Set<string>();
  const visit = (type: string): void => {
    const fields = facts.types[type];
    if (fields === undefined || found.has(type)) return;
    found.add(type);
    for (const name of fields.flatMap((field) => structsIn(field.type))) visit(name);
  };
  for (const { type } of kinds) visit(type);
  // The schemas of a CRD stand behind types with JSON of their own, which have no fields to follow.
  for (const type of Object.keys(facts.types)) if (type.endsWith(".JSONSchemaProps")) visit(type);
  return found;
}

function printKinds(kinds: GoFacts["kinds"]): string {
  const objects = kinds.filter(({ kind }) => kind !== "DeleteOptions");
  const byVersion = Map.groupBy(objects, ({ group, version }) => `${group}/${version}`);
  return [...byVersion]
    .map(([version, kinds]) => `  ${JSON.stringify(version)}: ${JSON.stringify(kinds.map(({ kind }) => kind))},\n`)
    .join("");
}

function printRow(type: string, owners: ReadonlyMap<string, string>, source: TypeTableSource): string {
  const owner = owners.get(type);
  const schema = owner === undefined ? undefined : source.schemas.get(openApiName(owner));
  const fields = (source.facts.types[type] ?? []).map((field) => {
    const attributes = attributesOf(field, schema);
    const tuple = [field.name, field.number, shortType(field.type), field.omit];
    return Object.keys(attributes).length === 0 ? tuple : [...tuple, attributes];
  });
  const mapType = owner === type ? schema?.["x-kubernetes-map-type"] : undefined;
  return JSON.stringify({ fields, ...(mapType && { mapType }) });
}

/**
 * The type whose OpenAPI schema describes the fields of a type: itself, or, for structs that only ever stand inline, the
 * first that inlines it.
 */
function schemaOwners({ facts, schemas }: TypeTableSource): Map<string, string> {
  const owners = new Map<string, string>();
  for (const type of Object.keys(facts.types).sort()) {
    const schema = schemas.get(openApiName(type));
    if (schema === undefined) continue;
    owners.set(type, type);
    assertSameFields(type, schema, facts);
    for (const { type: inlined } of inlineFields(type, facts)) if (!owners.has(inlined)) owners.set(inlined, type);
  }
  return owners;
}

function inlineFields(type: string, facts: GoFacts): readonly GoField[] {
  return (facts.types[type] ?? []).filter(({ name, type }) => name === "" && !type.endsWith("TypeMeta"));
}

function assertSameFields(type: string, schema: OpenApiSchema, facts: GoFacts): void {
  const inGo = jsonNames(type, facts).sort().join();
  const inOpenApi = Object.keys(schema.properties ?? {})
    .sort()
    .join();
  if (inGo !== inOpenApi) throw new Error(`${type} has the fields ${inGo} in Go, but ${inOpenApi} in OpenAPI`);
}

function jsonNames(type: string, facts: GoFacts): string[] {
  return (facts.types[type] ?? []).flatMap((field) =>
    field.name === "" ? jsonNames(field.type, facts) : [field.name],
  );
}

function attributesOf(field: GoField, schema: OpenApiSchema | undefined): FieldAttributes {
  const property = schema?.properties?.[field.name];
  if (property === undefined) return {};
  const copied = COPIED.filter((key) => property[key] !== undefined).map((key) => [key, property[key]]);
  return {
    ...(schema?.required?.includes(field.name) && { required: true }),
    ...(property.default !== undefined && { default: property.default as string | number | boolean }),
    ...(property.enum && { enum: property.enum }),
    ...(property.items?.enum && { items: { enum: property.items.enum } }),
    ...(property.additionalProperties?.enum && { additionalProperties: { enum: property.additionalProperties.enum } }),
    ...Object.fromEntries(copied),
  };
}

/** The type expression with ids for structs and bare names for types with JSON of their own. */
function shortType(expression: string): string {
  return expression.replace(/k8s\.io\/[\w./-]+/, (goName) => {
    const name = goName.slice(goName.lastIndexOf(".") + 1);
    return SPECIAL.has(name) ? name : typeId(goName);
  });
}

const SPECIAL: ReadonlySet<string> = new Set([
  "FieldsV1",
  "IntOrString",
  "JSON",
  "JSONSchemaPropsOrArray",
  "JSONSchemaPropsOrBool",
  "JSONSchemaPropsOrStringArray",
  "MicroTime",
  "Quantity",
  "RawExtension",
  "Time",
]);

/** A string literal in single quotes, because rows are full of double ones. */
function quote(text: string): string {
  return `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;
}
