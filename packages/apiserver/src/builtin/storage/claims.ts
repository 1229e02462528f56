/** PersistentVolumeClaims: fixed once created, but for the size of bound ones. */
import type { PersistentVolumeClaim, PersistentVolumeClaimSpec } from "@kubewright/api/core/v1";
import { compareQuantities, deepEqual, parseQuantity, quantityOf } from "@kubewright/core/meta";
import { type FieldError, fieldForbidden, fieldInvalid, fieldRequired } from "@kubewright/core/protocol";
import type { KindParticulars } from "../kind-strategy.ts";
import { asJson, validateImmutable, validateSubdomain } from "../validation/fields.ts";
import { validateLabelSelector } from "../validation/label-selectors.ts";
import { claimWarnings } from "./storage-warnings.ts";

/** What is particular to PersistentVolumeClaims. */
export const claimParticulars: KindParticulars = {
  returnsDeleted: true,
  validate: (object, current, { subresource }) => {
    if (subresource === "status") return [];
    const claim = object as unknown as PersistentVolumeClaim;
    const errors = validateClaimSpec("spec", claim.spec ?? {});
    if (current === undefined) return errors;
    return [...errors, ...validateChange(claim, current as unknown as PersistentVolumeClaim)];
  },
  warnings: claimWarnings,
};

/** The spec of a claim, alone or in a template. */
export function validateClaimSpec(field: string, spec: PersistentVolumeClaimSpec): FieldError[] {
  const { accessModes = [], selector, storageClassName = "", resources } = spec;
  return [
    ...(accessModes.length === 0 ? [fieldRequired(`${field}.accessModes`, "at least 1 access mode is required")] : []),
    ...validateLabelSelector(`${field}.selector`, selector),
    ...validateExclusiveMode(field, accessModes),
    ...validateSize(`${field}.resources[storage]`, resources?.requests?.["storage"]),
    ...(storageClassName === "" ? [] : validateSubdomain(`${field}.storageClassName`, storageClassName)),
  ];
}

/** One access mode is for one pod alone. */
export function validateExclusiveMode(field: string, modes: readonly string[]): FieldError[] {
  if (!modes.includes("ReadWriteOncePod") || modes.every((mode) => mode === "ReadWriteOncePod")) return [];
  return [fieldForbidden(`${field}.accessModes`, "may not use ReadWriteOncePod with other access modes")];
}

function validateSize(field: string, size: string | number | undefined): FieldError[] {
  if (size === undefined) return [fieldRequired(field)];
  const isPositive = compareQuantities(parseQuantity(String(size)), quantityOf(0)) > 0;
  return isPositive ? [] : [fieldInvalid(field, String(size), "must be greater than zero")];
}

function validateChange(next: PersistentVolumeClaim, current: PersistentVolumeClaim): FieldError[] {
  const isBound = next.status?.phase === "Bound";
  const comparable = ({ spec = {} }: PersistentVolumeClaim): object => ({
    ...spec,
    ...((current.spec?.volumeName ?? "") === "" && { volumeName: undefined }),
    ...(current.spec?.storageClassName === undefined && { storageClassName: undefined }),
    ...(isBound && {
      volumeAttributesClassName: undefined,
      resources: { ...spec.resources, requests: { ...spec.resources?.requests, storage: undefined } },
    }),
  });
  const errors: FieldError[] = [];
  if (!deepEqual(asJson(comparable(next)), asJson(comparable(current)))) {
    const detail =
      "spec is immutable after creation except resources.requests and volumeAttributesClassName for bound claims";
    errors.push(fieldForbidden("spec", detail));
  }
  return [
    ...errors,
    ...validateShrink(next, current),
    ...validateImmutable("volumeMode", next.spec?.volumeMode, current.spec?.volumeMode),
  ];
}

function validateShrink(next: PersistentVolumeClaim, current: PersistentVolumeClaim): FieldError[] {
  const sizeOf = (claim: PersistentVolumeClaim) =>
    parseQuantity(String(claim.spec?.resources?.requests?.["storage"] ?? 0));
  const capacity = parseQuantity(String(current.status?.capacity?.["storage"] ?? 0));
  const shrinks = compareQuantities(sizeOf(next), sizeOf(current)) < 0;
  if (!shrinks || compareQuantities(sizeOf(next), capacity) > 0) return [];
  return [fieldForbidden("spec.resources.requests.storage", "field can not be less than status.capacity")];
}
