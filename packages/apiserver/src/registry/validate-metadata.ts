/**
 * What clients may write into metadata: names, labels, annotations, owners and finalizers. Create and update call it
 * for every kind; the texts are Kubernetes'.
 */
import {
  getKey,
  isJsonObject,
  utf8Length,
  validateDnsSubdomain,
  validateLabelValue,
  validateQualifiedName,
} from "@kubewright/core/meta";
import { type FieldError, fieldForbidden, fieldInvalid, fieldRequired, fieldTooLong } from "@kubewright/core/protocol";
import type { ApiObject, Metadata, OwnerReferenceJson } from "../resource/object.ts";
import type { ServedResource } from "../resource/resource.ts";

const ANNOTATIONS_BYTES_MAX = 256 * 1024;

/** What is wrong with the metadata of a new object. */
export function validateNewMetadata(resource: ServedResource, { metadata }: ApiObject): FieldError[] {
  const errors = validateName(resource, metadata);
  validateCommon(resource, { next: metadata, current: NO_METADATA }, errors);
  return errors;
}

const NO_METADATA: Metadata = {};

/** What is wrong with the metadata of an update. */
export function validateUpdatedMetadata(resource: ServedResource, next: ApiObject, current: ApiObject): FieldError[] {
  const errors: FieldError[] = [];
  if (next.metadata === current.metadata) return errors;
  validateCommon(resource, { next: next.metadata, current: current.metadata }, errors);
  if (current.metadata.deletionTimestamp !== undefined) {
    errors.push(...validateNewFinalizers(next.metadata, current.metadata));
  }
  for (const field of FIXED_FIELDS) {
    const value = next.metadata[field] ?? "";
    if (value === (current.metadata[field] ?? "")) continue;
    errors.push(fieldInvalid(`metadata.${field}`, value, "field is immutable"));
  }
  return errors;
}

const FIXED_FIELDS = ["name", "namespace", "uid", "deletionTimestamp", "deletionGracePeriodSeconds"] as const;

function validateName(resource: ServedResource, { name = "", generateName = "" }: Metadata): FieldError[] {
  const nameErrors = resource.strategy.nameErrors ?? subdomainNameErrors;
  const errors: FieldError[] = [];
  const prefixTexts = generateName === "" ? [] : nameErrors(generateName, true);
  for (const text of prefixTexts) errors.push(fieldInvalid("metadata.generateName", generateName, text));
  if (name === "") errors.push(fieldRequired("metadata.name", "name or generateName is required"));
  else for (const text of nameErrors(name, false)) errors.push(fieldInvalid("metadata.name", name, text));
  return errors;
}

/** Names as most kinds have them; a prefix may end in a dash. */
function subdomainNameErrors(name: string, isPrefix: boolean): readonly string[] {
  return validateDnsSubdomain(isPrefix && name.endsWith("-") ? `${name.slice(0, -1)}a` : name);
}

/** What is wrong with labels and annotations. What is shared with the stored metadata was right then. */
export function validateLabelsAndAnnotations(
  next: Metadata,
  current: Metadata = NO_METADATA,
  errors: FieldError[] = [],
): FieldError[] {
  if (next.labels !== undefined && next.labels !== current.labels) validateLabels(next.labels, errors);
  if (next.annotations !== undefined && next.annotations !== current.annotations) {
    validateAnnotations(next.annotations, errors);
  }
  return errors;
}

function validateCommon(
  { custom, definition }: ServedResource,
  { next, current }: { readonly next: Metadata; readonly current: Metadata },
  errors: FieldError[],
): void {
  validateLabelsAndAnnotations(next, current, errors);
  const { ownerReferences: owners, finalizers } = next;
  if (owners !== undefined && owners !== current.ownerReferences) validateOwners(owners, errors);
  if (finalizers !== undefined && finalizers !== current.finalizers) {
    const isAnyName = custom || ANY_FINALIZER.has(definition.group);
    errors.push(...finalizers.flatMap((finalizer, index) => validateFinalizer(finalizer, index, isAnyName)));
    if (finalizers.includes("orphan") && finalizers.includes("foregroundDeletion")) {
      const detail = "finalizer orphan and foregroundDeletion cannot be both set";
      errors.push(fieldInvalid("metadata.finalizers", [...finalizers], detail));
    }
  }
}

