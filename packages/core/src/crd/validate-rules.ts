/** CEL rules of a CRD's schema: their form, and what compiling them says. Used by validate-schema.ts. */
import type { Json } from "../meta/json.ts";
import { type FieldError, fieldInvalid, fieldNotSupported, fieldRequired } from "../protocol/field-error.ts";
import { isSet, type OpenApiSchema } from "./crd-input.ts";
import { followSchemaPath } from "./schema-path.ts";

type Rule = NonNullable<OpenApiSchema["x-kubernetes-validations"]>[number];

/** What compiling one rule says. */
export interface CompiledRule {
  /** Why the rule does not compile: `compilation failed: …`. */
  readonly error?: string;
  /** Why its messageExpression does not compile. */
  readonly messageExpressionError?: string;
  readonly usesOldSelf: boolean;
}

/** Compiles the rules of a node, in their order. `isRoot` is true for the whole object. */
export type RuleCheck = (schema: OpenApiSchema, isRoot: boolean) => readonly CompiledRule[];

/** Finds out without compiling which rules use `oldSelf`: the name outside of text literals. */
export function scanRules(schema: OpenApiSchema): CompiledRule[] {
  return (schema["x-kubernetes-validations"] ?? []).map(({ rule = "" }) => ({
    usesOldSelf: /\boldSelf\b/.test(rule.replaceAll(/"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'/g, "")),
  }));
}

const REASONS = ["FieldValueDuplicate", "FieldValueForbidden", "FieldValueInvalid", "FieldValueRequired"];

/** Errors in the form of a node's rules. */
export function validateRules(schema: OpenApiSchema, path: string): FieldError[] {
  return (schema["x-kubernetes-validations"] ?? []).flatMap((rule, index) => {
    const field = `${path}.x-kubernetes-validations[${index}]`;
    return [...validateRuleText(rule, field), ...validateRuleOptions(rule, schema, field)];
  });
}

function validateRuleText(rule: Rule, field: string): FieldError[] {
  const { rule: text = "", message = "", messageExpression = "" } = rule;
  const errors: FieldError[] = [];
  if (text.trim() === "") {
    errors.push(fieldRequired(`${field}.rule`, "rule is not specified"));
  } else if (message !== "" && message.trim() === "") {
    errors.push(fieldInvalid(`${field}.message`, message, "must be non-empty if specified"));
  } else if (hasLineBreak(message.trim())) {
    errors.push(fieldInvalid(`${field}.message`, message, "must not contain line breaks"));
  } else if (hasLineBreak(text.trim()) && message.trim() === "") {
    errors.push(fieldRequired(`${field}.message`, "message must be specified if rule contains line breaks"));
  }
  if (messageExpression !== "" && messageExpression.trim() === "") {
    errors.push(fieldRequired(`${field}.messageExpression`, "messageExpression must be non-empty if specified"));
  }
  return errors;
}

function validateRuleOptions(rule: Rule, schema: OpenApiSchema, field: string): FieldError[] {
  const { reason, fieldPath = "" } = rule;
  const errors: FieldError[] = [];
  if (reason !== undefined && !REASONS.includes(reason)) {
    errors.push(fieldNotSupported(`${field}.reason`, reason, REASONS));
  }
  if (fieldPath === "") return errors;
  if (fieldPath.trim() === "") {
    errors.push(fieldInvalid(`${field}.fieldPath`, fieldPath, "must be non-empty if specified"));
  }
  if (hasLineBreak(fieldPath)) {
    errors.push(fieldInvalid(`${field}.fieldPath`, fieldPath, "must not contain line breaks"));
  }
  if ("problem" in followSchemaPath(fieldPath, schema, { allowBrackets: true })) {
    errors.push(fieldInvalid(`${field}.fieldPath`, fieldPath, "must be a valid path"));
  }
  return errors;
}

/** Errors that compiling a node's rules shows. */
export function validateCompiledRules(
  schema: OpenApiSchema,
  place: {
    readonly path: string;
    readonly isRoot: boolean;
    readonly uncorrelatable?: string;
    readonly compile: RuleCheck;
  },
): FieldError[] {
  const rules = schema["x-kubernetes-validations"] ?? [];
  if (rules.length === 0) return [];
  return place.compile(schema, place.isRoot).flatMap((compiled, index) => {
    const rule = rules[index] ?? {};
    const field = `${place.path}.x-kubernetes-validations[${index}]`;
    return [...compileErrors(rule, compiled, field), ...oldSelfErrors(rule, compiled, { ...place, field })];
  });
}

function compileErrors(rule: Rule, compiled: CompiledRule, field: string): FieldError[] {
  const { error, messageExpressionError } = compiled;
  return [
    ...(error === undefined ? [] : [invalidRule(`${field}.rule`, rule, error)]),
    ...(messageExpressionError === undefined
      ? []
      : [invalidRule(`${field}.messageExpression`, rule, messageExpressionError)]),
  ];
}

function oldSelfErrors(
  rule: Rule,
  compiled: CompiledRule,
  place: { readonly field: string; readonly uncorrelatable?: string },
): FieldError[] {
  const { field, uncorrelatable } = place;
  if (compiled.usesOldSelf && uncorrelatable !== undefined) {
    const detail = `oldSelf cannot be used on the uncorrelatable portion of the schema within ${uncorrelatable}`;
    return [fieldInvalid(`${field}.rule`, rule.rule ?? "", detail)];
  }
  if (!compiled.usesOldSelf && rule.optionalOldSelf !== undefined) {
    const detail = "may not be set if oldSelf is not used in rule";
    return [fieldInvalid(`${field}.optionalOldSelf`, rule.optionalOldSelf, detail)];
  }
  return [];
}

/** kube-apiserver shows the rule as Go prints its struct. */
function invalidRule(field: string, rule: Rule, detail: string): FieldError {
  const text = (value: Json | undefined) => JSON.stringify(value ?? "");
  const pointer = (type: string, value: unknown) => `(*${type})(${isSet(value) ? "0x0" : "nil"})`;
  const shown = [
    `Rule:${text(rule.rule)}`,
    `Message:${text(rule.message)}`,
    `MessageExpression:${text(rule.messageExpression)}`,
    `Reason:${pointer("apiextensions.FieldValueErrorReason", rule.reason)}`,
    `FieldPath:${text(rule.fieldPath)}`,
    `OptionalOldSelf:${pointer("bool", rule.optionalOldSelf)}`,
  ].join(", ");
  const message = `Invalid value: apiextensions.ValidationRule{${shown}}: ${detail}`;
  return { type: "FieldValueInvalid", field, message };
}

function hasLineBreak(text: string): boolean {
  return /[\n\r]/.test(text);
}
