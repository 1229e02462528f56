/** HorizontalPodAutoscalers. Version 2 is stored; version 1 shows what it can and keeps the rest in annotations. */
import type {
  HorizontalPodAutoscaler,
  HPAScalingRules,
  MetricSpec,
  MetricTarget,
} from "@kubewright/api/autoscaling/v2";
import { validatePathSegment } from "@kubewright/core/meta";
import {
  type FieldError,
  fieldForbidden,
  fieldInvalid,
  fieldNotSupported,
  fieldRequired,
} from "@kubewright/core/protocol";
import type { KindParticulars } from "./kind-strategy.ts";
import { asJson } from "./validation/fields.ts";

const SOURCES = ["object", "pods", "resource", "external", "containerResource"] as const;
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

function validateReference(
  field: string,
  {
    kind = "",
    name = "",
    apiVersion = "",
  }: { readonly kind?: string; readonly name?: string; readonly apiVersion?: string },
): FieldError[] {
  const check = (part: string, value: string): FieldError[] =>
    value === ""
      ? [fieldRequired(`${field}.${part}`)]
      : validatePathSegment(value).map((text) => fieldInvalid(`${field}.${part}`, value, text));
  const isGrouped = apiVersion.includes("/") || kind === "ReplicationController";
  return [
    ...check("kind", kind),
    ...check("name", name),
    ...(isGrouped ? [] : [fieldInvalid(`${field}.apiVersion`, apiVersion, "apiVersion must specify API group")]),
  ];
}

const METRIC_TYPES = ["ContainerResource", "External", "Object", "Pods", "Resource"];

function validateMetric(at: string, metric: MetricSpec): FieldError[] {
  const { type } = metric;
  if ((type as string) === "") return [fieldRequired(`${at}.type`, "must specify a metric source type")];
  const given = SOURCES.filter((name) => metric[name] !== undefined);
  const expected = SOURCES.find((name) => name.toLowerCase() === type.toLowerCase());
  const source = expected === undefined ? undefined : metric[expected];
  return [
    ...(expected === undefined ? [fieldNotSupported(`${at}.type`, type, METRIC_TYPES)] : []),
    ...(source === undefined ? [] : validateSource(`${at}.${expected}`, { type, target: source.target, source })),
    ...(expected !== undefined && source === undefined
      ? [fieldRequired(`${at}.${expected}`, "must populate information for the given metric source")]
      : []),
    ...given
      .filter((name) => name !== expected)
      .map((name) => fieldForbidden(`${at}.${name}`, "must populate the given metric source only")),
  ];
}

interface MetricSource {
  readonly type: string;
  readonly target: MetricTarget;
  readonly source: object;
}

function validateSource(at: string, { type, target, source }: MetricSource): FieldError[] {
  const targetErrors = validateTarget(`${at}.target`, target);
  const { averageUtilization, averageValue, value } = target ?? {};
  const { name = "", container = "" } = source as { readonly name?: string; readonly container?: string };
  switch (type) {
    case "Resource":
    case "ContainerResource":
      return [
        ...(name === "" ? [fieldRequired(`${at}.name`, "must specify a resource name")] : []),
        ...(type === "ContainerResource" && container === ""
          ? [fieldRequired(`${at}.container`, "must specify a container")]
          : []),
        ...targetErrors,
        ...(averageUtilization === undefined && averageValue === undefined
          ? [
              fieldRequired(
                `${at}.target.averageUtilization`,
                "must set either a target raw value or a target utilization",
              ),
            ]
          : []),
        ...(averageUtilization !== undefined && averageValue !== undefined
          ? [
              fieldForbidden(
                `${at}.target.averageValue`,
                "may not set both a target raw value and a target utilization",
              ),
            ]
          : []),
      ];
    case "Pods":
      return averageValue === undefined
        ? [...targetErrors, fieldRequired(`${at}.target.averageValue`, "must specify a positive target averageValue")]
        : targetErrors;
    case "Object":
      return averageValue === undefined && value === undefined
        ? [
            ...targetErrors,
            fieldRequired(`${at}.target.averageValue`, "must set either a target value or averageValue"),
          ]
        : targetErrors;
    default:
      return targetErrors;
  }
}

function validateTarget(at: string, target: MetricTarget | undefined): FieldError[] {
  const { type = "", averageUtilization } = (target ?? {}) as Partial<MetricTarget>;
  return [
    ...(type === "" ? [fieldRequired(`${at}.type`, "must specify a metric target type")] : []),
    ...(["Utilization", "Value", "AverageValue"].includes(type)
      ? []
      : [fieldInvalid(`${at}.type`, type, "must be either Utilization, Value, or AverageValue")]),
    ...(averageUtilization !== undefined && averageUtilization < 1
      ? [fieldInvalid(`${at}.averageUtilization`, averageUtilization, "must be greater than 0")]
      : []),
  ];
}

function validateRules(field: string, rules: HPAScalingRules | undefined): FieldError[] {
  if (rules === undefined) return [];
  const { stabilizationWindowSeconds: seconds, policies = [] } = rules;
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
    ...(policies.length === 0 ? [fieldRequired(`${field}.policies`, "must specify at least one Policy")] : []),
    ...policies.flatMap(({ value, periodSeconds }, index) => {
      const at = `${field}.policies[${index}]`;
      return [
        ...(value <= 0 ? [fieldInvalid(`${at}.value`, asJson(value), "must be greater than zero")] : []),
        ...(periodSeconds <= 0
          ? [fieldInvalid(`${at}.periodSeconds`, periodSeconds, "must be greater than zero")]
          : []),
        ...(periodSeconds > PERIOD_SECONDS_MAX
          ? [fieldInvalid(`${at}.periodSeconds`, periodSeconds, `must be less than or equal to ${PERIOD_SECONDS_MAX}`)]
          : []),
      ];
    }),
  ];
}
