/** Admission policies and their bindings. Their expressions are looked at by admission itself (policies/expression-check.ts). */
import type {
  MatchResources,
  MutatingAdmissionPolicy,
  Mutation,
  NamedRuleWithOperations,
  ParamKind,
  ParamRef,
  ValidatingAdmissionPolicy,
  ValidatingAdmissionPolicyBinding,
  Validation,
  Variable,
} from "@kubewright/api/admissionregistration/v1";
import { validateDns1035Label, validateDnsSubdomain, validatePathSegment } from "@kubewright/core/meta";
import {
  type FieldError,
  fieldDuplicate,
  fieldForbidden,
  fieldInvalid,
  fieldNotSupported,
  fieldRequired,
} from "@kubewright/core/protocol";
import type { KindParticulars } from "./kind-strategy.ts";
import { validateQualified, validateRequired, validateSubdomain } from "./validation/fields.ts";
import { validateLabelSelector } from "./validation/label-selectors.ts";
import { validateRule } from "./webhooks.ts";

const IDENTIFIER = /^[_a-zA-Z][_a-zA-Z0-9]*$/;
const REASONS = ["Forbidden", "Invalid", "RequestEntityTooLarge"];
const NOT_FOUND_ACTIONS = ["Deny", "Allow"];
const MUTATING_OPERATIONS = ["CREATE", "UPDATE"];

/** What is particular to ValidatingAdmissionPolicies. */
export const validatingPolicyParticulars: KindParticulars = {
  generation: true,
  unconditionalUpdate: false,
  validate: (object, _current, { subresource }) => {
    if (subresource === "status") return [];
    const { spec = {}, metadata } = object as unknown as ValidatingAdmissionPolicy;
    const { validations = [], auditAnnotations = [] } = spec;
    const isEmpty = validations.length === 0 && auditAnnotations.length === 0;
    const why = "validations or auditAnnotations must contain at least one item";
    return [
      ...validateCommon(spec),
      ...(isEmpty ? [fieldRequired("spec.validations", why), fieldRequired("spec.auditAnnotations", why)] : []),
      ...validations.flatMap((validation, index) => validateValidation(`spec.validations[${index}]`, validation)),
      ...auditAnnotations.flatMap(({ key, valueExpression = "" }, index) => [
        ...(auditAnnotations.findIndex((other) => other.key === key) < index
          ? [fieldDuplicate(`spec.auditAnnotations[${index}].key`, key)]
          : []),
        ...validateQualified(`spec.auditAnnotations[${index}].key`, `${metadata?.name ?? ""}/${key}`),
        ...validateRequired(
          `spec.auditAnnotations[${index}].valueExpression`,
          valueExpression.trim(),
          "valueExpression is not specified",
        ),
      ]),
    ];
  },
};

/** What is particular to MutatingAdmissionPolicies. */
export const mutatingPolicyParticulars: KindParticulars = {
  generation: true,
  unconditionalUpdate: false,
  validate: (object) => {
    const { spec = {} } = object as unknown as MutatingAdmissionPolicy;
    const { mutations = [], matchConstraints } = spec;
    return [
      ...validateCommon(spec),
      ...validateOperations("spec.matchConstraints", matchConstraints),
      ...(mutations.length === 0
        ? [fieldRequired("spec.mutations", "mutations must contain at least one item")]
        : mutations.flatMap((mutation, index) => validateMutation(`spec.mutations[${index}]`, mutation))),
      ...validateRequired("spec.reinvocationPolicy", spec.reinvocationPolicy),
    ];
  },
};

/** What is particular to bindings of both kinds of policies. */
export const policyBindingParticulars: KindParticulars = {
  generation: true,
  unconditionalUpdate: false,
  validate: (object) => {
    const { spec } = object as unknown as ValidatingAdmissionPolicyBinding;
    const { policyName = "", paramRef, matchResources, validationActions = [] } = spec ?? {};
    const isValidating = object.kind === "ValidatingAdmissionPolicyBinding";
    return [
      ...(policyName === "" ? [fieldRequired("spec.policyName")] : validateSubdomain("spec.policyName", policyName)),
      ...validateParamRef("spec.paramRef", paramRef),
      ...validateMatchResources("spec.matchResources", matchResources),
      ...(isValidating
        ? validateActions("spec.validationActions", validationActions)
        : validateOperations("spec.matchResources", matchResources)),
    ];
  },
};

