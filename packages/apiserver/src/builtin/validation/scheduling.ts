/** What is wrong with the parts of a pod that say where it may run. */
import type {
  Affinity,
  NodeSelectorRequirement,
  NodeSelectorTerm,
  PodAffinity,
  PodAffinityTerm,
  PodSchedulingGate,
  Toleration,
  TopologySpreadConstraint,
} from "@kubewright/api/core/v1";
import { validateLabelValue } from "@kubewright/core/meta";
import {
  type FieldError,
  fieldDuplicate,
  fieldForbidden,
  fieldInvalid,
  fieldNotSupported,
  fieldRequired,
} from "@kubewright/core/protocol";
import { validateLabelName, validatePositive, validateQualified } from "./fields.ts";
import { validateLabelSelector } from "./label-selectors.ts";

/** Tolerations of taints. */
export function validateTolerations(field: string, tolerations: readonly Toleration[]): FieldError[] {
  return tolerations.flatMap((toleration, index) => validateToleration(`${field}[${index}]`, toleration));
}

function validateToleration(at: string, toleration: Toleration): FieldError[] {
  const { key = "", operator = "", value = "", effect = "", tolerationSeconds } = toleration;
  return [
    ...(key === "" ? [] : validateQualified(`${at}.key`, key)),
    ...(key === "" && operator !== "Exists"
      ? [
          fieldInvalid(
            `${at}.operator`,
            operator,
            'operator must be Exists when `key` is empty, which means "match all values and all keys"',
          ),
        ]
      : []),
    ...(tolerationSeconds !== undefined && effect !== "NoExecute"
      ? [fieldInvalid(`${at}.effect`, effect, "effect must be 'NoExecute' when `tolerationSeconds` is set")]
      : []),
    ...validateTolerated(`${at}.operator`, operator, value),
    ...(effect === "" || TAINT_EFFECTS.includes(effect)
      ? []
      : [fieldNotSupported(`${at}.effect`, effect, TAINT_EFFECTS)]),
  ];
}

const TAINT_EFFECTS = ["NoSchedule", "PreferNoSchedule", "NoExecute"];
/** Those that compare numbers are known, but not yet served. */
const COMPARING = ["Lt", "Gt"];

function validateTolerated(field: string, operator: string, value: string): FieldError[] {
  if (operator === "Exists") {
    return value === "" ? [] : [fieldInvalid(field, value, "value must be empty when `operator` is 'Exists'")];
  }
  if (COMPARING.includes(operator)) return [fieldNotSupported(field, operator, ["Equal", "Exists", ...COMPARING])];
  const texts = validateLabelValue(value);
  return texts.length === 0 ? [] : [fieldInvalid(field, value, texts.join(";"))];
}

/** Affinity to nodes and to other pods. */
export function validateAffinity(field: string, affinity: Affinity | undefined): FieldError[] {
  if (affinity === undefined) return [];
  const { nodeAffinity, podAffinity, podAntiAffinity } = affinity;
  const required = nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution;
  const preferred = nodeAffinity?.preferredDuringSchedulingIgnoredDuringExecution ?? [];
  const at = `${field}.nodeAffinity`;
  return [
    ...(required === undefined
      ? []
      : validateNodeTerms(`${at}.requiredDuringSchedulingIgnoredDuringExecution`, required.nodeSelectorTerms ?? [])),
    ...preferred.flatMap(({ weight, preference }, index) => {
      const item = `${at}.preferredDuringSchedulingIgnoredDuringExecution[${index}]`;
      return [...validateWeight(item, weight), ...validateNodeTerm(`${item}.preference`, preference)];
    }),
    ...validatePodAffinity(`${field}.podAffinity`, podAffinity),
    ...validatePodAffinity(`${field}.podAntiAffinity`, podAntiAffinity),
  ];
}

/** The terms of a node selector, of which at least one must be there. */
export function validateNodeTerms(field: string, terms: readonly NodeSelectorTerm[]): FieldError[] {
  if (terms.length === 0) {
    return [fieldRequired(`${field}.nodeSelectorTerms`, "must have at least one node selector term")];
  }
  return terms.flatMap((term, index) => validateNodeTerm(`${field}.nodeSelectorTerms[${index}]`, term));
}

function validateNodeTerm(field: string, { matchExpressions = [], matchFields = [] }: NodeSelectorTerm): FieldError[] {
  return [
    ...matchExpressions.flatMap((requirement, index) =>
      validateNodeRequirement(`${field}.matchExpressions[${index}]`, requirement),
    ),
    ...matchFields.flatMap((requirement, index) =>
      validateFieldRequirement(`${field}.matchFields[${index}]`, requirement),
    ),
  ];
}

function validateNodeRequirement(at: string, { key, operator, values = [] }: NodeSelectorRequirement): FieldError[] {
  return [
    ...validateOperator(at, operator, values),
    ...validateQualified(`${at}.key`, key),
    ...values.flatMap((value, index) =>
      validateLabelValue(value).map((text) => fieldInvalid(`${at}.values[${index}]`, value, text)),
    ),
  ];
}

