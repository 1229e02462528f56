/** What is wrong with requests and limits, and with quantities of resources elsewhere. */
import type { ResourceRequirements } from "@kubewright/api/core/v1";
import { compareQuantities, parseQuantity, quantityToBigint } from "@kubewright/core/meta";
import { type FieldError, fieldForbidden, fieldInvalid, fieldRequired } from "@kubewright/core/protocol";
import { sortedEntries, validateNonNegativeQuantity, validateQualified } from "./fields.ts";

const CONTAINER_RESOURCES = new Set(["cpu", "memory", "ephemeral-storage"]);
/** Resources that quotas may count by their bare names. */
export const QUOTA_RESOURCES: ReadonlySet<string> = new Set([
  "cpu",
  "memory",
  "ephemeral-storage",
  "requests.cpu",
  "requests.memory",
  "requests.storage",
  "requests.ephemeral-storage",
  "limits.cpu",
  "limits.memory",
  "limits.ephemeral-storage",
  "pods",
  "resourcequotas",
  "services",
  "replicationcontrollers",
  "secrets",
  "persistentvolumeclaims",
  "configmaps",
  "services.nodeports",
  "services.loadbalancers",
]);
const STANDARD_RESOURCES = new Set([...QUOTA_RESOURCES, "storage"]);

/** The requests and limits of a container. */
export function validateResources(field: string, { limits, requests }: ResourceRequirements): FieldError[] {
  return [
    ...sortedEntries(limits).flatMap(([name, quantity]) => validateEntry(`${field}.limits[${name}]`, name, quantity)),
    ...sortedEntries(requests).flatMap(([name, quantity]) => [
      ...validateEntry(`${field}.requests[${name}]`, name, quantity),
      ...validateAgainstLimit(field, { name, request: String(quantity), limit: limits?.[name] }),
    ]),
    ...validateHugePages(field, { ...requests, ...limits }),
  ];
}

/** Huge pages are no resource to live on alone. */
function validateHugePages(field: string, resources: Readonly<Record<string, unknown>>): FieldError[] {
  const names = Object.keys(resources);
  if (!names.some(isHugePages) || names.includes("cpu") || names.includes("memory")) return [];
  return [fieldForbidden(field, "HugePages require cpu or memory")];
}

/** Huge pages come whole. */
function validateWholePages(field: string, name: string, quantity: string): FieldError[] {
  if (!isHugePages(name)) return [];
  const page = quantityToBigint(parseQuantity(name.slice("hugepages-".length)));
  const size = quantityToBigint(parseQuantity(quantity));
  if (page > 0n && size % page === 0n) return [];
  return [fieldInvalid(field, quantity, `${quantity} is not positive integer multiple of ${name}`)];
}

/** True for resources that count whole things: everything that is neither time nor space. */
export function isIntegerResource(name: string): boolean {
  return (
    isExtended(name) ||
    (STANDARD_RESOURCES.has(name) && !/(?:^|\.)(?:cpu|memory|storage|ephemeral-storage)$/.test(name))
  );
}

/** A quantity of a resource: not negative, and whole where the resource is. */
export function validateResourceQuantity(field: string, name: string, quantity: string): FieldError[] {
  const errors = validateNonNegativeQuantity(field, quantity);
  if (!isIntegerResource(name) || !quantity.endsWith("m")) return errors;
  return [...errors, fieldInvalid(field, quantity, "must be an integer")];
}

/** The name of a resource: a standard one, or a qualified one. */
export function validateResourceName(field: string, name: string): FieldError[] {
  const errors = validateQualified(field, name);
  if (errors.length > 0 || name.includes("/") || STANDARD_RESOURCES.has(name) || isHugePages(name)) return errors;
  return [fieldInvalid(field, name, "must be a standard resource type or fully qualified")];
}

function validateEntry(field: string, name: string, quantity: string | number): FieldError[] {
  const nameErrors = validateResourceName(field, name);
  const isForContainers = name.includes("/") || CONTAINER_RESOURCES.has(name) || isHugePages(name);
  return [
    ...nameErrors,
    ...(!isForContainers ? [fieldInvalid(field, name, "must be a standard resource for containers")] : []),
    ...validateResourceQuantity(field, name, String(quantity)),
    ...validateWholePages(field, name, String(quantity)),
  ];
}

interface Request {
  readonly name: string;
  readonly request: string;
  readonly limit: string | number | undefined;
}

function validateAgainstLimit(field: string, { name, request, limit }: Request): FieldError[] {
  const mayOvercommit = !isExtended(name) && !isHugePages(name);
  if (limit === undefined) {
    return mayOvercommit
      ? []
      : [fieldRequired(`${field}.limits`, "Limit must be set for non overcommitable resources")];
  }
  const difference = compareQuantities(parseQuantity(request), parseQuantity(String(limit)));
  if (difference !== 0 && !mayOvercommit) {
    return [fieldInvalid(`${field}.requests`, request, `must be equal to ${name} limit of ${limit}`)];
  }
  if (difference <= 0) return [];
  return [fieldInvalid(`${field}.requests`, request, `must be less than or equal to ${name} limit of ${limit}`)];
}

function isExtended(name: string): boolean {
  return name.includes("/") && !name.split("/", 1)[0]?.endsWith("kubernetes.io");
}

function isHugePages(name: string): boolean {
  return name.startsWith("hugepages-");
}
