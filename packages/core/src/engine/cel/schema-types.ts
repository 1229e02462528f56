/**
 * How a structural schema looks to CEL: which fields `self` has and of what types. Parts without a type (unknown fields)
 * are not there for rules; names that are no CEL identifiers are escaped as Kubernetes does it.
 */
import { celName } from "../../schema/cel-name.ts";
import type { StructuralSchema } from "../../schema/structural.ts";
import {
  boolType,
  bytesType,
  type CelType,
  doubleType,
  durationType,
  dynType,
  intType,
  listType,
  mapType,
  objectType,
  stringType,
  timestampType,
} from "./cel-type.ts";

const metaSchema: StructuralSchema = {
  type: "object",
  properties: { name: { type: "string" }, generateName: { type: "string" } },
};

/** At the root of resources apiVersion, kind and two fields of metadata are always there. */
export function withObjectMeta(schema: StructuralSchema): StructuralSchema {
  const { properties = {} } = schema;
  const { kind, apiVersion, metadata } = properties;
  const declared = metadata?.type === "object" && metadata.properties?.["name"]?.type === "string";
  if (kind?.type === "string" && apiVersion?.type === "string" && declared && metadata.properties?.["generateName"]) {
    return schema;
  }
  const text: StructuralSchema = { type: "string" };
  return { ...schema, properties: { ...properties, kind: text, apiVersion: text, metadata: metaSchema } };
}

/** The schema as rules see it: with object metadata where a resource begins. */
export function ruleSchema(schema: StructuralSchema, isRoot: boolean): StructuralSchema {
  return isRoot || schema["x-kubernetes-embedded-resource"] ? withObjectMeta(schema) : schema;
}

/** The CEL type of a schema; undefined when rules cannot see it. */
export function schemaType(schema: StructuralSchema, name: string, isRoot: boolean): CelType | undefined {
  if (schema["x-kubernetes-int-or-string"]) return dynType;
  const seen = ruleSchema(schema, isRoot);
  switch (seen.type) {
    case "array":
      return seen.items && wrap(schemaType(seen.items, `${name}.@idx`, false), listType);
    case "object":
      return objectSchemaType(seen, name);
    case "string":
      return textType(seen.format);
    case "boolean":
      return boolType;
    case "number":
      return doubleType;
    case "integer":
      return intType;
    default:
      return undefined;
  }
}

function wrap(type: CelType | undefined, make: (inner: CelType) => CelType): CelType | undefined {
  return type && make(type);
}

function objectSchemaType(schema: StructuralSchema, name: string): CelType | undefined {
  const { additionalProperties, properties = {} } = schema;
  if (typeof additionalProperties === "object") {
    return wrap(schemaType(additionalProperties, `${name}.@elem`, false), (value) => mapType(stringType, value));
  }
  const fields = new Map<string, CelType>();
  for (const [property, propertySchema] of Object.entries(properties)) {
    const escaped = escapeName(property);
    const type = escaped && schemaType(propertySchema, `${name}.${escaped}`, false);
    if (escaped && type) fields.set(escaped, type);
  }
  return objectType(name, fields);
}

/** The identifier of a property in rules; undefined for names that rules cannot spell. */
export function escapeName(property: string): string | undefined {
  return /^[A-Za-z_./-][A-Za-z0-9_./-]*$/.test(property) ? celName(property) : undefined;
}

function textType(format: string | undefined): CelType {
  if (format === "byte") return bytesType;
  if (format === "duration") return durationType;
  return format === "date" || format === "date-time" ? timestampType : stringType;
}
