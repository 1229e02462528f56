/** What a Job says about pods that fail, about enough of them that succeed, and about who runs it. */
import type {
  JobSpec,
  PodFailurePolicyOnExitCodesRequirement,
  PodFailurePolicyRule,
  SuccessPolicyRule,
} from "@kubewright/api/batch/v1";
import {
  type FieldError,
  fieldDuplicate,
  fieldInvalid,
  fieldNotSupported,
  fieldRequired,
  fieldTooLong,
  fieldTooMany,
} from "@kubewright/core/protocol";
import { asJson, validateDomainPath, validateNonNegative, validateQualified } from "../validation/fields.ts";

const RULES_MAX = 20;
const CONDITIONS_MAX = 20;
const EXIT_CODES_MAX = 255;
const INDEXES_BYTES_MAX = 64 * 1024;
const MANAGER_BYTES_MAX = 63;
const ACTIONS = ["Count", "FailIndex", "FailJob", "Ignore"];
const OPERATORS = ["In", "NotIn"];
const STATUSES = ["False", "True", "Unknown"];

/** What is wrong with the policies of a Job, and with its manager. Unknown actions and operators are told by the schema. */
export function validatePolicies(field: string, spec: JobSpec): FieldError[] {
  const { podFailurePolicy, successPolicy, managedBy, completionMode } = spec;
  return [
    ...(podFailurePolicy === undefined ? [] : validateFailures(`${field}.podFailurePolicy.rules`, spec)),
    ...(successPolicy === undefined || completionMode !== "Indexed"
      ? []
      : validateSuccesses(`${field}.successPolicy.rules`, spec)),
    ...(managedBy === undefined ? [] : validateManager(`${field}.managedBy`, managedBy)),
  ];
}

function validateManager(field: string, managedBy: string): FieldError[] {
  return [
    ...validateDomainPath(field, managedBy),
    ...(Buffer.byteLength(managedBy) > MANAGER_BYTES_MAX ? [fieldTooLong(field, MANAGER_BYTES_MAX)] : []),
  ];
}

function validateFailures(field: string, spec: JobSpec): FieldError[] {
  const rules = spec.podFailurePolicy?.rules ?? [];
  const { containers = [], initContainers = [] } = spec.template?.spec ?? {};
  const names = new Set([...containers, ...initContainers].map(({ name }) => name));
  return [
    ...(rules.length > RULES_MAX ? [fieldTooMany(field, rules.length, RULES_MAX)] : []),
    ...rules.flatMap((rule, index) => validateFailure(`${field}[${index}]`, rule, { spec, names })),
  ];
}

function validateFailure(
  at: string,
  { action, onExitCodes, onPodConditions = [] }: PodFailurePolicyRule,
  { spec, names }: { readonly spec: JobSpec; readonly names: ReadonlySet<string> },
): FieldError[] {
  const hasConditions = onPodConditions.length > 0;
  return [
    ...((action as string) === "" ? [fieldRequired(`${at}.action`, validValues(ACTIONS))] : []),
    ...(action === "FailIndex" && spec.backoffLimitPerIndex === undefined
      ? [fieldInvalid(`${at}.action`, action, "requires the backoffLimitPerIndex to be set")]
      : []),
    ...(onExitCodes === undefined ? [] : validateExitCodes(`${at}.onExitCodes`, onExitCodes, names)),
    ...(onPodConditions.length > CONDITIONS_MAX
      ? [fieldTooMany(`${at}.onPodConditions`, onPodConditions.length, CONDITIONS_MAX)]
      : []),
    ...onPodConditions.flatMap(({ type, status = "" }, index) => [
      ...validateQualified(`${at}.onPodConditions[${index}].type`, type),
      ...(STATUSES.includes(status)
        ? []
        : [fieldNotSupported(`${at}.onPodConditions[${index}].status`, status, STATUSES)]),
    ]),
    ...(onExitCodes !== undefined && hasConditions
      ? [fieldInvalid(at, undefined, "specifying both OnExitCodes and OnPodConditions is not supported")]
      : []),
    ...(onExitCodes === undefined && !hasConditions
      ? [fieldInvalid(at, undefined, "specifying one of OnExitCodes and OnPodConditions is required")]
      : []),
  ];
}

