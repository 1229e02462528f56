/** Default values of a CRD's schema: valid under their own schema, and without fields it does not know. */

import { validateEmbedded } from "../engine/embedded.ts";
import { jsonEqual } from "../engine/equality.ts";
import { prune } from "../engine/prune.ts";
import { validate } from "../engine/validate.ts";
import { isJsonObject, type Json } from "../meta/json.ts";
import { type FieldError, fieldInvalid } from "../protocol/field-error.ts";
import type { StructuralSchema } from "../schema/structural.ts";
import { itemsOf, type OpenApiSchema } from "./crd-input.ts";

/** Errors of all defaults of a structural schema. additionalProperties are not followed: the walk forbids defaults there. */
export function validateDefaults(schema: OpenApiSchema, path: string): FieldError[] {
  const items = itemsOf(schema);
  return [
    ...(schema.default === undefined ? [] : validateDefault(schema, schema.default, `${path}.default`)),
    ...(items === undefined ? [] : validateDefaults(items, `${path}.items`)),
    ...Object.entries(schema.properties ?? {}).flatMap(([name, property]) =>
      validateDefaults(property, `${path}.properties[${name}]`),
    ),
  ];
}

function validateDefault(schema: OpenApiSchema, value: Json, path: string): FieldError[] {
  // The schema was found to be structural before its defaults are looked at.
  const structural = schema as StructuralSchema;
  const unknown = jsonEqual(pruneField(value, structural), value)
    ? []
    : [fieldInvalid(path, value, "must not have unknown fields")];
  const embedded = validateEmbedded(value, structural);
  const errors = embedded.length > 0 ? embedded : validate(value, structural);
  return [...unknown, ...errors.map((error) => ({ ...error, field: below(path, error.field) }))];
}

/** Pruning knows whole objects, so the value is put into one. */
function pruneField(value: Json, schema: StructuralSchema): Json {
  const pruned = prune({ value }, { type: "object", properties: { value: schema } }).value;
  return isJsonObject(pruned) ? (pruned["value"] ?? null) : value;
}

function below(path: string, field: string): string {
  if (field === "" || field === "<nil>") return path;
  return field.startsWith("[") ? `${path}${field}` : `${path}.${field}`;
}
