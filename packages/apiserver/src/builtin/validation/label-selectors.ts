/** Label selectors in specs: what is wrong with them, and whether they select labels. */
import {
  isMalformed,
  type LabelSelector,
  type LabelSelectorRequirement,
  type Labels,
  selectorMatches,
  validateLabelValue,
} from "@kubewright/core/meta";
import { type FieldError, fieldForbidden, fieldInvalid, fieldRequired } from "@kubewright/core/protocol";
import { areLabels, validateLabels, validateQualified } from "./fields.ts";

/** What is wrong with a selector; an absent one is fine. */
export function validateLabelSelector(field: string, selector: LabelSelector | undefined): FieldError[] {
  if (selector === undefined) return [];
  return [
    ...validateLabels(`${field}.matchLabels`, selector.matchLabels),
    ...(selector.matchExpressions ?? []).flatMap((requirement, index) =>
      validateRequirement(`${field}.matchExpressions[${index}]`, requirement),
    ),
  ];
}

/** True for a selector that selects everything. */
export function isEmptySelector(selector: LabelSelector): boolean {
  return Object.keys(selector.matchLabels ?? {}).length + (selector.matchExpressions ?? []).length === 0;
}

/** Whether labels are selected; undefined when the selector is no valid one. */
export function selects(
  selector: LabelSelector,
  labels: Readonly<Record<string, string>> | undefined,
): boolean | undefined {
  if (isMetPlainly(selector, labels)) return true;
  try {
    return selectorMatches(selector, labels ?? {});
  } catch (error) {
    if (isMalformed(error)) return undefined;
    throw error;
  }
}

/** The common case, at a glance: labels that are right and all there. */
function isMetPlainly({ matchLabels, matchExpressions }: LabelSelector, labels: Labels | undefined): boolean {
  if (matchLabels === undefined || labels === undefined || (matchExpressions ?? []).length > 0) return false;
  for (const key in matchLabels) if (matchLabels[key] !== labels[key]) return false;
  return areLabels(matchLabels);
}

function validateRequirement(field: string, requirement: LabelSelectorRequirement): FieldError[] {
  const { key, operator, values = [] } = requirement;
  return [
    ...validateOperator(field, operator, values),
    ...validateQualified(`${field}.key`, key),
    ...values.flatMap((value, index) =>
      validateLabelValue(value).map((text) => fieldInvalid(`${field}.values[${index}]`, value, text)),
    ),
  ];
}

function validateOperator(field: string, operator: string, values: readonly string[]): FieldError[] {
  switch (operator) {
    case "In":
    case "NotIn":
      return values.length > 0
        ? []
        : [fieldRequired(`${field}.values`, "must be specified when `operator` is 'In' or 'NotIn'")];
    case "Exists":
    case "DoesNotExist":
      return values.length === 0
        ? []
        : [fieldForbidden(`${field}.values`, "may not be specified when `operator` is 'Exists' or 'DoesNotExist'")];
    default:
      return [fieldInvalid(`${field}.operator`, operator, "not a valid selector operator")];
  }
}
