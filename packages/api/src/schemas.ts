/**
 * `@kubewright/api/schemas`: the structural schemas of the built-in kinds, in the representation that custom resources
 * have. Built from the rows of tables/type-table.ts, one object at a time: the properties of an object are made when
 * they are first read, so a schema costs what is looked at, and JSONSchemaProps may contain itself.
 *
 * Scalars that are more than text carry a format: "quantity", "int-or-string", "date-time", "micro-time", "byte".
 */
import type { StructuralSchema } from "@kubewright/core/schema";
import { type FieldAttributes, type FieldRow, type GoType, typeOfKind, typeRow } from "./tables/type-table.ts";

const SCALARS: Readonly<Record<string, StructuralSchema>> = {
  bool: { type: "boolean" },
  bytes: { type: "string", format: "byte" },
  float64: { type: "number", format: "double" },
  int32: { type: "integer", format: "int32" },
  int64: { type: "integer", format: "int64" },
  string: { type: "string" },
  FieldsV1: { type: "object", "x-kubernetes-preserve-unknown-fields": true },
  IntOrString: { format: "int-or-string", "x-kubernetes-int-or-string": true },
  JSON: { "x-kubernetes-preserve-unknown-fields": true },
  JSONSchemaPropsOrArray: { "x-kubernetes-preserve-unknown-fields": true },
  JSONSchemaPropsOrBool: { "x-kubernetes-preserve-unknown-fields": true },
  JSONSchemaPropsOrStringArray: { "x-kubernetes-preserve-unknown-fields": true },
  MicroTime: { type: "string", format: "micro-time" },
  Quantity: { type: "string", format: "quantity" },
  // Whatever it holds belongs to one owner.
  RawExtension: { type: "object", "x-kubernetes-map-type": "atomic", "x-kubernetes-preserve-unknown-fields": true },
  Time: { type: "string", format: "date-time" },
};

const roots = new Map<string, StructuralSchema>();
const propertiesById = new Map<string, Readonly<Record<string, StructuralSchema>>>();

/** The schema of a built-in kind; undefined for kinds that are not built in. The same object at every call. */
export function schemaOf(group: string, version: string, kind: string): StructuralSchema | undefined {
  const id = typeOfKind(group, version, kind);
  if (id === undefined) return undefined;
  const schema = roots.get(id) ?? structSchema(id, {});
  roots.set(id, schema);
  return schema;
}

function schemaOfType(type: GoType, attributes: StructuralSchema): StructuralSchema {
  switch (type.kind) {
    case "pointer":
      return schemaOfType(type.of, attributes);
    case "list":
      return { type: "array", ...attributes, items: schemaOfType(type.of, attributes.items ?? {}) };
    case "map":
      return { type: "object", ...attributes, additionalProperties: schemaOfType(type.of, valuesOf(attributes)) };
    case "struct":
      return structSchema(type.id, attributes);
    case "scalar":
      return { ...scalarSchema(type.name), ...attributes };
  }
}

function valuesOf({ additionalProperties }: StructuralSchema): StructuralSchema {
  return typeof additionalProperties === "object" ? additionalProperties : {};
}

function scalarSchema(name: string): StructuralSchema {
  const schema = SCALARS[name];
  if (schema === undefined) throw new Error(`no schema is known for the scalar ${JSON.stringify(name)}`);
  return schema;
}

/** The schema of a struct: everything but its properties, which replace their getter when they are first read. */
function structSchema(id: string, attributes: StructuralSchema): StructuralSchema {
  const { mapType } = typeRow(id);
  const required = fieldsOf(id).filter((field) => field.attributes.required === true);
  const schema: StructuralSchema = {
    type: "object",
    ...(required.length > 0 && { required: required.map(({ name }) => name) }),
    ...(mapType !== undefined && { "x-kubernetes-map-type": mapType }),
    ...attributes,
  };
  return Object.defineProperty(schema, "properties", {
    enumerable: true,
    configurable: true,
    get(): unknown {
      const value = propertiesOf(id);
      Object.defineProperty(schema, "properties", { value, enumerable: true });
      return value;
    },
  });
}

function propertiesOf(id: string): Readonly<Record<string, StructuralSchema>> {
  const known = propertiesById.get(id);
  if (known !== undefined) return known;
  const properties = Object.fromEntries(
    fieldsOf(id).map(({ name, type, attributes }) => [name, schemaOfType(type, withoutRequired(attributes))]),
  );
  propertiesById.set(id, properties);
  return properties;
}

/** All fields of the JSON object: those of inlined structs stand among the others. */
function fieldsOf(id: string): readonly FieldRow[] {
  return typeRow(id).fields.flatMap((field) => {
    if (field.name !== "") return [field];
    return field.type.kind === "struct" ? fieldsOf(field.type.id) : [];
  });
}

function withoutRequired({ required: _required, ...attributes }: FieldAttributes): StructuralSchema {
  return attributes;
}
