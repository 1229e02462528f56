/**
 * `/openapi/v2`: the same facts in the older form, all groups in one document. Made from the v3 paths and components;
 * what the older form cannot say (choices between types, null) is left open there.
 */
import { isJsonArray, isJsonObject, type Json, type JsonObject, stringifyJson } from "@kubewright/core/meta";
import type { ServedVersion } from "../discovery/served-groups.ts";
import { componentsOf } from "./components.ts";
import { hashedDocument, OPENAPI_INFO, type OpenApiDocument } from "./document.ts";
import { pathsOf } from "./operations.ts";

/** The document of all versions. */
export async function swaggerDocument(versions: readonly ServedVersion[]): Promise<OpenApiDocument> {
  const definitions = new Map<string, JsonObject>();
  const allPaths: JsonObject[] = [];
  for (const version of versions) {
    const paths = pathsOf(version);
    allPaths.push(toPaths(paths));
    for (const [name, schema] of await componentsOf(version, paths)) {
      if (!definitions.has(name)) definitions.set(name, toDefinition(schema));
    }
  }
  const paths: JsonObject = Object.assign({}, ...allPaths);
  const sorted = [...definitions].toSorted(([left], [right]) => (left < right ? -1 : 1));
  const document = { swagger: "2.0", info: OPENAPI_INFO, paths, definitions: Object.fromEntries(sorted) };
  return hashedDocument(stringifyJson(document));
}

const OPEN_KEYWORDS: ReadonlySet<string> = new Set(["anyOf", "oneOf", "not", "nullable"]);

/** A schema of v3 as one of v2. */
function toDefinition(schema: JsonObject): JsonObject {
  const { allOf, oneOf, ...rest } = schema;
  const only = isJsonArray(allOf) && allOf.length === 1 && isJsonObject(allOf[0]) ? allOf[0] : undefined;
  const joined = only === undefined ? rest : { ...rest, ...only };
  const choice = isJsonArray(oneOf) && joined["type"] === undefined ? { type: "string" } : {};
  const entries = Object.entries(joined).filter(([keyword]) => !OPEN_KEYWORDS.has(keyword));
  return { ...choice, ...Object.fromEntries(entries.map(([keyword, value]) => [keyword, convert(keyword, value)])) };
}

function convert(keyword: string, value: Json | undefined): Json | undefined {
  if (keyword === "$ref" && typeof value === "string") return value.replace("#/components/schemas/", "#/definitions/");
  if (keyword === "properties" && isJsonObject(value)) return mapValues(value, toDefinitionValue);
  if (keyword === "items" || keyword === "additionalProperties") return toDefinitionValue(value);
  return value;
}

function toDefinitionValue(value: Json | undefined): Json | undefined {
  return isJsonObject(value) ? toDefinition(value) : value;
}

function toPaths(paths: JsonObject): JsonObject {
  return mapValues(paths, (path) => (isJsonObject(path) ? mapValues(path, toOperation) : path));
}

/** An operation, or the parameters that all operations of a path have. */
function toOperation(value: Json | undefined): Json | undefined {
  if (isJsonArray(value)) return value.map(toParameter);
  if (!isJsonObject(value)) return value;
  const { parameters, requestBody, responses, ...rest } = value;
  const content = isJsonObject(requestBody) && isJsonObject(requestBody["content"]) ? requestBody["content"] : {};
  const [body] = Object.values(content);
  const schema = isJsonObject(body) ? toDefinitionValue(body["schema"]) : undefined;
  const bodies = schema === undefined ? [] : [{ name: "body", in: "body", required: true, schema }];
  return {
    ...rest,
    consumes: Object.keys(content),
    produces: ["application/json", "application/yaml"],
    parameters: [...bodies, ...(isJsonArray(parameters) ? parameters.map(toParameter) : [])],
    responses: isJsonObject(responses) ? mapValues(responses, toResponse) : {},
  };
}

function toParameter(parameter: Json): Json {
  if (!isJsonObject(parameter)) return parameter;
  const { schema, ...rest } = parameter;
  return { ...rest, ...(isJsonObject(schema) ? schema : {}) };
}

function toResponse(response: Json | undefined): Json | undefined {
  if (!isJsonObject(response)) return response;
  const { content, ...rest } = response;
  const json = isJsonObject(content) ? content["application/json"] : undefined;
  return isJsonObject(json) ? { ...rest, schema: toDefinitionValue(json["schema"]) ?? {} } : rest;
}

function mapValues(object: JsonObject, change: (value: Json | undefined) => Json | undefined): JsonObject {
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [key, change(value)]));
}
