/**
 * Is a CRD's schema structural? Every field has a type, and what stands below allOf, anyOf, oneOf and not only constrains
 * values that are described outside of them. Messages and paths are kube-apiserver's. Used by validate-schema.ts.
 */
import { type FieldError, fieldForbidden, fieldInvalid, fieldRequired } from "../protocol/field-error.ts";
import { additionalSchemaOf, isSet, itemsOf, type OpenApiSchema } from "./crd-input.ts";
import { validateNested } from "./validate-nested.ts";

type Level = "root" | "item" | "field";

/** Keywords that no schema of a CRD may use, in the words of the error that names them. */
const UNSUPPORTED = {
  id: "id",
  $schema: "schema",
  $ref: "$ref",
  patternProperties: "patternProperties",
  dependencies: "dependencies",
  additionalItems: "additionalItems",
  definitions: "definitions",
} as const;

/** Why a schema cannot even be read as a structural one, or nothing. */
export function structuralProblem(schema: OpenApiSchema): string | undefined {
  for (const [keyword, name] of Object.entries(UNSUPPORTED)) {
    if (isSet(schema[keyword])) return `OpenAPIV3Schema '${name}' is not supported`;
  }
  if (Array.isArray(schema.items)) return "OpenAPIV3Schema 'items' must be a schema, but is an array";
  if (schema["x-kubernetes-preserve-unknown-fields"] === false) {
    return "internal error: 'x-kubernetes-preserve-unknown-fields' must be true or undefined";
  }
  return below(schema)
    .map(structuralProblem)
    .find((problem) => problem !== undefined);
}

function below(schema: OpenApiSchema): OpenApiSchema[] {
  return [
    itemsOf(schema),
    additionalSchemaOf(schema),
    schema.not,
    ...Object.values(schema.properties ?? {}),
    ...(schema.allOf ?? []),
    ...(schema.anyOf ?? []),
    ...(schema.oneOf ?? []),
  ].filter((child) => child !== undefined);
}

/** All that keeps a schema from being structural, sorted by text. */
export function validateStructural(schema: OpenApiSchema, path: string): FieldError[] {
  const errors = validateNode(schema, { path, level: "root" });
  const text = (error: FieldError) => `${error.field}: ${error.message}`;
  return errors.sort((left, right) => (text(left) < text(right) ? -1 : 1));
}

interface Place {
  readonly path: string;
  readonly level: Level;
}

function validateNode(schema: OpenApiSchema, place: Place): FieldError[] {
  const { path, level } = place;
  const items = itemsOf(schema);
  const additional = additionalSchemaOf(schema);
  const at = (field: string, next: Level) => ({ ...place, path: field, level: next });
  return [
    ...(schema.type === "array" && items === undefined ? [fieldRequired(`${path}.items`, "must be specified")] : []),
    ...(items === undefined ? [] : validateNode(items, at(`${path}.items`, "item"))),
    ...Object.entries(schema.properties ?? {}).flatMap(([name, property]) =>
      validateNode(property, at(`${path}.properties[${name}]`, "field")),
    ),
    ...(schema.additionalProperties !== undefined && level === "root"
      ? [fieldForbidden(`${path}.additionalProperties`, "must not be used at the root")]
      : []),
    ...(additional === undefined ? [] : validateNode(additional, at(`${path}.additionalProperties`, "field"))),
    ...validateExtensions(schema, path),
    ...validateNested(schema, place),
    ...validateType(schema, path, level),
    ...validateResourceFields(schema, path, level),
  ];
}

function validateExtensions(schema: OpenApiSchema, path: string): FieldError[] {
  if (!schema["x-kubernetes-int-or-string"]) return [];
  return (["x-kubernetes-preserve-unknown-fields", "x-kubernetes-embedded-resource"] as const)
    .filter((keyword) => schema[keyword] === true)
    .map((keyword) => fieldInvalid(`${path}.${keyword}`, true, "must be false if x-kubernetes-int-or-string is true"));
}

const EMPTY_TYPE: Readonly<Record<Level, string>> = {
  root: "must not be empty at the root",
  item: "must not be empty for specified array items",
  field: "must not be empty for specified object fields",
};

function validateType(schema: OpenApiSchema, path: string, level: Level): FieldError[] {
  const errors: FieldError[] = [];
  const { type = "" } = schema;
  const embedded = schema["x-kubernetes-embedded-resource"] === true;
  if (embedded && type !== "object") {
    const detail = "must be object if x-kubernetes-embedded-resource is true";
    errors.push(type === "" ? fieldRequired(`${path}.type`, detail) : fieldInvalid(`${path}.type`, type, detail));
  } else if (type === "" && !schema["x-kubernetes-int-or-string"] && !schema["x-kubernetes-preserve-unknown-fields"]) {
    errors.push(fieldRequired(`${path}.type`, EMPTY_TYPE[level]));
  }
  if (embedded && schema.additionalProperties !== undefined) {
    const detail = "must not be used if x-kubernetes-embedded-resource is set";
    errors.push(fieldForbidden(`${path}.additionalProperties`, detail));
  }
  if (level === "root" && type !== "" && type !== "object") {
    errors.push(fieldInvalid(`${path}.type`, type, "must be object at the root"));
  }
  return errors;
}

/** apiVersion, kind and metadata belong to the API server, at the root and in embedded resources. */
function validateResourceFields(schema: OpenApiSchema, path: string, level: Level): FieldError[] {
  const errors: FieldError[] = [];
  const { properties = {} } = schema;
  const embedded = schema["x-kubernetes-embedded-resource"] === true;
  const isResource = level === "root" || embedded;
  const expected = { kind: "string", apiVersion: "string", metadata: "object" } as const;
  for (const [name, type] of isResource ? Object.entries(expected) : []) {
    const property = Object.hasOwn(properties, name) ? properties[name] : undefined;
    if (property === undefined || property.type === type) continue;
    errors.push(fieldInvalid(`${path}.properties[${name}].type`, property.type ?? "", `must be ${type}`));
  }
  if (level === "root" && Object.hasOwn(properties, "metadata") && !isPlainMetadata(properties["metadata"])) {
    const detail = "must not specify anything other than name and generateName, but metadata is implicitly specified";
    errors.push(fieldForbidden(`${path}.properties[metadata]`, detail));
  }
  if (embedded && !schema["x-kubernetes-preserve-unknown-fields"] && Object.keys(properties).length === 0) {
    const detail =
      "must not be empty if x-kubernetes-embedded-resource is true without x-kubernetes-preserve-unknown-fields";
    errors.push(fieldRequired(`${path}.properties`, detail));
  }
  return errors;
}

/** Nothing but a type, a default (refused elsewhere) and the two names. */
function isPlainMetadata(metadata: OpenApiSchema | undefined): boolean {
  const { type: _type, default: _default, properties = {}, ...rest } = metadata ?? {};
  const onlyNames = Object.keys(properties).every((name) => name === "name" || name === "generateName");
  return onlyNames && !Object.values(rest).some(isSet);
}
