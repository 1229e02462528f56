/** ResourceQuotas and LimitRanges. */
import type {
  LimitRange,
  LimitRangeItem,
  ResourceQuota,
  ResourceQuotaSpec,
  ScopedResourceSelectorRequirement,
} from "@kubewright/api/core/v1";
import { compareQuantities, deepEqual, parseQuantity, quantityToNumber } from "@kubewright/core/meta";
import {
  type FieldError,
  fieldDuplicate,
  fieldForbidden,
  fieldInvalid,
  fieldRequired,
} from "@kubewright/core/protocol";
import type { KindParticulars } from "./kind-strategy.ts";
import { asJson, fieldInvalidStruct, sortedEntries, validateQualified } from "./validation/fields.ts";
import { QUOTA_RESOURCES, validateResourceName, validateResourceQuantity } from "./validation/resources.ts";

const SCOPES = new Set([
  "Terminating",
  "NotTerminating",
  "BestEffort",
  "NotBestEffort",
  "PriorityClass",
  "CrossNamespacePodAffinity",
  "VolumeAttributesClass",
]);
const EXCLUSIVE_SCOPES = [
  ["BestEffort", "NotBestEffort"],
  ["Terminating", "NotTerminating"],
];

/** What is particular to ResourceQuotas. */
export const resourceQuotaParticulars: KindParticulars = {
  returnsDeleted: true,
  validate: (object, current, { subresource }) => {
    if (subresource === "status") return [];
    const { spec = {} } = object as unknown as ResourceQuota;
    const before = (current as unknown as ResourceQuota | undefined)?.spec;
    const scopes = (quota: ResourceQuotaSpec): readonly string[] => [...(quota.scopes ?? [])].sort();
    return [
      ...validateQuota(spec),
      ...(current === undefined || deepEqual(scopes(spec), scopes(before ?? {}))
        ? []
        : [fieldInvalid("spec.scopes", asJson(spec.scopes), "field is immutable")]),
    ];
  },
};

function validateQuota(spec: ResourceQuotaSpec): FieldError[] {
  const { hard, scopes = [] } = spec;
  const isExclusive = EXCLUSIVE_SCOPES.some((pair) =>
    pair.every((scope) => (scopes as readonly string[]).includes(scope)),
  );
  return [
    ...sortedEntries(hard).flatMap(([name, quantity]) => {
      const field = `spec.hard[${name}]`;
      return [...validateQuotaName(field, name), ...validateResourceQuantity(field, name, String(quantity))];
    }),
    ...scopes.flatMap((scope) =>
      SCOPES.has(scope) ? [] : [fieldInvalid("spec.scopes", [...scopes], "unsupported scope")],
    ),
    ...scopes.flatMap((scope) =>
      Object.keys(hard ?? {}).every((name) => isCountedIn(scope, name))
        ? []
        : [fieldInvalid("spec.scopes", [...scopes], "unsupported scope applied to resource")],
    ),
    ...(isExclusive ? [fieldInvalid("spec.scopes", [...scopes], "conflicting scopes")] : []),
    ...validateScopeSelector(spec),
  ];
}

/** Scopes that a pod is in or not. */
const PLAIN_SCOPES = new Set([
  "Terminating",
  "NotTerminating",
  "BestEffort",
  "NotBestEffort",
  "CrossNamespacePodAffinity",
]);

/** Whichever expression is wrong, the list is named. */
function validateScopeSelector({ hard, scopes, scopeSelector }: ResourceQuotaSpec): FieldError[] {
  const field = "spec.scopeSelector.matchExpressions";
  const expressions = scopeSelector?.matchExpressions ?? [];
  const named = new Set<string>(expressions.map(({ scopeName }) => scopeName));
  const isExclusive = EXCLUSIVE_SCOPES.some((pair) => pair.every((scope) => named.has(scope)));
  return [
    ...expressions.flatMap((expression) => [
      ...(SCOPES.has(expression.scopeName)
        ? []
        : [fieldInvalid(`${field}.scopeName`, expression.scopeName, "unsupported scope")]),
      ...(Object.keys(hard ?? {}).every((name) => isCountedIn(expression.scopeName, name))
        ? []
        : [fieldInvalidStruct(field, internalForm(expressions), "unsupported scope applied to resource")]),
      ...validateScopeOperator(field, expression),
    ]),
    ...(isExclusive ? [fieldInvalid(field, asJson(scopes ?? null), "conflicting scopes")] : []),
  ];
}

