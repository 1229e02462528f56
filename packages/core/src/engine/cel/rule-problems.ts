/**
 * What is wrong with the rules that a CRD brings, found when the CRD is written: rules that do not compile or give no
 * boolean or cost too much, `oldSelf` where nothing correlates, messages over several lines. In Kubernetes' words, at the paths of the CRD.
 */
import type { Json } from "../../meta/json.ts";
import { type FieldError, fieldInvalid, fieldNotSupported, fieldRequired } from "../../protocol/field-error.ts";
import type { StructuralSchema, ValidationRule } from "../../schema/structural.ts";
import { ruleFieldPath } from "./field-path.ts";
import { type ExpressionCost, expressionCostProblems, expressionCosts } from "./rule-costs.ts";
import { type CompiledRule, compileRule } from "./rules.ts";
import { schemaType } from "./schema-types.ts";
import { schemaSizes } from "./static-cost/schema-sizes.ts";

const reasons = ["FieldValueDuplicate", "FieldValueForbidden", "FieldValueInvalid", "FieldValueRequired"];

/** Where a node with rules stands. */
export interface RulePlace {
  readonly path: string;
  /** The whole object, whose metadata rules may see in part. */
  readonly isRoot: boolean;
  /** The list or map above whose entries have no old values. */
  readonly uncorrelatable: string | undefined;
  /** How many values of the node there can be; undefined when nothing limits them. */
  readonly occurrences: number | undefined;
  /** Whether the cost of each rule is judged: not where the schema is the stored one. */
  readonly judgeCosts: boolean;
}

/** What compiling the rules of a node gave. */
export interface CompiledProblems {
  readonly problems: readonly FieldError[];
  readonly costs: readonly ExpressionCost[];
}

/** What is wrong with how the rules of one node are written, before they are compiled. */
export function ruleTextProblems(schema: StructuralSchema, path: string): FieldError[] {
  const rules = schema["x-kubernetes-validations"] ?? [];
  return rules.flatMap((rule, index) => writingProblems(rule, schema, `${path}.x-kubernetes-validations[${index}]`));
}

/** What compiling the rules of one node shows. */
export function ruleCompileProblems(schema: StructuralSchema, place: RulePlace): CompiledProblems {
  const rules = schema["x-kubernetes-validations"] ?? [];
  const type = rules.length > 0 ? schemaType(schema, "selfType", place.isRoot) : undefined;
  const sizes = rules.length > 0 ? schemaSizes(schema, place.isRoot) : undefined;
  if (type === undefined || sizes === undefined) return { problems: [], costs: [] };
  const results = rules.map((rule, index) => {
    const path = `${place.path}.x-kubernetes-validations[${index}]`;
    const compiled = compileRule(rule, { schema, type, sizes });
    const costs = expressionCosts(compiled, { path, occurrences: place.occurrences, sizes });
    const tooMuch = place.judgeCosts ? costs.flatMap(expressionCostProblems) : [];
    return { problems: [...tooMuch, ...compileProblems(compiled, path, place.uncorrelatable)], costs };
  });
  return { problems: results.flatMap(({ problems }) => problems), costs: results.flatMap(({ costs }) => costs) };
}

function writingProblems(rule: ValidationRule, schema: StructuralSchema, path: string): FieldError[] {
  return [
    ...textProblems(rule, path),
    ...(rule.messageExpression && rule.messageExpression.trim() === ""
      ? [fieldRequired(`${path}.messageExpression`, "messageExpression must be non-empty if specified")]
      : []),
    ...(rule.reason !== undefined && !reasons.includes(rule.reason)
      ? [fieldNotSupported(`${path}.reason`, rule.reason, reasons)]
      : []),
    ...fieldPathProblems(rule.fieldPath, schema, `${path}.fieldPath`),
  ];
}

function textProblems({ rule, message = "" }: ValidationRule, path: string): FieldError[] {
  if (rule.trim() === "") return [fieldRequired(`${path}.rule`, "rule is not specified")];
  if (message !== "" && message.trim() === "")
    return [fieldInvalid(`${path}.message`, message, "must be non-empty if specified")];
  if (message.trim().includes("\n")) return [fieldInvalid(`${path}.message`, message, "must not contain line breaks")];
  if (rule.trim().includes("\n") && message.trim() === "") {
    return [fieldRequired(`${path}.message`, "message must be specified if rule contains line breaks")];
  }
  return [];
}

function fieldPathProblems(fieldPath: string | undefined, schema: StructuralSchema, path: string): FieldError[] {
  if (fieldPath === undefined || fieldPath === "") return [];
  return [
    ...(fieldPath.trim() === "" ? [fieldInvalid(path, fieldPath, "must be non-empty if specified")] : []),
    ...(fieldPath.includes("\n") ? [fieldInvalid(path, fieldPath, "must not contain line breaks")] : []),
    ...(ruleFieldPath(fieldPath, schema) === undefined ? [fieldInvalid(path, fieldPath, "must be a valid path")] : []),
  ];
}

function compileProblems(compiled: CompiledRule, path: string, uncorrelatable: string | undefined): FieldError[] {
  const { rule, problem, messageProblem, usesOldSelf } = compiled;
  const shown = shownRule(rule);
  const errors: FieldError[] = [];
  if (problem !== undefined) errors.push(fieldInvalid(`${path}.rule`, shown, problem));
  if (messageProblem !== undefined) errors.push(fieldInvalid(`${path}.messageExpression`, shown, messageProblem));
  if (usesOldSelf && uncorrelatable !== undefined) {
    const text = `oldSelf cannot be used on the uncorrelatable portion of the schema within ${uncorrelatable}`;
    errors.push(fieldInvalid(`${path}.rule`, rule.rule, text));
  }
  if (!usesOldSelf && rule.optionalOldSelf !== undefined) {
    errors.push(
      fieldInvalid(`${path}.optionalOldSelf`, rule.optionalOldSelf, "may not be set if oldSelf is not used in rule"),
    );
  }
  return errors;
}

/** A rule as the API server prints its internal form. */
function shownRule(rule: ValidationRule): Json {
  return {
    Rule: rule.rule,
    Message: rule.message ?? "",
    MessageExpression: rule.messageExpression ?? "",
    Reason: rule.reason ?? null,
    FieldPath: rule.fieldPath ?? "",
    OptionalOldSelf: rule.optionalOldSelf ?? null,
  };
}
