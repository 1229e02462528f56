/** What a rule that failed, or could not be evaluated, tells its user: the text and the kind of error its author chose. */
import type { Json } from "../../meta/json.ts";
import {
  type FieldError,
  fieldForbidden,
  fieldInvalid,
  fieldRequired,
  formatFieldValue,
} from "../../protocol/field-error.ts";
import type { ValidationRule } from "../../schema/structural.ts";

/** The text for a rule whose evaluation failed. */
export function errorText(message: string, rule: ValidationRule): string {
  if (!message.startsWith("no such overload")) return `${message} evaluating rule: ${ruleText(rule)}`;
  return `'${message}': call arguments did not match a supported operator, function or macro signature for rule: ${ruleText(rule)}`;
}

/** What a rule is called: its message, or else itself. */
export function ruleText(rule: ValidationRule): string {
  return (rule.message || rule.rule).trim();
}

/** What a failed rule says when no messageExpression does. */
export function failureText(rule: ValidationRule): string {
  return rule.message ? rule.message.trim() : `failed rule: ${rule.rule.trim()}`;
}

/** The error for a failed rule, of the kind its `reason` asks for. */
export function errorFor(
  field: string,
  failure: { readonly rule: ValidationRule; readonly detail: string; readonly value: Json | undefined },
): FieldError {
  const { rule, detail, value } = failure;
  switch (rule.reason) {
    case "FieldValueForbidden":
      return fieldForbidden(field, detail);
    case "FieldValueRequired":
      return fieldRequired(field, detail);
    case "FieldValueDuplicate": {
      const shown = value === undefined ? "" : `: ${formatFieldValue(value)}`;
      return { type: "FieldValueDuplicate", field, message: `Duplicate value${shown}` };
    }
    default:
      return fieldInvalid(field, value, detail);
  }
}