/** A selector as Kubernetes prints it. */
function internalForm(expressions: readonly ScopedResourceSelectorRequirement[]): object {
  return {
    MatchExpressions: expressions.map(({ scopeName, operator, values = null }) => ({
      ScopeName: scopeName,
      Operator: operator,
      Values: values,
    })),
  };
}

function validateScopeOperator(
  field: string,
  { scopeName, operator, values = [] }: ScopedResourceSelectorRequirement,
): FieldError[] {
  const mustExist =
    "must be 'Exists' when scope is any of ResourceQuotaScopeTerminating, ResourceQuotaScopeNotTerminating, ResourceQuotaScopeBestEffort, ResourceQuotaScopeNotBestEffort or ResourceQuotaScopeCrossNamespacePodAffinity";
  const plain =
    PLAIN_SCOPES.has(scopeName) && operator !== "Exists"
      ? [fieldInvalid(`${field}.operator`, operator, mustExist)]
      : [];
  switch (operator as string) {
    case "In":
    case "NotIn": {
      const detail = "must be at least one value when `operator` is 'In' or 'NotIn' for scope selector";
      return values.length > 0 ? plain : [...plain, fieldRequired(`${field}.values`, detail)];
    }
    case "Exists":
    case "DoesNotExist": {
      const detail = "must be no value when `operator` is 'Exist' or 'DoesNotExist' for scope selector";
      return values.length === 0 ? plain : [...plain, fieldInvalid(`${field}.values`, [...values], detail)];
    }
    default:
      return [...plain, fieldInvalid(`${field}.operator`, operator, "not a valid selector operator")];
  }
}

/** Which standard resources a known scope is about; others may stand in any. */
function isCountedIn(scope: string, name: string): boolean {
  if (!QUOTA_RESOURCES.has(name) || !SCOPES.has(scope)) return true;
  if (scope === "BestEffort") return name === "pods";
  if (scope === "VolumeAttributesClass") return name === "persistentvolumeclaims" || name === "requests.storage";
  return name === "pods" || /(?:^|\.)(?:cpu|memory|ephemeral-storage)$/.test(name);
}

function validateQuotaName(field: string, name: string): FieldError[] {
  const errors = /^requests\.hugepages-/.test(name) ? [] : validateResourceName(field, name);
  if (name.includes("/") || QUOTA_RESOURCES.has(name) || /^(?:requests\.)?hugepages-/.test(name)) return errors;
  return [...errors, fieldInvalid(field, name, "must be a standard resource for quota")];
}

const LIMIT_TYPES = new Set(["Pod", "Container", "PersistentVolumeClaim"]);

/** What is particular to LimitRanges. */
export const limitRangeParticulars: KindParticulars = {
  createOnUpdate: true,
  validate: (object) => {
    const { limits = [] } = (object as unknown as LimitRange).spec ?? {};
    const types = new Set<string>();
    return limits.flatMap((item, index) => {
      const at = `spec.limits[${index}]`;
      const isRepeated = types.has(item.type);
      types.add(item.type);
      return [
        ...validateType(`${at}.type`, item.type),
        ...(isRepeated ? [fieldDuplicate(`${at}.type`, item.type)] : []),
        ...validateItem(at, item),
      ];
    });
  },
};

function validateType(field: string, type: string): FieldError[] {
  const errors = validateQualified(field, type);
  if (errors.length > 0 || type.includes("/") || LIMIT_TYPES.has(type)) return errors;
  return [fieldInvalid(field, type, "must be a standard limit type or fully qualified")];
}

