/** HorizontalPodAutoscalers. Version 2 is stored; version 1 shows what it can and keeps the rest in annotations. */
import type {
  CrossVersionObjectReference,
  HorizontalPodAutoscaler,
  HPAScalingRules,
  MetricIdentifier,
  MetricSpec,
  MetricTarget,
  ObjectMetricSource,
} from "@kubewright/api/autoscaling/v2";
import { compareQuantities, parseQuantity, quantityOf, validatePathSegment } from "@kubewright/core/meta";
import {
  type FieldError,
  fieldForbidden,
  fieldInvalid,
  fieldNotSupported,
  fieldRequired,
} from "@kubewright/core/protocol";
import type { KindParticulars } from "./kind-strategy.ts";
import { asJson, validateNonNegativeQuantity } from "./validation/fields.ts";

const SOURCES = ["object", "external", "pods", "resource", "containerResource"] as const;
const STABILIZATION_SECONDS_MAX = 3600;
const PERIOD_SECONDS_MAX = 1800;

/** What is particular to HorizontalPodAutoscalers. */
export const autoscalerParticulars: KindParticulars = {
  validate: (object, _current, { subresource }) =>
    subresource === "status" ? [] : validateSpec((object as unknown as HorizontalPodAutoscaler).spec),
};

function validateSpec(spec: HorizontalPodAutoscaler["spec"]): FieldError[] {
  const { minReplicas, maxReplicas = 0, scaleTargetRef, metrics = [], behavior } = spec ?? {};
  return [
    ...(minReplicas !== undefined && minReplicas < 1
      ? [fieldInvalid("spec.minReplicas", minReplicas, "must be greater than or equal to 1")]
      : []),
    ...(maxReplicas === 0 ? [fieldRequired("spec.maxReplicas", "must be set and greater than 0")] : []),
    ...(maxReplicas < 0 ? [fieldInvalid("spec.maxReplicas", maxReplicas, "must be greater than or equal to 1")] : []),
    ...(minReplicas !== undefined && maxReplicas < minReplicas
      ? [fieldInvalid("spec.maxReplicas", maxReplicas, "must be greater than or equal to `minReplicas`")]
      : []),
    ...validateReference("spec.scaleTargetRef", scaleTargetRef ?? {}),
    ...metrics.flatMap((metric, index) => validateMetric(`spec.metrics[${index}]`, metric)),
    ...(minReplicas === 0 && !metrics.some(({ type }) => type === "Object" || type === "External")
      ? [
          fieldForbidden(
            "spec.metrics",
            "must specify at least one Object or External metric to support scaling to zero replicas",
          ),
        ]
      : []),
    ...validateRules("spec.behavior.scaleUp", behavior?.scaleUp),
    ...validateRules("spec.behavior.scaleDown", behavior?.scaleDown),
  ];
}

function validateReference(field: string, reference: Partial<CrossVersionObjectReference>): FieldError[] {
  const { kind = "", apiVersion = "" } = reference;
  const isGrouped = apiVersion.includes("/") || kind === "ReplicationController";
  return [
    ...validateKindAndName(field, reference),
    ...(isGrouped ? [] : [fieldInvalid(`${field}.apiVersion`, apiVersion, "apiVersion must specify API group")]),
  ];
}

function validateKindAndName(
  field: string,
  { kind = "", name = "" }: Partial<CrossVersionObjectReference>,
): FieldError[] {
  const check = (part: string, value: string): FieldError[] =>
    value === ""
      ? [fieldRequired(`${field}.${part}`)]
      : validatePathSegment(value).map((text) => fieldInvalid(`${field}.${part}`, value, text));
  return [...check("kind", kind), ...check("name", name)];
}

const METRIC_TYPES = ["ContainerResource", "External", "Object", "Pods", "Resource"];

