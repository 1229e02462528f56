/**
 * Label selectors as data: a list of requirements that must all hold. They come from text (label-selector-text.ts, the
 * query parameter of lists and watches) or from LabelSelector objects (as in a Deployment's spec). Requirements made
 * here are valid and sorted by key, so the same selector always prints the same.
 */
import { malformed } from "./malformed.ts";
import { validateLabelValue, validateQualifiedName } from "./names.ts";

/** How a requirement relates its key to its values. */
export type LabelOperator = "=" | "==" | "!=" | "in" | "notin" | "exists" | "!" | ">" | "<";

/** One requirement of a selector. */
export interface LabelRequirement {
  readonly key: string;
  readonly operator: LabelOperator;
  /** Sorted and distinct. None for "exists" and "!", one for the comparisons. */
  readonly values: readonly string[];
}

/** Requirements that must all hold; none selects everything. */
export type LabelRequirements = readonly LabelRequirement[];

/** A label selector as objects carry it: matchLabels and matchExpressions must all hold. Empty selects everything. */
export interface LabelSelector {
  readonly matchLabels?: Readonly<Record<string, string>>;
  readonly matchExpressions?: readonly LabelSelectorRequirement[];
}

/** One of a LabelSelector's matchExpressions. */
export interface LabelSelectorRequirement {
  readonly key: string;
  /** "In", "NotIn", "Exists" or "DoesNotExist". */
  readonly operator: string;
  readonly values?: readonly string[];
}

/** Labels of an object. */
export type Labels = Readonly<Record<string, string>>;

/** True when `labels` satisfy every requirement. */
export function matchesLabels(requirements: LabelRequirements, labels: Labels | undefined): boolean {
  return requirements.every((requirement) => matchesRequirement(requirement, labels ?? {}));
}

/** True when a LabelSelector object selects `labels`. As in Kubernetes no selector at all selects nothing. */
export function selectorMatches(selector: LabelSelector | null | undefined, labels: Labels | undefined): boolean {
  return selector !== null && selector !== undefined && matchesLabels(toLabelRequirements(selector), labels);
}

/** The requirements of a LabelSelector object. Throws `MalformedError` when it says something impossible. */
export function toLabelRequirements(selector: LabelSelector): LabelRequirements {
  const fromLabels = Object.entries(selector.matchLabels ?? {}).map(([key, value]) =>
    labelRequirement(key, "=", [value]),
  );
  const fromExpressions = (selector.matchExpressions ?? []).map((expression) =>
    labelRequirement(expression.key, operatorOfExpression(expression.operator), expression.values ?? []),
  );
  return sortRequirements([...fromLabels, ...fromExpressions]);
}

/** The requirements that exactly these labels, with these values, are there. */
export function labelsToRequirements(labels: Labels): LabelRequirements {
  return toLabelRequirements({ matchLabels: labels });
}

/** The text of requirements, as the `labelSelector` query parameter takes it. */
export function formatLabelSelector(requirements: LabelRequirements): string {
  return requirements.map(formatRequirement).join(",");
}

/** The selector text that matches exactly these labels: "app=a,tier=b". */
export function formatLabels(labels: Labels): string {
  return formatLabelSelector(labelsToRequirements(labels));
}

/** A checked requirement. Throws `MalformedError` with Kubernetes' text. */
export function labelRequirement(key: string, operator: LabelOperator, values: readonly string[]): LabelRequirement {
  const sorted = [...new Set(values)].sort();
  const errors = [...keyErrors(key), ...countErrors(operator, sorted), ...valueErrors(key, sorted)];
  if (errors.length > 0) throw malformed(errors.length === 1 ? String(errors[0]) : `[${errors.join(", ")}]`);
  return { key, operator, values: sorted };
}

/** Requirements in the order in which selectors are printed. */
export function sortRequirements(requirements: LabelRequirements): LabelRequirements {
  return requirements.toSorted((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0));
}

function matchesRequirement({ key, operator, values }: LabelRequirement, labels: Labels): boolean {
  const value = Object.hasOwn(labels, key) ? labels[key] : undefined;
  switch (operator) {
    case "=":
    case "==":
    case "in":
      return value !== undefined && values.includes(value);
    case "!=":
    case "notin":
      return value === undefined || !values.includes(value);
    case "exists":
      return value !== undefined;
    case "!":
      return value === undefined;
    case ">":
    case "<":
      return value !== undefined && compares(operator, value, values[0]);
  }
}

function compares(operator: ">" | "<", value: string, limit: string | undefined): boolean {
  const actual = parseInt64(value);
  const bound = limit === undefined ? undefined : parseInt64(limit);
  if (actual === undefined || bound === undefined) return false;
  return operator === ">" ? actual > bound : actual < bound;
}

function formatRequirement({ key, operator, values }: LabelRequirement): string {
  switch (operator) {
    case "exists":
      return key;
    case "!":
      return `!${key}`;
    case "in":
    case "notin":
      return `${key} ${operator} (${values.join(",")})`;
    default:
      return `${key}${operator}${values.join(",")}`;
  }
}

function operatorOfExpression(operator: string): LabelOperator {
  switch (operator) {
    case "In":
      return "in";
    case "NotIn":
      return "notin";
    case "Exists":
      return "exists";
    case "DoesNotExist":
      return "!";
    default:
      throw malformed(`${JSON.stringify(operator)} is not a valid label selector operator`);
  }
}

function keyErrors(key: string): readonly string[] {
  const errors = validateQualifiedName(key);
  return errors.length === 0 ? [] : [`key: Invalid value: ${JSON.stringify(key)}: ${errors.join("; ")}`];
}

function countErrors(operator: LabelOperator, values: readonly string[]): readonly string[] {
  const wrong = (detail: string): string[] => [`values: Invalid value: ${JSON.stringify(values)}: ${detail}`];
  switch (operator) {
    case "in":
    case "notin":
      return values.length === 0 ? wrong("for 'in', 'notin' operators, values set can't be empty") : [];
    case "exists":
    case "!":
      return values.length > 0 ? wrong("values set must be empty for exists and does not exist") : [];
    case ">":
    case "<":
      if (values.length !== 1) return wrong("for 'Gt', 'Lt' operators, exactly one value is required");
      return integerErrors(values);
    default:
      return values.length === 1 ? [] : wrong("exact-match compatibility requires one single value");
  }
}

function integerErrors(values: readonly string[]): readonly string[] {
  const detail = "for 'Gt', 'Lt' operators, the value must be an integer";
  return values.flatMap((value, index) =>
    parseInt64(value) === undefined ? [`values[${index}]: Invalid value: ${JSON.stringify(value)}: ${detail}`] : [],
  );
}

function valueErrors(key: string, values: readonly string[]): readonly string[] {
  return values.flatMap((value, index) => {
    const errors = validateLabelValue(value);
    if (errors.length === 0) return [];
    return [`values[${index}][${key}]: Invalid value: ${JSON.stringify(value)}: ${errors.join("; ")}`];
  });
}

function parseInt64(text: string): bigint | undefined {
  if (!/^[+-]?[0-9]+$/.test(text)) return undefined;
  const value = BigInt(text.startsWith("+") ? text.slice(1) : text);
  return BigInt.asIntN(64, value) === value ? value : undefined;
}
