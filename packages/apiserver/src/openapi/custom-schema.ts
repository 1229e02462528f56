/**
 * The structural schema of a CRD as OpenAPI publishes it: with the fields that every object has, and in the terms of
 * clients that know neither integers-or-texts nor embedded objects. Descriptions are the author's. Pure.
 */
import { referenceTo } from "@kubewright/api/openapi";
import type { JsonObject } from "@kubewright/core/meta";
import type { StructuralSchema } from "@kubewright/core/schema";

const OBJECT_META = "io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta";

/** The schema of a version, to be published. */
export function customSchema(schema: StructuralSchema): JsonObject {
  const { type: _type, properties, ...rest } = publish(schema);
  return { type: "object", ...rest, properties: { ...(properties as JsonObject | undefined), ...objectProperties() } };
}

function objectProperties(): JsonObject {
  return { apiVersion: { type: "string" }, kind: { type: "string" }, metadata: referenceTo(OBJECT_META) };
}

function publish(schema: StructuralSchema): JsonObject {
  const { properties, items, additionalProperties, ...rest } = schema;
  const isEmbedded = schema["x-kubernetes-embedded-resource"] === true;
  const fields = Object.entries(properties ?? {}).map(([name, field]) => [name, publish(field)]);
  return {
    ...(rest as JsonObject),
    ...(schema["x-kubernetes-int-or-string"] === true && { anyOf: [{ type: "integer" }, { type: "string" }] }),
    ...(isEmbedded && { required: [...new Set([...(schema.required ?? []), "kind", "apiVersion"])] }),
    ...((properties !== undefined || isEmbedded) && {
      properties: { ...Object.fromEntries(fields), ...(isEmbedded && objectProperties()) },
    }),
    ...(items !== undefined && { items: publish(items) }),
    ...(additionalProperties !== undefined && { additionalProperties: publishValues(additionalProperties) }),
  };
}

function publishValues(values: StructuralSchema | boolean): JsonObject | boolean {
  return typeof values === "boolean" ? values : publish(values);
}
