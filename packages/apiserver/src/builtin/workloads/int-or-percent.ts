/** Numbers of pods, absolute or as a percentage. */
import type { IntOrString } from "@kubewright/core/meta";
import { type FieldError, fieldInvalid } from "@kubewright/core/protocol";
import { validateNonNegative } from "../validation/fields.ts";

const PERCENT_RULE =
  "a valid percent string must be a numeric string followed by an ending '%' (e.g. '1%',  or '93%', regex used for validation is '[0-9]+%')";

/** A number that is not negative, or a percentage. */
export function validateIntOrPercent(field: string, value: IntOrString): FieldError[] {
  if (typeof value === "number") return validateNonNegative(field, value);
  return /^[0-9]+%$/.test(value) ? [] : [fieldInvalid(field, value, PERCENT_RULE)];
}

/** A percentage of at most 100. */
export function validateAtMostAll(field: string, value: IntOrString): FieldError[] {
  const isTooMuch = typeof value === "string" && /^[0-9]+%$/.test(value) && percentOrNumber(value) > 100;
  return isTooMuch ? [fieldInvalid(field, value, "must not be greater than 100%")] : [];
}

/** The number, or the figure before the percent sign. */
export function percentOrNumber(value: IntOrString): number {
  return typeof value === "number" ? value : Number.parseInt(value, 10) || 0;
}