function validateOperator(at: string, operator: string, values: readonly string[]): FieldError[] {
  switch (operator) {
    case "In":
    case "NotIn":
      return values.length > 0
        ? []
        : [fieldRequired(`${at}.values`, "must be specified when `operator` is 'In' or 'NotIn'")];
    case "Exists":
    case "DoesNotExist":
      return values.length === 0
        ? []
        : [fieldForbidden(`${at}.values`, "may not be specified when `operator` is 'Exists' or 'DoesNotExist'")];
    case "Gt":
    case "Lt":
      return values.length === 1
        ? []
        : [fieldRequired(`${at}.values`, "must be specified single value when `operator` is 'Lt' or 'Gt'")];
    default:
      return [fieldInvalid(`${at}.operator`, operator, "not a valid selector operator")];
  }
}

function validateFieldRequirement(at: string, { key, operator, values = [] }: NodeSelectorRequirement): FieldError[] {
  const isOneOf = operator === "In" || operator === "NotIn";
  return [
    ...(isOneOf ? [] : [fieldInvalid(`${at}.operator`, operator, "not a valid selector operator")]),
    ...(isOneOf && values.length !== 1
      ? [
          fieldRequired(
            `${at}.values`,
            "must be only one value when `operator` is 'In' or 'NotIn' for node field selector",
          ),
        ]
      : []),
    ...(key === "metadata.name" ? [] : [fieldInvalid(`${at}.key`, key, "not a valid field selector key")]),
  ];
}

function validatePodAffinity(field: string, affinity: PodAffinity | undefined): FieldError[] {
  const required = affinity?.requiredDuringSchedulingIgnoredDuringExecution ?? [];
  const preferred = affinity?.preferredDuringSchedulingIgnoredDuringExecution ?? [];
  return [
    ...required.flatMap((term, index) =>
      validatePodTerm(`${field}.requiredDuringSchedulingIgnoredDuringExecution[${index}]`, term),
    ),
    ...preferred.flatMap(({ weight, podAffinityTerm }, index) => {
      const at = `${field}.preferredDuringSchedulingIgnoredDuringExecution[${index}]`;
      return [...validateWeight(at, weight), ...validatePodTerm(`${at}.podAffinityTerm`, podAffinityTerm)];
    }),
  ];
}

function validatePodTerm(at: string, term: PodAffinityTerm): FieldError[] {
  const { labelSelector, namespaceSelector, namespaces = [], topologyKey } = term;
  return [
    ...validateLabelSelector(`${at}.labelSelector`, labelSelector),
    ...validateLabelSelector(`${at}.namespaceSelector`, namespaceSelector),
    ...namespaces.flatMap((name) => validateLabelName(`${at}.namespace`, name)),
    ...(topologyKey === "" ? [fieldRequired(`${at}.topologyKey`, "can not be empty")] : []),
    ...validateQualified(`${at}.topologyKey`, topologyKey),
  ];
}

function validateWeight(at: string, weight: number): FieldError[] {
  return weight >= 1 && weight <= 100 ? [] : [fieldInvalid(`${at}.weight`, weight, "must be in the range 1-100")];
}

/** How pods spread over domains. */
export function validateSpread(field: string, constraints: readonly TopologySpreadConstraint[]): FieldError[] {
  return constraints.flatMap((constraint, index) => {
    const at = `${field}[${index}]`;
    const { maxSkew, topologyKey, whenUnsatisfiable, minDomains, labelSelector } = constraint;
    const isRepeated = constraints
      .slice(index + 1)
      .some((other) => other.topologyKey === topologyKey && other.whenUnsatisfiable === whenUnsatisfiable);
    return [
      ...validatePositive(`${at}.maxSkew`, maxSkew),
      ...(topologyKey === "" ? [fieldRequired(`${at}.topologyKey`, "can not be empty")] : []),
      ...(isRepeated
        ? [fieldDuplicate(`${at}.{topologyKey, whenUnsatisfiable}`, `{${topologyKey}, ${whenUnsatisfiable}}`)]
        : []),
      ...(minDomains === undefined ? [] : validatePositive(`${at}.minDomains`, minDomains)),
      ...(minDomains === undefined || whenUnsatisfiable === "DoNotSchedule"
        ? []
        : [
            fieldInvalid(
              `${at}.minDomains`,
              minDomains,
              `can only use minDomains if whenUnsatisfiable=DoNotSchedule, not ${whenUnsatisfiable}`,
            ),
          ]),
      ...validateLabelSelector(`${at}.labelSelector`, labelSelector),
    ];
  });
}

/** What keeps a pod from being scheduled until it is removed. */
export function validateSchedulingGates(field: string, gates: readonly PodSchedulingGate[]): FieldError[] {
  const names = new Set<string>();
  return gates.flatMap(({ name }, index) => {
    const at = `${field}[${index}]`;
    const errors = [...validateQualified(at, name), ...(names.has(name) ? [fieldDuplicate(at, name)] : [])];
    names.add(name);
    return errors;
  });
}