function validateExitCodes(
  at: string,
  { operator, containerName, values }: PodFailurePolicyOnExitCodesRequirement,
  names: ReadonlySet<string>,
): FieldError[] {
  const codes = values ?? [];
  const field = `${at}.values`;
  const isOrdered = codes.every((code, index) => index === 0 || code >= (codes[index - 1] ?? 0));
  return [
    ...((operator as string) === "" ? [fieldRequired(`${at}.operator`, validValues(OPERATORS))] : []),
    ...(containerName === undefined || names.has(containerName)
      ? []
      : [
          fieldInvalid(
            `${at}.containerName`,
            containerName,
            "must be one of the container or initContainer names in the pod template",
          ),
        ]),
    ...(codes.length === 0 ? [fieldInvalid(field, asJson(values ?? null), "at least one value is required")] : []),
    ...(codes.length > EXIT_CODES_MAX ? [fieldTooMany(field, codes.length, EXIT_CODES_MAX)] : []),
    ...codes.flatMap((code, index) => [
      ...(operator === "In" && code === 0
        ? [fieldInvalid(`${field}[${index}]`, code, "must not be 0 for the In operator")]
        : []),
      ...(codes.indexOf(code) < index ? [fieldDuplicate(`${field}[${index}]`, code)] : []),
    ]),
    ...(isOrdered ? [] : [fieldInvalid(field, asJson(codes), "must be ordered")]),
  ];
}

function validValues(values: readonly string[]): string {
  return `valid values: [${values.map((value) => JSON.stringify(value)).join(" ")}]`;
}

function validateSuccesses(field: string, { successPolicy, completions = 0 }: JobSpec): FieldError[] {
  const rules = successPolicy?.rules ?? [];
  if (rules.length === 0) {
    return [fieldRequired(field, "at least one rules must be specified when the successPolicy is specified")];
  }
  return [
    ...(rules.length > RULES_MAX ? [fieldTooMany(field, rules.length, RULES_MAX)] : []),
    ...rules.flatMap((rule, index) => validateSuccess(`${field}[${index}]`, rule, completions)),
  ];
}

function validateSuccess(
  at: string,
  { succeededIndexes, succeededCount }: SuccessPolicyRule,
  completions: number,
): FieldError[] {
  if (succeededIndexes === undefined && succeededCount === undefined) {
    return [fieldRequired(at, "at least one of succeededCount or succeededIndexes must be specified")];
  }
  const field = `${at}.succeededIndexes`;
  const indexes = succeededIndexes === undefined ? undefined : countIndexes(succeededIndexes, completions);
  const isTooLong = Buffer.byteLength(succeededIndexes ?? "") > INDEXES_BYTES_MAX;
  return [
    ...(isTooLong ? [fieldTooLong(field, INDEXES_BYTES_MAX)] : []),
    ...(typeof indexes === "string"
      ? [fieldInvalid(field, succeededIndexes, `error parsing succeededIndexes: ${indexes}`)]
      : []),
    ...validateCount(`${at}.succeededCount`, succeededCount, {
      completions,
      ...(indexes !== undefined && { indexes: typeof indexes === "number" ? indexes : 0 }),
    }),
  ];
}

function validateCount(
  field: string,
  count: number | undefined,
  { completions, indexes }: { readonly completions: number; readonly indexes?: number },
): FieldError[] {
  if (count === undefined) return [];
  const atMost = (limit: number, what: string): FieldError[] =>
    count > limit ? [fieldInvalid(field, count, `must be less than or equal to ${limit} (the number of ${what})`)] : [];
  return [
    ...validateNonNegative(field, count),
    ...atMost(completions, "specified completions"),
    ...(indexes === undefined ? [] : atMost(indexes, "indexes in the specified succeededIndexes field")),
  ];
}

/** How many indexes "0,3-5" names, or what is wrong with it. */
function countIndexes(text: string, completions: number): number | string {
  if (text === "") return 0;
  let count = 0;
  let previous: number | undefined;
  for (const interval of text.split(",")) {
    const limits = interval.split("-");
    if (limits.length > 2) {
      return `the fragment ${JSON.stringify(interval)} violates the requirement that an index interval can have at most two parts separated by '-'`;
    }
    const from = previous;
    for (const limit of limits) {
      if (!/^[+]?\d+$/.test(limit)) return `cannot convert string to integer for index: ${JSON.stringify(limit)}`;
      const index = Number(limit);
      if (index >= completions) return `too large index: ${JSON.stringify(limit)}`;
      if (previous !== undefined && index <= previous) {
        return `non-increasing order, previous: ${previous}, current: ${index}`;
      }
      count += limits.length === 2 && previous !== from ? index - (previous ?? 0) : 1;
      previous = index;
    }
  }
  return count;
}