/** Of several sources the first is checked, whichever the type asks for. */
function validateMetric(at: string, metric: MetricSpec): FieldError[] {
  const { type } = metric;
  const given = SOURCES.filter((name) => metric[name] !== undefined);
  const expected = SOURCES.find((name) => name.toLowerCase() === type.toLowerCase());
  const [first] = given;
  const source = first === undefined ? undefined : metric[first];
  return [
    ...((type as string) === "" ? [fieldRequired(`${at}.type`, "must specify a metric source type")] : []),
    ...(expected === undefined ? [fieldNotSupported(`${at}.type`, type, METRIC_TYPES)] : []),
    ...(first === undefined || source === undefined
      ? []
      : validateSource(`${at}.${first}`, { name: first, target: source.target, source })),
    ...(expected !== undefined && metric[expected] === undefined
      ? [fieldRequired(`${at}.${expected}`, "must populate information for the given metric source")]
      : []),
    ...given
      .filter((name) => name !== expected && given.length > 1)
      .map((name) => fieldForbidden(`${at}.${name}`, "must populate the given metric source only")),
  ];
}

interface MetricSource {
  readonly name: (typeof SOURCES)[number];
  readonly target: MetricTarget;
  readonly source: object;
}

function validateSource(at: string, { name, target, source }: MetricSource): FieldError[] {
  const targetErrors = validateTarget(`${at}.target`, target);
  switch (name) {
    case "resource":
    case "containerResource":
      return validateResource(at, source, { isContainer: name === "containerResource", target, targetErrors });
    case "object":
      return [
        ...validateDescribed(`${at}.describedObject`, (source as ObjectMetricSource).describedObject ?? {}),
        ...validateIdentifier(`${at}.metric`, source),
        ...targetErrors,
        ...validateValues(at, target, "must set either a target value or averageValue"),
      ];
    case "external":
      return [
        ...validateIdentifier(`${at}.metric`, source),
        ...targetErrors,
        ...validateValues(at, target, "must set either a target value for metric or a per-pod target"),
        ...(target?.value !== undefined && target.averageValue !== undefined
          ? [fieldForbidden(`${at}.target.value`, "may not set both a target value for metric and a per-pod target")]
          : []),
      ];
    case "pods":
      return [
        ...validateIdentifier(`${at}.metric`, source),
        ...targetErrors,
        ...(target?.averageValue === undefined
          ? [fieldRequired(`${at}.target.averageValue`, "must specify a positive target averageValue")]
          : []),
      ];
  }
}

function validateResource(
  at: string,
  source: object,
  {
    isContainer,
    target,
    targetErrors,
  }: { readonly isContainer: boolean; readonly target: MetricTarget; readonly targetErrors: readonly FieldError[] },
): FieldError[] {
  const { averageUtilization, averageValue } = target ?? {};
  const { name = "", container = "" } = source as { readonly name?: string; readonly container?: string };
  const field = `${at}.target`;
  return [
    ...(name === "" ? [fieldRequired(`${at}.name`, "must specify a resource name")] : []),
    ...(isContainer && container === "" ? [fieldRequired(`${at}.container`, "must specify a container")] : []),
    ...targetErrors,
    ...(averageUtilization === undefined && averageValue === undefined
      ? [fieldRequired(`${field}.averageUtilization`, "must set either a target raw value or a target utilization")]
      : []),
    ...(averageUtilization !== undefined && averageValue !== undefined
      ? [fieldForbidden(`${field}.averageValue`, "may not set both a target raw value and a target utilization")]
      : []),
  ];
}

/** An object that a metric is about may be of the core group. */
function validateDescribed(field: string, reference: Partial<CrossVersionObjectReference>): FieldError[] {
  const { apiVersion = "" } = reference;
  return [
    ...validateKindAndName(field, reference),
    ...(apiVersion.split("/").length > 2
      ? [fieldInvalid(`${field}.apiVersion`, apiVersion, `unexpected GroupVersion string: ${apiVersion}`)]
      : []),
  ];
}

