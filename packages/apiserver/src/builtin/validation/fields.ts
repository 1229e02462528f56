/** Rules for single fields that many kinds share, in Kubernetes' words. Each returns what is wrong. */
import type { Container, EphemeralContainer, PodSpec } from "@kubewright/api/core/v1";
import {
  compareQuantities,
  deepEqual,
  type Json,
  type JsonObject,
  parseQuantity,
  quantityOf,
  validateDnsLabel,
  validateDnsSubdomain,
  validateLabelValue,
  validateQualifiedName,
} from "@kubewright/core/meta";
import { type FieldError, fieldInvalid, fieldRequired } from "@kubewright/core/protocol";

const PORT_MAX = 65_535;

/** A number must not be negative; absent is 0. */
export function validateNonNegative(field: string, value: number | bigint | undefined): FieldError[] {
  return (value ?? 0) < 0 ? [fieldInvalid(field, value, "must be greater than or equal to 0")] : [];
}

/** A number must be at least 1. */
export function validatePositive(field: string, value: number | bigint | undefined): FieldError[] {
  return (value ?? 0) < 1 ? [fieldInvalid(field, value ?? 0, "must be greater than zero")] : [];
}

/** A port number. */
export function validatePort(field: string, port: number | undefined): FieldError[] {
  const isPort = port !== undefined && port >= 1 && port <= PORT_MAX;
  return isPort ? [] : [fieldInvalid(field, port ?? 0, "must be between 1 and 65535, inclusive")];
}

/** A quantity must not be negative. */
export function validateNonNegativeQuantity(field: string, quantity: string): FieldError[] {
  const isNegative = compareQuantities(parseQuantity(quantity), quantityOf(0)) < 0;
  return isNegative ? [fieldInvalid(field, quantity, "must be greater than or equal to 0")] : [];
}

/** A field that stays as it is once it is stored. */
export function validateImmutable(field: string, next: Json | undefined, current: Json | undefined): FieldError[] {
  if (deepEqual(next ?? null, current ?? null)) return [];
  return [fieldInvalid(field, next ?? null, "field is immutable")];
}

/** A DNS label. */
export function validateLabelName(field: string, value: string): FieldError[] {
  return validateDnsLabel(value).map((text) => fieldInvalid(field, value, text));
}

/** A DNS subdomain. */
export function validateSubdomain(field: string, value: string): FieldError[] {
  return validateDnsSubdomain(value).map((text) => fieldInvalid(field, value, text));
}

const HTTP_PATH = /^[A-Za-z0-9/\-._~%!$&'()*+,;=:]+$/;

/** A domain, a slash and a path. */
export function validateDomainPath(field: string, value: string): FieldError[] {
  if (value === "") return [fieldRequired(field)];
  const slash = value.indexOf("/");
  if (slash < 1 || slash === value.length - 1) {
    return [fieldInvalid(field, value, 'must be a domain-prefixed path (such as "acme.io/foo")')];
  }
  const path = value.slice(slash + 1);
  const why = `Invalid path (regex used for validation is '[A-Za-z0-9/\\-._~%!$&'()*+,;=:]+')`;
  return [
    ...validateSubdomain(field, value.slice(0, slash)),
    ...(HTTP_PATH.test(path) ? [] : [fieldInvalid(field, path, why)]),
  ];
}

/** A qualified name. */
export function validateQualified(field: string, value: string): FieldError[] {
  return validateQualifiedName(value).map((text) => fieldInvalid(field, value, text));
}

/** A map of labels: both keys and values. */
export function validateLabels(field: string, labels: Readonly<Record<string, string>> | undefined): FieldError[] {
  if (labels === undefined || areLabels(labels)) return [];
  return sortedEntries(labels).flatMap(([key, value]) => [
    ...validateQualifiedName(key).map((text) => fieldInvalid(field, key, text)),
    ...validateLabelValue(value).map((text) => fieldInvalid(field, value, text)),
  ]);
}

/** Whether nothing is wrong with labels, which is nearly always so: only what is wrong is to be told in order. */
export function areLabels(labels: Readonly<Record<string, string>>): boolean {
  for (const key in labels) {
    if (validateQualifiedName(key).length + validateLabelValue(labels[key] ?? "").length > 0) return false;
  }
  return true;
}

/** A struct that breaks a rule, printed with its fields in the order in which Go has them. */
export function fieldInvalidStruct(field: string, struct: object | null, detail: string): FieldError {
  return { ...fieldInvalid(field, null, detail), message: `Invalid value: ${JSON.stringify(struct)}: ${detail}` };
}

/** A text that must be there. */
export function validateRequired(field: string, value: string | undefined, detail = ""): FieldError[] {
  return (value ?? "") === "" ? [fieldRequired(field, detail)] : [];
}

/** The entries of a map in the order of their keys: Go's maps have none, and answers should not depend on chance. */
export function sortedEntries<Value>(map: Readonly<Record<string, Value>> | undefined): [string, Value][] {
  return Object.entries(map ?? {}).sort(([a], [b]) => (a < b ? -1 : 1));
}

/** A part of an object for an error text. */
export function asJson(value: unknown): Json {
  return (value ?? null) as Json;
}

/** A part of an object that is an object, as the JSON that it is. */
export function asObject(value: unknown): JsonObject {
  return (value ?? {}) as JsonObject;
}

/** All containers of a pod spec with their places: those that start it first. */
export function containersWithPaths(
  field: string,
  spec: PodSpec,
): readonly (readonly [string, Container | EphemeralContainer])[] {
  const lists = ["initContainers", "containers", "ephemeralContainers"] as const;
  return lists.flatMap((list) =>
    (spec[list] ?? []).map((container, index) => [`${field}.${list}[${index}]`, container] as const),
  );
}
