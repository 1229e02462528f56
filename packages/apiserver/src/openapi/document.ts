/** One OpenAPI v3 document per group and version, as text with its hash. Made once per version of the registry. */
import { createHash } from "node:crypto";
import { type JsonObject, stringifyJson } from "@kubewright/core/meta";
import type { ServedVersion } from "../discovery/served-groups.ts";
import { componentsOf } from "./components.ts";
import { pathsOf } from "./operations.ts";

/** A document, ready to be sent. */
export interface OpenApiDocument {
  readonly text: string;
  /** Upper-case hexadecimal SHA-512 of the text. */
  readonly hash: string;
}

/** The title and version that all documents have. */
export const OPENAPI_INFO: JsonObject = { title: "Kubernetes", version: "v1.36.3" };

/** The document of one version. */
export async function openApiDocument(version: ServedVersion): Promise<OpenApiDocument> {
  const paths = pathsOf(version);
  const components = await componentsOf(version, paths);
  const schemas = [...components].map(([name, schema]) => `${JSON.stringify(name)}:${schemaText(schema)}`).join(",");
  const head = stringifyJson({ openapi: "3.0.0", info: OPENAPI_INFO, paths });
  return hashedDocument(`${head.slice(0, -1)},"components":{"schemas":{${schemas}}}}`);
}

/** A text with its hash. */
export function hashedDocument(text: string): OpenApiDocument {
  return { text, hash: createHash("sha512").update(text).digest("hex").toUpperCase() };
}

/** Most components stand in many documents; each is written once. */
const texts = new WeakMap<JsonObject, string>();

function schemaText(schema: JsonObject): string {
  const known = texts.get(schema) ?? stringifyJson(schema);
  texts.set(schema, known);
  return known;
}