function validateLabels(labels: Readonly<Record<string, string>>, errors: FieldError[]): void {
  for (const key of Object.keys(labels)) {
    const value = labels[key] ?? "";
    for (const text of validateQualifiedName(key)) errors.push(fieldInvalid("metadata.labels", key, text));
    for (const text of validateLabelValue(value)) errors.push(fieldInvalid("metadata.labels", value, text));
  }
}

function validateAnnotations(annotations: Readonly<Record<string, string>>, errors: FieldError[]): void {
  let bytes = 0;
  for (const key of Object.keys(annotations)) {
    bytes += utf8Length(key) + utf8Length(annotations[key] ?? "");
    for (const text of validateQualifiedName(key.toLowerCase())) {
      errors.push(fieldInvalid("metadata.annotations", key, text));
    }
  }
  if (bytes > ANNOTATIONS_BYTES_MAX) errors.push(fieldTooLong("metadata.annotations", ANNOTATIONS_BYTES_MAX));
}

function validateOwners(owners: readonly OwnerReferenceJson[], errors: FieldError[]): void {
  for (const owner of owners) validateOwner(owner, errors);
  if (owners.length < 2) return;
  const [first, second] = owners.filter((owner) => owner.controller === true);
  if (first === undefined || second === undefined) return;
  const detail = `Only one reference can have Controller set to true. Found "true" in references for ${first.kind}/${first.name} and ${second.kind}/${second.name}`;
  errors.push(fieldInvalid("metadata.ownerReferences", [...owners], detail));
}

const OWNER_FIELDS = ["apiVersion", "kind", "name", "uid"] as const;

function validateOwner(owner: OwnerReferenceJson, errors: FieldError[]): void {
  for (const name of OWNER_FIELDS) {
    const value = isJsonObject(owner) ? (getKey(owner, name) ?? "") : "";
    const isWrong = value === "" || (name === "apiVersion" && !/^([^/]+\/)?[^/]+$/.test(String(value)));
    const detail = name === "apiVersion" ? "version must not be empty" : "must not be empty";
    if (isWrong) errors.push(fieldInvalid(`metadata.ownerReferences.${name}`, value, detail));
  }
  const isEvent = owner.kind === "Event" && (owner.apiVersion === "v1" || owner.apiVersion === "events.k8s.io/v1");
  if (!isEvent) return;
  const detail = `${kindText(owner)} is disallowed from being an owner`;
  errors.push(fieldInvalid("metadata.ownerReferences", { ...owner }, detail));
}

/** As Go writes it: "/v1, Kind=Event". */
function kindText({ apiVersion, kind }: OwnerReferenceJson): string {
  return `${apiVersion.includes("/") ? apiVersion : `/${apiVersion}`}, Kind=${kind}`;
}

/** Groups whose objects may have finalizers of any name. */
const ANY_FINALIZER: ReadonlySet<string> = new Set([
  "apiextensions.k8s.io",
  "apiregistration.k8s.io",
  "coordination.k8s.io",
  "policy",
]);

/** Finalizers without a domain that built-in kinds may have. */
const STANDARD_FINALIZERS: ReadonlySet<string> = new Set(["kubernetes", "orphan", "foregroundDeletion"]);

function validateFinalizer(finalizer: string, index: number, isAnyName: boolean): FieldError[] {
  const isStandard = STANDARD_FINALIZERS.has(finalizer) || finalizer.includes("/");
  const detail = "name is neither a standard finalizer name nor is it fully qualified";
  return [
    ...validateQualifiedName(finalizer).map((text) => fieldInvalid("metadata.finalizers", finalizer, text)),
    ...(isStandard || isAnyName ? [] : [fieldInvalid(`metadata.finalizers[${index}]`, finalizer, detail)]),
  ];
}

/** What is wrong with finalizers of an object that is being deleted. */
function validateNewFinalizers(next: Metadata, current: Metadata): FieldError[] {
  const known = new Set(current.finalizers ?? []);
  const added = (next.finalizers ?? []).filter((finalizer) => !known.has(finalizer));
  if (added.length === 0) return [];
  const list = added.map((finalizer) => JSON.stringify(finalizer)).join(", ");
  const detail = `no new finalizers can be added if the object is being deleted, found new finalizers []string{${list}}`;
  return [fieldForbidden("metadata.finalizers", detail)];
}