function validateIdentifier(field: string, source: object): FieldError[] {
  const { name = "" } = (source as { readonly metric?: Partial<MetricIdentifier> }).metric ?? {};
  if (name === "") return [fieldRequired(`${field}.name`, "must specify a metric name")];
  return validatePathSegment(name).map((text) => fieldInvalid(`${field}.name`, name, text));
}

function validateValues(at: string, target: MetricTarget | undefined, detail: string): FieldError[] {
  if (target?.value !== undefined || target?.averageValue !== undefined) return [];
  return [fieldRequired(`${at}.target.averageValue`, detail)];
}

function validateTarget(at: string, target: MetricTarget | undefined): FieldError[] {
  const { type = "", averageUtilization, value, averageValue } = (target ?? {}) as Partial<MetricTarget>;
  return [
    ...(type === "" ? [fieldRequired(`${at}.type`, "must specify a metric target type")] : []),
    ...(["Utilization", "Value", "AverageValue"].includes(type)
      ? []
      : [fieldInvalid(`${at}.type`, type, "must be either Utilization, Value, or AverageValue")]),
    ...validatePositiveQuantity(`${at}.value`, value),
    ...validatePositiveQuantity(`${at}.averageValue`, averageValue),
    ...(averageUtilization !== undefined && averageUtilization < 1
      ? [fieldInvalid(`${at}.averageUtilization`, averageUtilization, "must be greater than 0")]
      : []),
  ];
}

function validatePositiveQuantity(field: string, quantity: string | number | undefined): FieldError[] {
  if (quantity === undefined) return [];
  const isPositive = compareQuantities(parseQuantity(String(quantity)), quantityOf(0)) > 0;
  return isPositive ? [] : [fieldInvalid(field, String(quantity), "must be positive")];
}

const SELECT_POLICIES = ["Disabled", "Max", "Min"];
const POLICY_TYPES = ["Percent", "Pods"];

function validateRules(field: string, rules: HPAScalingRules | undefined): FieldError[] {
  if (rules === undefined) return [];
  const { stabilizationWindowSeconds: seconds, policies = [], selectPolicy, tolerance } = rules;
  return [
    ...(seconds !== undefined && seconds < 0
      ? [fieldInvalid(`${field}.stabilizationWindowSeconds`, seconds, "must be greater than or equal to zero")]
      : []),
    ...(seconds !== undefined && seconds > STABILIZATION_SECONDS_MAX
      ? [
          fieldInvalid(
            `${field}.stabilizationWindowSeconds`,
            seconds,
            `must be less than or equal to ${STABILIZATION_SECONDS_MAX}`,
          ),
        ]
      : []),
    ...(selectPolicy === undefined || SELECT_POLICIES.includes(selectPolicy)
      ? []
      : [fieldNotSupported(`${field}.selectPolicy`, selectPolicy, SELECT_POLICIES)]),
    ...(policies.length === 0 ? [fieldRequired(`${field}.policies`, "must specify at least one Policy")] : []),
    ...policies.flatMap(({ type, value, periodSeconds }, index) => {
      const at = `${field}.policies[${index}]`;
      return [
        ...(POLICY_TYPES.includes(type) ? [] : [fieldNotSupported(`${at}.type`, type, POLICY_TYPES)]),
        ...(value <= 0 ? [fieldInvalid(`${at}.value`, asJson(value), "must be greater than zero")] : []),
        ...(periodSeconds <= 0
          ? [fieldInvalid(`${at}.periodSeconds`, periodSeconds, "must be greater than zero")]
          : []),
        ...(periodSeconds > PERIOD_SECONDS_MAX
          ? [fieldInvalid(`${at}.periodSeconds`, periodSeconds, `must be less than or equal to ${PERIOD_SECONDS_MAX}`)]
          : []),
      ];
    }),
    ...(tolerance === undefined ? [] : validateNonNegativeQuantity(`${field}.tolerance`, String(tolerance))),
  ];
}
