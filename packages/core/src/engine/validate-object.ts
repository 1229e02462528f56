/**
 * Everything the API server checks of a custom resource by its schema, in its order: values, embedded resources, list
 * types, and, unless errors stand in the way, rules. Metadata of the object itself is not looked at here.
 */
import type { Json } from "../meta/json.ts";
import { type FieldError, type FieldErrorType, fieldInvalid } from "../protocol/field-error.ts";
import type { StructuralSchema } from "../schema/structural.ts";
import { evaluateRules } from "./cel/evaluate-rules.ts";
import { hasRules } from "./cel/rules.ts";
import { validateEmbedded } from "./embedded.ts";
import { validateListTypes } from "./list-types.ts";
import { validate } from "./validate.ts";

/** What validation found. */
export interface ObjectFindings {
  readonly errors: readonly FieldError[];
  /** What is wrong but was so before: shown, not refused. */
  readonly warnings: readonly string[];
}

/** Errors after which rules could only stumble. */
const blocking: ReadonlySet<FieldErrorType> = new Set<FieldErrorType>([
  "FieldValueNotSupported",
  "FieldValueRequired",
  "FieldValueTooLong",
  "FieldValueTooMany",
  "FieldValueTypeInvalid",
]);
const unchecked =
  "some validation rules were not checked because the object was invalid; correct the existing errors to complete validation";

/** Validates an object, which may replace an old one, by its schema. */
export function validateObject(
  object: Json,
  schema: StructuralSchema,
  options: { readonly old?: Json } = {},
): ObjectFindings {
  const errors = [
    ...validate(object, schema, options),
    ...validateEmbedded(object, schema),
    ...validateListTypes(object, schema, options),
  ];
  if (!hasRules(schema)) return { errors, warnings: [] };
  if (errors.some((error) => blocking.has(error.type))) {
    return { errors: [...errors, fieldInvalid("<nil>", null, unchecked)], warnings: [] };
  }
  const { errors: ruleErrors, warnings } = evaluateRules(object, schema, options);
  return { errors: [...errors, ...ruleErrors], warnings };
}
