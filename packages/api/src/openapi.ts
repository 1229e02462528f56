/**
 * `@kubewright/api/openapi`: the built-in kinds as components of OpenAPI v3, one per struct, named as Kubernetes names
 * them and pointing to each other. The API server's OpenAPI documents are made of them; nothing is built before it is
 * asked for. Facts only: no descriptions.
 */
import { isJsonObject, type Json, type JsonObject } from "@kubewright/core/meta";
import { type FieldRow, type GoType, hasTypeRow, kindsOfType, typeOfKind, typeRow } from "./tables/type-table.ts";

/** A component and the names of the components it points to. */
export interface OpenApiComponent {
  readonly schema: JsonObject;
  readonly references: readonly string[];
}

/** Where documents of OpenAPI v3 keep their components. */
export const COMPONENTS_PREFIX = "#/components/schemas/";

const components = new Map<string, OpenApiComponent>();

/** The name of the component of a built-in kind ("io.k8s.api.apps.v1.Deployment"); undefined for other kinds. */
export function componentNameOf(group: string, version: string, kind: string): string | undefined {
  const id = typeOfKind(group, version, kind);
  return id === undefined ? undefined : nameOfStruct(id);
}

/** The component with this name; undefined when no built-in type has it. The same object at every call. */
export function componentOf(name: string): OpenApiComponent | undefined {
  const known = components.get(name);
  if (known !== undefined) return known;
  const component = scalarComponent(name) ?? structComponent(name);
  if (component !== undefined) components.set(name, component);
  return component;
}

/** A schema that points to a component, with other facts beside it: references stand alone, hence the allOf. */
export function referenceTo(name: string, facts: JsonObject = {}): JsonObject {
  const reference = { $ref: `${COMPONENTS_PREFIX}${name}` };
  return Object.keys(facts).length === 0 ? reference : { ...facts, allOf: [reference] };
}

/** Packages outside k8s.io/api, by the first part of their types' ids. */
const PACKAGES: Readonly<Record<string, string>> = {
  apiextensions: "io.k8s.apiextensions-apiserver.pkg.apis.apiextensions",
  apiregistration: "io.k8s.kube-aggregator.pkg.apis.apiregistration",
  meta: "io.k8s.apimachinery.pkg.apis.meta",
};

const PLAIN = "io.k8s.api.";

function nameOfStruct(id: string): string {
  const [packageName = "", rest = ""] = id.split("/");
  return `${PACKAGES[packageName] ?? `${PLAIN}${packageName}`}.${rest}`;
}

/** The inverse of `nameOfStruct`. */
function structOfName(name: string): string | undefined {
  const match = /^(.*)\.([^.]+)\.([^.]+)$/.exec(name);
  if (match === null) return undefined;
  const [, packagePath = "", version, type] = match;
  const own = Object.entries(PACKAGES).find(([, path]) => path === packagePath)?.[0];
  const packageName = own ?? (packagePath.startsWith(PLAIN) ? packagePath.slice(PLAIN.length) : undefined);
  return packageName === undefined ? undefined : `${packageName}/${version}.${type}`;
}

const APIEXTENSIONS = `${PACKAGES["apiextensions"]}.v1.`;
const META = `${PACKAGES["meta"]}.v1.`;

/** Scalars with a component of their own: its name and its schema. */
const SCALAR_COMPONENTS: Readonly<Record<string, readonly [name: string, schema: JsonObject]>> = {
  FieldsV1: [`${META}FieldsV1`, { type: "object" }],
  IntOrString: [
    "io.k8s.apimachinery.pkg.util.intstr.IntOrString",
    { format: "int-or-string", oneOf: [{ type: "integer" }, { type: "string" }] },
  ],
  JSON: [`${APIEXTENSIONS}JSON`, {}],
  JSONSchemaPropsOrArray: [`${APIEXTENSIONS}JSONSchemaPropsOrArray`, {}],
  JSONSchemaPropsOrBool: [`${APIEXTENSIONS}JSONSchemaPropsOrBool`, {}],
  JSONSchemaPropsOrStringArray: [`${APIEXTENSIONS}JSONSchemaPropsOrStringArray`, {}],
  MicroTime: [`${META}MicroTime`, { type: "string", format: "date-time" }],
  Patch: [`${META}Patch`, { type: "object" }],
  Quantity: ["io.k8s.apimachinery.pkg.api.resource.Quantity", { oneOf: [{ type: "string" }, { type: "number" }] }],
  RawExtension: ["io.k8s.apimachinery.pkg.runtime.RawExtension", { type: "object" }],
  Time: [`${META}Time`, { type: "string", format: "date-time" }],
};

