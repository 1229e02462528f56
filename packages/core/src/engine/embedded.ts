/**
 * Embedded resources: objects inside of objects (`x-kubernetes-embedded-resource`), whose apiVersion, kind and metadata
 * must be as right as those of an object of its own. Called on every write, beside validate.ts.
 */
import {
  getKey,
  isJsonArray,
  isJsonObject,
  type Json,
  type JsonObject,
  type MutableJsonObject,
  setKey,
} from "../meta/json.ts";
import {
  validateDns1035Label,
  validateDnsLabel,
  validateLabelValue,
  validatePathSegment,
  validateQualifiedName,
} from "../meta/names.ts";
import { type FieldError, fieldInvalid, fieldRequired } from "../protocol/field-error.ts";
import type { StructuralSchema } from "../schema/structural.ts";
import { schemaSearch } from "./schema-search.ts";

/** What is wrong with the type and metadata of the resources embedded in a value; the value itself is not looked at. */
export function validateEmbedded(value: Json, schema: StructuralSchema): FieldError[] {
  if (!hasEmbedded(schema)) return [];
  return checkNode(value, { ...schema, "x-kubernetes-embedded-resource": false }, "");
}

/** Makes other metadata of that which stands at a path. */
export type MapMetadata = (metadata: Json, path: string) => Json;

/** The value with the metadata of its embedded resources mapped; the same reference when nothing changed. */
export function mapEmbeddedMetadata<Value extends Json>(
  value: Value,
  schema: StructuralSchema,
  map: MapMetadata,
): Value {
  if (!hasEmbedded(schema)) return value;
  return mapNode(value, { ...schema, "x-kubernetes-embedded-resource": false }, { path: "", map }) as Value;
}

function mapNode(
  value: Json,
  schema: StructuralSchema | undefined,
  { path, map }: { readonly path: string; readonly map: MapMetadata },
): Json {
  if (schema === undefined) return value;
  if (isJsonArray(value)) {
    const mapped = value.map((item, index) => mapNode(item, schema.items, { path: `${path}[${index}]`, map }));
    return mapped.every((item, index) => item === value[index]) ? value : mapped;
  }
  if (!isJsonObject(value)) return value;
  const result: MutableJsonObject = {};
  for (const [name, field] of Object.entries(value)) {
    const isMetadata = name === "metadata" && schema["x-kubernetes-embedded-resource"] === true;
    const at = child(path, name);
    const fieldSchema = schemaOfField(schema, name);
    setKey(result, name, isMetadata ? map(field ?? null, at) : mapNode(field ?? null, fieldSchema, { path: at, map }));
  }
  return Object.keys(value).every((name) => result[name] === value[name]) ? value : result;
}

function schemaOfField(
  { properties = {}, additionalProperties }: StructuralSchema,
  name: string,
): StructuralSchema | undefined {
  if (Object.hasOwn(properties, name)) return properties[name];
  return typeof additionalProperties === "object" ? additionalProperties : undefined;
}

const hasEmbedded = schemaSearch((schema) => schema["x-kubernetes-embedded-resource"] === true);

function checkNode(value: Json, schema: StructuralSchema | undefined, path: string): FieldError[] {
  if (schema === undefined) return [];
  if (isJsonArray(value)) return value.flatMap((item, index) => checkNode(item, schema.items, `${path}[${index}]`));
  if (!isJsonObject(value)) return [];
  const own = schema["x-kubernetes-embedded-resource"] ? checkResource(value, path) : [];
  return [...own, ...Object.keys(value).flatMap((name) => checkField(value, name, { schema, path }))];
}

function checkField(
  object: JsonObject,
  name: string,
  { schema, path }: { readonly schema: StructuralSchema; readonly path: string },
): FieldError[] {
  const { properties = {}, additionalProperties } = schema;
  const value = getKey(object, name) ?? null;
  if (Object.hasOwn(properties, name)) return checkNode(value, properties[name], child(path, name));
  return typeof additionalProperties === "object" ? checkNode(value, additionalProperties, `${path}[${name}]`) : [];
}

function checkResource(object: JsonObject, path: string): FieldError[] {
  const errors: FieldError[] = [];
  for (const [name, check] of [
    ["apiVersion", checkApiVersion],
    ["kind", checkKind],
  ] as const) {
    const value = getKey(object, name);
    const field = child(path, name);
    if (value === undefined) errors.push(fieldRequired(field));
    else if (typeof value !== "string") errors.push(fieldInvalid(field, value, "must be a string"));
    else if (value === "") errors.push(fieldInvalid(field, value, "must not be empty"));
    else errors.push(...check(value).map((problem) => fieldInvalid(field, value, problem)));
  }
  const metadata = getKey(object, "metadata");
  return isJsonObject(metadata) ? [...errors, ...checkMetadata(metadata, child(path, "metadata"))] : errors;
}

function checkApiVersion(apiVersion: string): readonly string[] {
  return apiVersion.split("/").length > 2 ? [`unexpected GroupVersion string: ${apiVersion}`] : [];
}

function checkKind(kind: string): readonly string[] {
  const problems = validateDns1035Label(kind.toLowerCase());
  return problems.length > 0 ? [`may have mixed case, but should otherwise match: ${problems.join(",")}`] : [];
}

function checkMetadata(metadata: JsonObject, path: string): FieldError[] {
  const text = (name: string, check: (text: string) => readonly string[]): FieldError[] => {
    const value = getKey(metadata, name);
    if (typeof value !== "string" || value === "") return [];
    return check(value).map((problem) => fieldInvalid(child(path, name), value, problem));
  };
  return [
    ...text("name", validatePathSegment),
    ...text("generateName", validatePathSegment),
    ...text("namespace", validateDnsLabel),
    ...checkEntries(getKey(metadata, "labels"), child(path, "labels"), validateLabelValue),
    ...checkEntries(getKey(metadata, "annotations"), child(path, "annotations"), () => []),
  ];
}

function checkEntries(
  entries: Json | undefined,
  path: string,
  checkValue: (value: string) => readonly string[],
): FieldError[] {
  if (!isJsonObject(entries)) return [];
  return Object.entries(entries).flatMap(([key, value]) => [
    ...validateQualifiedName(key).map((problem) => fieldInvalid(path, key, problem)),
    ...(typeof value === "string" ? checkValue(value) : []).map((problem) =>
      fieldInvalid(path, value ?? null, problem),
    ),
  ]);
}

function child(path: string, name: string): string {
  return path === "" ? name : `${path}.${name}`;
}
