/** ResourceQuotas and LimitRanges. */
import type { LimitRange, LimitRangeItem, ResourceQuota, ResourceQuotaSpec } from "@kubewright/api/core/v1";
import { compareQuantities, deepEqual, parseQuantity } from "@kubewright/core/meta";
import {
  type FieldError,
  fieldDuplicate,
  fieldForbidden,
  fieldInvalid,
  fieldRequired,
} from "@kubewright/core/protocol";
import type { KindParticulars } from "./kind-strategy.ts";
import { asJson, sortedEntries, validateQualified } from "./validation/fields.ts";
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

function validateQuota({ hard, scopes = [] }: ResourceQuotaSpec): FieldError[] {
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
  ];
}

/** Which standard resources a scope is about; others may stand in any. */
function isCountedIn(scope: string, name: string): boolean {
  if (!QUOTA_RESOURCES.has(name)) return true;
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
  ];
}

function isGreater(a: string | number | undefined, b: string | number | undefined): boolean {
  if (a === undefined || b === undefined) return false;
  return compareQuantities(parseQuantity(String(a)), parseQuantity(String(b))) > 0;
}
