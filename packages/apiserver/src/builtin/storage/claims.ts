/** PersistentVolumeClaims: fixed once created, but for the size of bound ones. */
import type {
  PersistentVolumeClaim,
  PersistentVolumeClaimSpec,
  TypedLocalObjectReference,
} from "@kubewright/api/core/v1";
import { compareQuantities, deepEqual, type JsonObject, parseQuantity, quantityOf } from "@kubewright/core/meta";
import { type FieldError, fieldForbidden, fieldInvalid, fieldRequired } from "@kubewright/core/protocol";
import { type ApiObject, withFields } from "../../resource/object.ts";
import { objectOf } from "../defaults/fill.ts";
import type { KindParticulars } from "../kind-strategy.ts";
import { asJson, validateImmutable, validateSubdomain } from "../validation/fields.ts";
import { validateLabelSelector } from "../validation/label-selectors.ts";
import { claimWarnings } from "./storage-warnings.ts";

/** What is particular to PersistentVolumeClaims. */
export const claimParticulars: KindParticulars = {
  returnsDeleted: true,
  prepareForCreate: (object) => withSources(object, undefined),
  prepareForUpdate: (next, current) => withSources(next, current),
  validate: (object, current, { subresource }) => {
    if (subresource === "status") return [];
    const claim = object as unknown as PersistentVolumeClaim;
    const errors = validateClaimSpec("spec", claim.spec ?? {});
    if (current === undefined) return errors;
    return [...errors, ...validateChange(claim, current as unknown as PersistentVolumeClaim)];
  },
  warnings: claimWarnings,
};

/**
 * What a claim is filled from is said in two fields, of which the older takes claims and snapshots only: what it cannot hold is
 * dropped, as are sources in other namespaces, and each is filled in from the other (KEP-1495).
 */
function withSources(object: ApiObject, current: ApiObject | undefined): ApiObject {
  const { dataSource, dataSourceRef, ...spec } = objectOf(object["spec"]);
  if (dataSource === undefined && dataSourceRef === undefined) return object;
  const before = objectOf(current?.["spec"]);
  const isElsewhere = (objectOf(dataSourceRef)["namespace"] ?? "") !== "" && before["dataSourceRef"] === undefined;
  const source = before["dataSource"] === undefined && !isOldSource(objectOf(dataSource)) ? undefined : dataSource;
  const reference = isElsewhere ? undefined : dataSourceRef;
  const [filled, filledReference] = [source ?? reference, reference ?? source];
  if (filled === dataSource && filledReference === dataSourceRef) return object;
  return withFields(object, { spec: { ...spec, dataSource: filled, dataSourceRef: filledReference } });
}

function isOldSource({ kind, apiGroup }: JsonObject): boolean {
  if (kind === "VolumeSnapshot") return apiGroup === "snapshot.storage.k8s.io";
  return kind === "PersistentVolumeClaim" && (apiGroup ?? "") === "";
}

/** The spec of a claim, alone or in a template. */
export function validateClaimSpec(field: string, spec: PersistentVolumeClaimSpec): FieldError[] {
  const { accessModes = [], selector, storageClassName = "", volumeAttributesClassName = "", resources } = spec;
  return [
    ...(accessModes.length === 0 ? [fieldRequired(`${field}.accessModes`, "at least 1 access mode is required")] : []),
    ...validateLabelSelector(`${field}.selector`, selector),
    ...validateExclusiveMode(field, accessModes),
    ...validateSize(`${field}.resources[storage]`, resources?.requests?.["storage"]),
    ...(storageClassName === "" ? [] : validateSubdomain(`${field}.storageClassName`, storageClassName)),
    ...validateSource(`${field}.dataSource`, spec.dataSource),
    ...validateSource(`${field}.dataSourceRef`, spec.dataSourceRef),
    ...(areAlike(spec.dataSource, spec.dataSourceRef) ? [] : [fieldInvalid(field, {}, "must match dataSourceRef")]),
    ...(volumeAttributesClassName === ""
      ? []
      : validateSubdomain(`${field}.volumeAttributesClassName`, volumeAttributesClassName)),
  ];
}

function validateSource(field: string, source: TypedLocalObjectReference | undefined): FieldError[] {
  if (source === undefined) return [];
  const { name = "", kind = "", apiGroup = "" } = source;
  const isClaim = apiGroup !== "" || kind === "PersistentVolumeClaim";
  return [
    ...(name === "" ? [fieldRequired(`${field}.name`)] : []),
    ...(kind === "" ? [fieldRequired(`${field}.kind`)] : []),
    ...(isClaim
      ? []
      : [fieldInvalid(field, kind, "must be 'PersistentVolumeClaim' when referencing the default apiGroup")]),
    ...(apiGroup === "" ? [] : validateSubdomain(`${field}.apiGroup`, apiGroup)),
  ];
}

function areAlike(
  source: TypedLocalObjectReference | undefined,
  reference: TypedLocalObjectReference | undefined,
): boolean {
  if (source === undefined || reference === undefined) return true;
  return (["apiGroup", "kind", "name"] as const).every((name) => source[name] === reference[name]);
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