const PLAIN_SCALARS: Readonly<Record<string, JsonObject>> = {
  bool: { type: "boolean" },
  bytes: { type: "string", format: "byte" },
  float64: { type: "number", format: "double" },
  int32: { type: "integer", format: "int32" },
  int64: { type: "integer", format: "int64" },
  string: { type: "string" },
};

function scalarComponent(name: string): OpenApiComponent | undefined {
  const scalar = Object.values(SCALAR_COMPONENTS).find(([scalarName]) => scalarName === name);
  return scalar === undefined ? undefined : { schema: scalar[1], references: [] };
}

function structComponent(name: string): OpenApiComponent | undefined {
  const id = structOfName(name);
  if (id === undefined || !hasTypeRow(id)) return undefined;
  const fields = fieldsOf(id);
  const required = fields.filter((field) => field.attributes.required === true).map((field) => field.name);
  const { mapType } = typeRow(id);
  const schema = {
    type: "object",
    ...(required.length > 0 && { required }),
    properties: Object.fromEntries(fields.map((field) => [field.name, fieldSchema(field)])),
    ...(mapType !== undefined && { "x-kubernetes-map-type": mapType }),
    ...marks(id),
  };
  return { schema, references: [...new Set(fields.flatMap(({ type }) => referenceOf(type) ?? []))] };
}

/** Kinds of the meta group that belong to no resource. */
const META_KINDS: ReadonlySet<string> = new Set(["meta/v1.DeleteOptions", "meta/v1.Status"]);

/** What makes a component a kind for clients. */
function marks(id: string): JsonObject {
  const core = { group: "", kind: id.slice(id.indexOf(".") + 1), version: "v1" };
  const kinds = META_KINDS.has(id) ? [core] : kindsOfType(id);
  return kinds.length === 0 ? {} : { "x-kubernetes-group-version-kind": kinds };
}

/** All fields of the JSON object: those of inlined structs stand among the others. */
function fieldsOf(id: string): readonly FieldRow[] {
  return typeRow(id).fields.flatMap((field) => {
    if (field.name !== "") return [field];
    return field.type.kind === "struct" ? fieldsOf(field.type.id) : [];
  });
}

function fieldSchema({ type, attributes }: FieldRow): JsonObject {
  const { required: _required, ...facts } = attributes;
  return schemaOfType(type, facts as JsonObject);
}

function schemaOfType(type: GoType, facts: JsonObject): JsonObject {
  switch (type.kind) {
    case "pointer":
      return schemaOfType(type.of, facts);
    case "list":
      return { type: "array", ...facts, items: schemaOfType(type.of, objectOf(facts["items"])) };
    case "map": {
      const values = objectOf(facts["additionalProperties"]);
      return { type: "object", ...facts, additionalProperties: schemaOfType(type.of, values) };
    }
    case "struct":
      return referenceTo(nameOfStruct(type.id), facts);
    case "scalar":
      return scalarSchema(type.name, facts);
  }
}

function objectOf(value: Json | undefined): JsonObject {
  return isJsonObject(value) ? value : {};
}

function scalarSchema(name: string, facts: JsonObject): JsonObject {
  const plain = PLAIN_SCALARS[name];
  return plain === undefined ? referenceTo(scalarName(name), facts) : { ...plain, ...facts };
}

function scalarName(name: string): string {
  const [componentName] = SCALAR_COMPONENTS[name] ?? [];
  if (componentName === undefined) throw new Error(`no component is known for the scalar ${JSON.stringify(name)}`);
  return componentName;
}

function referenceOf(type: GoType): string | undefined {
  switch (type.kind) {
    case "pointer":
    case "list":
    case "map":
      return referenceOf(type.of);
    case "struct":
      return nameOfStruct(type.id);
    case "scalar":
      return Object.hasOwn(PLAIN_SCALARS, type.name) ? undefined : scalarName(type.name);
  }
}

/** The component that every patch is. */
export const PATCH_COMPONENT: string = scalarName("Patch");
