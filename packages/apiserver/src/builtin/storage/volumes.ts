/** PersistentVolumes and StorageClasses. */
import type { PersistentVolume, PersistentVolumeSpec, TopologySelectorTerm } from "@kubewright/api/core/v1";
import type { StorageClass } from "@kubewright/api/storage/v1";
import { compareQuantities, deepEqual, parseQuantity, quantityOf, stringifyJson } from "@kubewright/core/meta";
import {
  type FieldError,
  fieldDuplicate,
  fieldForbidden,
  fieldInvalid,
  fieldNotSupported,
  fieldRequired,
} from "@kubewright/core/protocol";
import { withFields } from "../../resource/object.ts";
import { objectOf } from "../defaults/fill.ts";
import type { KindParticulars } from "../kind-strategy.ts";
import {
  asJson,
  sortedEntries,
  validateImmutable,
  validateQualified,
  validateSubdomain,
} from "../validation/fields.ts";
import { validateNodeTerms } from "../validation/scheduling.ts";
import { validateExclusiveMode } from "./claims.ts";
import { volumeWarnings } from "./storage-warnings.ts";

/** Fields of a volume's spec that are no source. */
const OTHER_FIELDS = new Set([
  "accessModes",
  "capacity",
  "claimRef",
  "mountOptions",
  "nodeAffinity",
  "persistentVolumeReclaimPolicy",
  "storageClassName",
  "volumeAttributesClassName",
  "volumeMode",
]);

/** What is particular to PersistentVolumes. */
export const volumeParticulars: KindParticulars = {
  returnsDeleted: true,
  prepareForCreate: (object, { time }) =>
    withFields(object, { status: { phase: "Pending", lastPhaseTransitionTime: time } }),
  prepareForUpdate: (next, current, { subresource, time }) => {
    const [before, after] = [objectOf(current["status"]), objectOf(next["status"])];
    if (subresource !== "status" || before["phase"] === after["phase"]) return next;
    return withFields(next, { status: { ...after, lastPhaseTransitionTime: time } });
  },
  validate: (object, current, { subresource }) => {
    if (subresource === "status") return [];
    const { spec = {} } = object as unknown as PersistentVolume;
    const errors = validateSpec(spec);
    return current === undefined
      ? errors
      : [...errors, ...validateChange(spec, (current as unknown as PersistentVolume).spec ?? {})];
  },
  warnings: volumeWarnings,
};

function sourcesOf(spec: PersistentVolumeSpec): [string, unknown][] {
  return Object.entries(spec).filter(([name, value]) => !OTHER_FIELDS.has(name) && value !== undefined);
}

function validateSpec(spec: PersistentVolumeSpec): FieldError[] {
  const { accessModes = [], nodeAffinity, storageClassName = "" } = spec;
  const [first, ...others] = sourcesOf(spec).map(([name]) => name);
  return [
    ...(accessModes.length === 0 ? [fieldRequired("spec.accessModes")] : []),
    ...validateExclusiveMode("spec", accessModes),
    ...validateCapacity(spec),
    ...(nodeAffinity?.required === undefined
      ? []
      : validateNodeTerms("spec.nodeAffinity.required", nodeAffinity.required.nodeSelectorTerms)),
    ...(first === undefined ? [fieldRequired("spec", "must specify a volume type")] : []),
    ...others.map((name) => fieldForbidden(`spec.${name}`, "may not specify more than 1 volume type")),
    ...(spec.local !== undefined && nodeAffinity?.required === undefined
      ? [fieldRequired("spec.nodeAffinity", "Local volume requires node affinity")]
      : []),
    ...(spec.hostPath !== undefined && spec.hostPath.path === "" ? [fieldRequired("spec.hostPath.path")] : []),
    ...(storageClassName === "" ? [] : validateSubdomain("spec.storageClassName", storageClassName)),
  ];
}