const LISTS = ["max", "min", "default", "defaultRequest", "maxLimitRequestRatio"] as const;

function validateItem(at: string, item: LimitRangeItem): FieldError[] {
  const names = [...new Set(LISTS.flatMap((list) => Object.keys(item[list] ?? {})))].sort();
  const forbidden =
    item.type === "Pod"
      ? (["default", "defaultRequest"] as const)
          .filter((list) => Object.keys(item[list] ?? {}).length > 0)
          .map((list) => fieldForbidden(`${at}.${list}`, "may not be specified when `type` is 'Pod'"))
      : [];
  const isUnlimited =
    item.type === "PersistentVolumeClaim" && item.min?.["storage"] === undefined && item.max?.["storage"] === undefined;
  return [
    ...LISTS.flatMap((list) =>
      Object.keys(item[list] ?? {}).flatMap((name) => validateResourceName(`${at}.${list}[${name}]`, name)),
    ),
    ...forbidden,
    ...(isUnlimited
      ? [fieldRequired(`${at}.limits`, "either minimum or maximum storage value is required, but neither was provided")]
      : []),
    ...names.flatMap((name) => validateOrder(at, name, item)),
  ];
}

function validateOrder(at: string, name: string, item: LimitRangeItem): FieldError[] {
  const [min, max] = [item.min?.[name], item.max?.[name]];
  const [limit, request] = [item.default?.[name], item.defaultRequest?.[name]];
  const ratio = item.maxLimitRequestRatio?.[name];
  return [
    ...(isGreater(min, max)
      ? [fieldInvalid(`${at}.min[${name}]`, String(min), `min value ${min} is greater than max value ${max}`)]
      : []),
    ...(isGreater(min, request)
      ? [
          fieldInvalid(
            `${at}.defaultRequest[${name}]`,
            String(request),
            `min value ${min} is greater than default request value ${request}`,
          ),
        ]
      : []),
    ...(isGreater(request, max)
      ? [
          fieldInvalid(
            `${at}.defaultRequest[${name}]`,
            String(request),
            `default request value ${request} is greater than max value ${max}`,
          ),
        ]
      : []),
    ...(isGreater(request, limit)
      ? [
          fieldInvalid(
            `${at}.defaultRequest[${name}]`,
            String(request),
            `default request value ${request} is greater than default limit value ${limit}`,
          ),
        ]
      : []),
    ...(isGreater(min, limit)
      ? [fieldInvalid(`${at}.default[${name}]`, String(min), `min value ${min} is greater than default value ${limit}`)]
      : []),
    ...(isGreater(limit, max)
      ? [fieldInvalid(`${at}.default[${name}]`, String(max), `default value ${limit} is greater than max value ${max}`)]
      : []),
    ...(isGreater(1, ratio)
      ? [fieldInvalid(`${at}.maxLimitRequestRatio[${name}]`, String(ratio), `ratio ${ratio} is less than 1`)]
      : []),
    ...validateRatio(`${at}.maxLimitRequestRatio[${name}]`, { min, max, ratio }),
  ];
}

type Amount = string | number | undefined;

/** No limit can be further from its request than the maximum is from the minimum. */
function validateRatio(
  field: string,
  { min, max, ratio }: { readonly min: Amount; readonly max: Amount; readonly ratio: Amount },
): FieldError[] {
  if (min === undefined || max === undefined || ratio === undefined) return [];
  const amount = (quantity: string | number): number => quantityToNumber(parseQuantity(String(quantity)));
  const ratioMax = amount(max) / amount(min);
  if (amount(ratio) <= ratioMax) return [];
  return [fieldInvalid(field, String(ratio), `ratio ${ratio} is greater than max/min = ${ratioMax.toFixed(6)}`)];
}

function isGreater(a: string | number | undefined, b: string | number | undefined): boolean {
  if (a === undefined || b === undefined) return false;
  return compareQuantities(parseQuantity(String(a)), parseQuantity(String(b))) > 0;
}
