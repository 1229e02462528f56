/**
 * Whether the rules of a CRD may become too expensive, found when the CRD is written: by the most that each rule can cost, as
 * often as its node can be there. With kube-apiserver's limits and words; rule-problems.ts and validate-schema.ts use it.
 */
import { type FieldError, fieldForbidden } from "../../protocol/field-error.ts";
import type { StructuralSchema } from "../../schema/structural.ts";
import type { CompiledRule } from "./rules.ts";
import { occurrencesMax, type SchemaSizes } from "./static-cost/schema-sizes.ts";
import { plus, times } from "./static-cost/size-range.ts";

const RULE_COST_MAX = 10_000_000;
const SCHEMA_COST_MAX = 100_000_000;
/** Rules that take less than a hundredth of what a schema may cost are not named. */
const NAMED_COST_MIN = SCHEMA_COST_MAX / 100;
const NAMED_RULES_MAX = 4;

/** The most that an expression of a schema can cost. */
export interface ExpressionCost {
  /** Where the expression stands in the CRD. */
  readonly path: string;
  readonly cost: number;
}

/** Where a rule stands: how often at most, undefined when nothing limits it. */
export interface RuleOccurrence {
  readonly path: string;
  readonly occurrences: number | undefined;
  readonly sizes: SchemaSizes;
}

/** The costs of a rule and of the expression for its message. */
export function expressionCosts(
  compiled: CompiledRule,
  { path, occurrences, sizes }: RuleOccurrence,
): ExpressionCost[] {
  const often = occurrences ?? occurrencesMax(sizes.bytesMin);
  const { program, messageProgram } = compiled;
  return [
    { path: `${path}.rule`, cost: times(program?.costMax ?? 0, often) },
    ...(messageProgram === undefined ? [] : [{ path: `${path}.messageExpression`, cost: messageProgram.costMax }]),
  ];
}

/** What is said of an expression that can cost too much. */
export function expressionCostProblems({ path, cost }: ExpressionCost): FieldError[] {
  const name = path.endsWith(".rule") ? "estimated rule cost" : "estimated messageExpression cost";
  return cost > RULE_COST_MAX ? [fieldForbidden(path, exceeds(name, cost, RULE_COST_MAX))] : [];
}

/** What is said of a schema whose expressions together can cost too much. */
export function schemaCostProblems(costs: readonly ExpressionCost[], path: string): FieldError[] {
  const total = costs.reduce((sum, { cost }) => plus(sum, cost), 0);
  if (total <= SCHEMA_COST_MAX) return [];
  const named = costs
    .filter(({ cost }) => cost >= NAMED_COST_MIN)
    .toSorted((left, right) => right.cost - left.cost)
    .slice(0, NAMED_RULES_MAX);
  const detail = "contributed to estimated rule cost total exceeding cost limit for entire OpenAPIv3 schema";
  const subject = "x-kubernetes-validations estimated rule cost total for entire OpenAPIv3 schema";
  return [
    ...named.map((expensive) => fieldForbidden(expensive.path, detail)),
    fieldForbidden(path, exceeds(subject, total, SCHEMA_COST_MAX)),
  ];
}

/** How many values of a node's children there can be for each value of the node; undefined when nothing limits them. */
export function childrenPerNode(schema: StructuralSchema): number | undefined {
  if (schema.type === "array") return schema.maxItems === undefined ? undefined : Math.max(0, schema.maxItems);
  if (schema.type !== "object" || schema.additionalProperties === undefined) return 1;
  return schema.maxProperties === undefined ? undefined : Math.max(0, schema.maxProperties);
}

function exceeds(subject: string, cost: number, limit: number): string {
  const remedy = "adding maxItems, maxProperties, and maxLength where arrays, maps, and strings are declared";
  return `${subject} exceeds budget by factor of ${factorText(cost / limit)} (try simplifying the rule, or ${remedy})`;
}

function factorText(factor: number): string {
  if (factor > 100) return "more than 100x";
  return `${factor.toFixed(factor < 1.5 ? 6 : 1)}x`;
}