function validateCapacity({ capacity: given }: PersistentVolumeSpec): FieldError[] {
  const capacity = given ?? {};
  const entries = sortedEntries(capacity);
  return [
    ...(entries.length === 0 ? [fieldRequired("spec.capacity")] : []),
    ...(entries.length === 1 && capacity["storage"] !== undefined
      ? []
      : [fieldNotSupported("spec.capacity", asJson(given), ["storage"])]),
    ...entries.flatMap(([name, size]) =>
      compareQuantities(parseQuantity(String(size)), quantityOf(0)) > 0
        ? []
        : [fieldInvalid(`spec.capacity[${name}]`, String(size), "must be greater than zero")],
    ),
  ];
}

function validateChange(next: PersistentVolumeSpec, current: PersistentVolumeSpec): FieldError[] {
  const isSameSource = deepEqual(
    asJson(Object.fromEntries(sourcesOf(next))),
    asJson(Object.fromEntries(sourcesOf(current))),
  );
  return [
    ...(isSameSource
      ? []
      : [fieldForbidden("spec.persistentvolumesource", "spec.persistentvolumesource is immutable after creation")]),
    ...validateImmutable("volumeMode", next.volumeMode, current.volumeMode),
    ...(current.nodeAffinity === undefined
      ? []
      : validateImmutable("nodeAffinity", asJson(next.nodeAffinity), asJson(current.nodeAffinity))),
  ];
}

/** What is particular to StorageClasses. */
export const storageClassParticulars: KindParticulars = {
  returnsDeleted: true,
  validate: (object, current) => {
    const next = object as unknown as StorageClass;
    const before = current as unknown as StorageClass | undefined;
    return before === undefined ? validateClass(next) : [...validateClassChange(next, before), ...validateClass(next)];
  },
};

function validateClass({ provisioner, parameters = {}, reclaimPolicy, allowedTopologies }: StorageClass): FieldError[] {
  return [
    ...((reclaimPolicy as string) === "Recycle"
      ? [fieldNotSupported("reclaimPolicy", "Recycle", ["Delete", "Retain"])]
      : []),
    ...((provisioner ?? "") === ""
      ? [fieldRequired("provisioner")]
      : validateQualified("provisioner", provisioner.toLowerCase())),
    ...(Object.hasOwn(parameters, "") ? [fieldInvalid("parameters", "", "field can not be empty.")] : []),
    ...validateTopologies(allowedTopologies ?? []),
  ];
}

/** Terms are told apart by what they select, in whatever order. */
function validateTopologies(terms: readonly TopologySelectorTerm[]): FieldError[] {
  const selected = ({ matchLabelExpressions = [] }: TopologySelectorTerm): string =>
    stringifyJson(matchLabelExpressions.map(({ key, values }) => [key, [...(values ?? [])].sort()]).sort());
  const texts = terms.map(selected);
  return terms.flatMap((term, index) => {
    const at = `allowedTopologies[${index}].matchLabelExpressions`;
    const isRepeated = texts[index] === "[]" || texts.indexOf(texts[index] ?? "") < index;
    return [...validateTerm(at, term), ...(isRepeated ? [fieldDuplicate(at, "")] : [])];
  });
}

function validateTerm(at: string, { matchLabelExpressions: expressions = [] }: TopologySelectorTerm): FieldError[] {
  return expressions.flatMap(({ key, values }, index) => {
    const field = `${at}[${index}]`;
    const list = values ?? [];
    return [
      ...(list.length === 0 ? [fieldRequired(`${field}.values`)] : []),
      ...list.flatMap((value, item) =>
        list.indexOf(value) < item ? [fieldDuplicate(`${field}.values[${item}]`, value)] : [],
      ),
      ...validateQualified(`${field}.key`, key),
      ...(expressions.findIndex((other) => other.key === key) < index ? [fieldDuplicate(`${field}.key`, key)] : []),
    ];
  });
}

function validateClassChange(next: StorageClass, current: StorageClass): FieldError[] {
  return [
    ...validateImmutable("parameters", asJson(next.parameters), asJson(current.parameters)),
    ...validateImmutable("provisioner", next.provisioner, current.provisioner),
    ...validateImmutable("reclaimPolicy", next.reclaimPolicy, current.reclaimPolicy),
    ...validateImmutable("volumeBindingMode", next.volumeBindingMode, current.volumeBindingMode),
  ];
}
