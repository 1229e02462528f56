/**
 * Field errors: what is wrong with one field of an object, in Kubernetes' words. Validation returns lists of them;
 * `invalidError` turns a list into the 422 that clients see.
 */
import type { Json } from "../meta/json.ts";
import { formatGoJson, formatNumber, quote } from "./go-format.ts";
import { type ApiError, apiError, type StatusCause } from "./status.ts";

/** The kinds of field errors, as they stand in a Status' causes. */
export type FieldErrorType =
  | "FieldValueRequired"
  | "FieldValueInvalid"
  | "FieldValueNotSupported"
  | "FieldValueForbidden"
  | "FieldValueDuplicate"
  | "FieldValueTooLong"
  | "FieldValueTooMany"
  | "FieldValueNotFound"
  | "FieldValueTypeInvalid"
  | "InternalError";

/** One thing wrong with one field. */
export interface FieldError {
  readonly type: FieldErrorType;
  /** Path such as `spec.containers[0].name`; "<nil>" for the whole object. */
  readonly field: string;
  /** The text after the path: `Required value: must be set`. */
  readonly message: string;
}

/** The field must be there. */
export function fieldRequired(field: string, detail = ""): FieldError {
  return fieldError("FieldValueRequired", field, joinDetail("Required value", detail));
}

/** The value breaks a rule that `detail` states. Omit the value with `undefined` to leave it out of the text. */
export function fieldInvalid(field: string, value: Json | undefined, detail: string): FieldError {
  return fieldError("FieldValueInvalid", field, joinDetail(withValue("Invalid value", value), detail));
}

/** The value has the wrong type. */
export function fieldTypeInvalid(field: string, value: Json | undefined, detail: string): FieldError {
  return fieldError("FieldValueTypeInvalid", field, joinDetail(withValue("Invalid value", value), detail));
}

/** The value is not among the supported ones, which are listed in the given order. */
export function fieldNotSupported(field: string, value: Json, supported: readonly Json[]): FieldError {
  const list = supported.map(formatFieldValue).join(", ");
  const detail = supported.length > 0 ? `supported values: ${list}` : "";
  return fieldError("FieldValueNotSupported", field, joinDetail(withValue("Unsupported value", value), detail));
}

/** The field may not be set, or not be changed, now. */
export function fieldForbidden(field: string, detail: string): FieldError {
  return fieldError("FieldValueForbidden", field, joinDetail("Forbidden", detail));
}

/** The value stands twice where it may stand once. */
export function fieldDuplicate(field: string, value: Json): FieldError {
  return fieldError("FieldValueDuplicate", field, withValue("Duplicate value", value));
}

/** The value names something that is not there. */
export function fieldNotFound(field: string, value: Json): FieldError {
  return fieldError("FieldValueNotFound", field, withValue("Not found", value));
}

/** The text is longer than `bytesMax` bytes. */
export function fieldTooLong(field: string, bytesMax: number): FieldError {
  return fieldError(
    "FieldValueTooLong",
    field,
    `Too long: may not be more than ${bytesMax} ${bytesMax === 1 ? "byte" : "bytes"}`,
  );
}

/** The list or map has more than `itemsMax` entries. */
export function fieldTooMany(field: string, items: number, itemsMax: number): FieldError {
  const noun = itemsMax === 1 ? "item" : "items";
  return fieldError("FieldValueTooMany", field, `Too many: ${items}: must have at most ${itemsMax} ${noun}`);
}

/** A value as field errors print it: text quoted, everything else as JSON. */
export function formatFieldValue(value: Json): string {
  if (typeof value === "string") return quote(value);
  return typeof value === "number" ? formatNumber(value) : formatGoJson(value);
}

/** Which object a 422 is about. */
export interface InvalidObject {
  readonly group: string;
  readonly kind: string;
  readonly name: string;
}

/** The 422 for an object with `errors`; its text tells identical ones once, in their first order. */
export function invalidError(object: InvalidObject, errors: readonly FieldError[]): ApiError {
  const causes = errors.map(({ type, field, message }): StatusCause => ({ reason: type, message, field }));
  const texts = [...new Set(causes.map((cause) => `${cause.field}: ${cause.message}`))];
  const kind = object.group === "" ? object.kind : `${object.kind}.${object.group}`;
  const what = texts.length === 1 ? texts[0] : `[${texts.join(", ")}]`;
  return apiError(422, "Invalid", `${kind} ${JSON.stringify(object.name)} is invalid: ${what}`, {
    ...(object.name === "" ? {} : { name: object.name }),
    ...(object.group === "" ? {} : { group: object.group }),
    ...(object.kind === "" ? {} : { kind: object.kind }),
    causes,
  });
}

function fieldError(type: FieldErrorType, field: string, message: string): FieldError {
  return { type, field, message };
}

function withValue(text: string, value: Json | undefined): string {
  return value === undefined ? text : `${text}: ${formatFieldValue(value)}`;
}

function joinDetail(text: string, detail: string): string {
  return detail === "" ? text : `${text}: ${detail}`;
}