interface CommonSpec {
  readonly paramKind?: ParamKind;
  readonly matchConstraints?: MatchResources;
  readonly matchConditions?: readonly { readonly name: string; readonly expression: string }[];
  readonly variables?: readonly Variable[];
}

function validateCommon({
  paramKind,
  matchConstraints,
  matchConditions = [],
  variables = [],
}: CommonSpec): FieldError[] {
  const hasRules = (matchConstraints?.resourceRules ?? []).length > 0;
  const names = matchConditions.map(({ name }) => name);
  return [
    ...(paramKind == null ? [] : validateParamKind("spec.paramKind", paramKind)),
    ...(matchConstraints == null
      ? [fieldRequired("spec.matchConstraints")]
      : [
          ...validateMatchResources("spec.matchConstraints", matchConstraints),
          ...(hasRules ? [] : [fieldRequired("spec.matchConstraints.resourceRules")]),
        ]),
    ...names.flatMap((name, index) => [
      ...(name === ""
        ? [fieldRequired(`spec.matchConditions[${index}].name`)]
        : validateQualified(`spec.matchConditions[${index}].name`, name)),
      ...(names.indexOf(name) < index ? [fieldDuplicate(`spec.matchConditions[${index}].name`, name)] : []),
    ]),
    ...variables.flatMap((variable, index) => validateVariable(`spec.variables[${index}]`, variable)),
  ];
}

function validateParamKind(field: string, { apiVersion = "", kind = "" }: ParamKind): FieldError[] {
  const parts = apiVersion.split("/");
  const version = parts.at(-1) ?? "";
  const group = parts.length === 2 ? (parts[0] ?? "") : "";
  const isPair = parts.length <= 2;
  return [
    ...(apiVersion === "" ? [fieldRequired(`${field}.apiVersion`)] : []),
    ...(isPair
      ? []
      : [fieldInvalid(`${field}.apiVersion`, apiVersion, `unexpected GroupVersion string: ${apiVersion}`)]),
    ...(isPair && group !== "" ? joined(`${field}.apiVersion`, group, validateDnsSubdomain(group)) : []),
    ...(isPair && apiVersion !== "" ? joined(`${field}.apiVersion`, version, validateDns1035Label(version)) : []),
    ...(kind === ""
      ? [fieldRequired(`${field}.kind`)]
      : validateDns1035Label(kind.toLowerCase()).map((text) =>
          fieldInvalid(`${field}.kind`, kind, `may have mixed case, but should otherwise match: ${text}`),
        )),
  ];
}

function joined(field: string, value: string, texts: readonly string[]): FieldError[] {
  return texts.length === 0 ? [] : [fieldInvalid(field, value, texts.join(","))];
}

function validateMatchResources(field: string, resources: MatchResources | undefined): FieldError[] {
  if (resources == null) return [];
  const lists = ["resourceRules", "excludeResourceRules"] as const;
  return [
    ...validateLabelSelector(`${field}.namespaceSelector`, resources.namespaceSelector),
    ...validateLabelSelector(`${field}.objectSelector`, resources.objectSelector),
    ...lists.flatMap((list) =>
      (resources[list] ?? []).flatMap((rule, index) => validateNamedRule(`${field}.${list}[${index}]`, rule)),
    ),
  ];
}

function validateNamedRule(at: string, rule: NamedRuleWithOperations): FieldError[] {
  const { resourceNames = [] } = rule;
  return [
    ...resourceNames.flatMap((name, index) => [
      ...validatePathSegment(name).map((text) => fieldInvalid(`${at}.resourceNames[${index}]`, name, text)),
      ...(resourceNames.indexOf(name) < index ? [fieldDuplicate(`${at}.resourceNames[${index}]`, name)] : []),
    ]),
    ...validateRule(at, rule),
  ];
}

/** Only what is created or updated can be changed. */
function validateOperations(field: string, resources: MatchResources | undefined): FieldError[] {
  const operations = (resources?.resourceRules ?? []).flatMap((rule) => (rule.operations ?? []) as readonly string[]);
  return operations
    .filter((operation) => !MUTATING_OPERATIONS.includes(operation))
    .map((operation) => fieldNotSupported(`${field}.resourceRules.operations`, operation, MUTATING_OPERATIONS));
}

function validateVariable(at: string, { name = "", expression = "" }: Variable): FieldError[] {
  return [
    ...(name.trim() === "" ? [fieldRequired(`${at}.name`, "name is not specified")] : []),
    ...(name.trim() === "" || IDENTIFIER.test(name)
      ? []
      : [fieldInvalid(`${at}.name`, name, "must be a valid CEL identifier")]),
    ...validateRequired(`${at}.expression`, expression.trim(), "expression is not specified"),
  ];
}

function validateValidation(at: string, validation: Validation): FieldError[] {
  const { expression = "", message = "", messageExpression = "", reason } = validation;
  const blank = (field: string, text: string): FieldError[] =>
    text !== "" && text.trim() === "" ? [fieldInvalid(field, text, "must be non-empty if specified")] : [];
  return [
    ...validateRequired(`${at}.expression`, expression.trim(), "expression is not specified"),
    ...blank(`${at}.messageExpression`, messageExpression),
    ...blank(`${at}.message`, message),
    ...(/[\r\n]/.test(message.trim()) ? [fieldInvalid(`${at}.message`, message, "must not contain line breaks")] : []),
    ...(reason === undefined || REASONS.includes(reason) ? [] : [fieldNotSupported(`${at}.reason`, reason, REASONS)]),
  ];
}

function validateMutation(at: string, { patchType, jsonPatch, applyConfiguration }: Mutation): FieldError[] {
  const parts = {
    JSONPatch: ["jsonPatch", jsonPatch],
    ApplyConfiguration: ["applyConfiguration", applyConfiguration],
  } as const;
  const type: string = patchType ?? "";
  if (type === "") return [fieldRequired(`${at}.patchType`)];
  if (type !== "JSONPatch" && type !== "ApplyConfiguration") {
    return []; // Told with all enumerations.
  }
  const [name, own] = parts[type];
  const [otherName, other] = parts[type === "JSONPatch" ? "ApplyConfiguration" : "JSONPatch"];
  return [
    ...(own == null ? [fieldRequired(`${at}.${name}`, `must be specified when patchType is ${type}`)] : []),
    ...(own == null ? [] : validateRequired(`${at}.${name}.expression`, own.expression?.trim())),
    ...(other == null
      ? []
      : [fieldInvalid(`${at}.${otherName}`, `{${otherName}}`, `must not be specified when patchType is ${type}`)]),
  ];
}

function validateParamRef(field: string, reference: ParamRef | undefined): FieldError[] {
  if (reference == null) return [];
  const { name = "", selector, parameterNotFoundAction: action = "" } = reference;
  const exclusive = "name and selector are mutually exclusive";
  const isBoth = name !== "" && selector != null;
  return [
    ...(name === "" ? [] : validatePathSegment(name).map((text) => fieldInvalid(`${field}.name`, name, text))),
    ...(isBoth ? [fieldForbidden(`${field}.name`, exclusive)] : []),
    ...validateLabelSelector(`${field}.selector`, selector),
    ...(isBoth ? [fieldForbidden(`${field}.selector`, exclusive)] : []),
    ...(name === "" && selector == null ? [fieldRequired(field, "one of name or selector must be specified")] : []),
    ...validateRequired(`${field}.parameterNotFoundAction`, action),
    ...(action === "" || NOT_FOUND_ACTIONS.includes(action)
      ? []
      : [fieldNotSupported(`${field}.parameterNotFoundAction`, action, NOT_FOUND_ACTIONS)]),
  ];
}

function validateActions(field: string, actions: readonly string[]): FieldError[] {
  const why =
    "must not contain both Deny and Warn (repeating the same validation failure information in the API response and headers serves no purpose)";
  return [
    ...actions.flatMap((action, index) =>
      actions.indexOf(action) < index ? [fieldDuplicate(`${field}[${index}]`, action)] : [],
    ),
    ...(actions.includes("Deny") && actions.includes("Warn") ? [fieldInvalid(field, [...actions], why)] : []),
    ...(actions.length === 0 ? [fieldRequired(field, "at least one validation action is required")] : []),
  ];
}
