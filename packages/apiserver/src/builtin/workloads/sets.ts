/** ReplicaSets, ReplicationControllers and ControllerRevisions. */
import type { ControllerRevision, ReplicaSet } from "@kubewright/api/apps/v1";
import type { ReplicationController } from "@kubewright/api/core/v1";
import { isJsonObject } from "@kubewright/core/meta";
import { type FieldError, fieldInvalid, fieldRequired } from "@kubewright/core/protocol";
import type { KindParticulars } from "../kind-strategy.ts";
import { nameWarnings, templateWarnings } from "../pods/pod-warnings.ts";
import { asJson, validateImmutable, validateNonNegative } from "../validation/fields.ts";
import { validateLastingTemplate } from "../validation/pod-spec.ts";
import { validateSelectedTemplate } from "./selected-template.ts";
import { validateCounts } from "./status.ts";

const COUNTS = ["replicas", "fullyLabeledReplicas", "readyReplicas", "availableReplicas"];
const replicaCount = {
  "status.replicas": (object: object) => String((object as ReplicaSet).status?.replicas ?? 0),
};

/** What is particular to ReplicaSets. */
export const replicaSetParticulars: KindParticulars = {
  warnings: (object, current) => [
    ...nameWarnings(object, current),
    ...templateWarnings("spec", "template", "spec")(object, current),
  ],
  generation: true,
  validate: (object, current, { subresource }) => {
    const { spec, status } = object as unknown as ReplicaSet;
    if (subresource === "status") return validateCounts("status", status ?? {}, COUNTS);
    const before = current as unknown as ReplicaSet | undefined;
    return [
      ...validateNonNegative("spec.replicas", spec?.replicas),
      ...validateNonNegative("spec.minReadySeconds", spec?.minReadySeconds),
      ...validateSelectedTemplate(spec ?? {}, { kind: "ReplicaSet", noun: "deployment" }),
      ...(before === undefined
        ? []
        : validateImmutable("spec.selector", asJson(spec?.selector), asJson(before.spec?.selector))),
    ];
  },
};

/** What is particular to ReplicationControllers. */
export const replicationControllerParticulars: KindParticulars = {
  generation: true,
  // As with Jobs: whoever deletes one without saying how keeps its pods.
  defaultPropagation: "Orphan",
  selectableFields: replicaCount,
  validate: (object, _current, { subresource }) => {
    const { spec, status } = object as unknown as ReplicationController;
    if (subresource === "status") return validateCounts("status", status ?? {}, COUNTS);
    const { selector = {}, template, replicas, minReadySeconds } = spec ?? {};
    return [
      ...validateNonNegative("spec.minReadySeconds", minReadySeconds),
      ...(Object.keys(selector).length === 0 ? [fieldRequired("spec.selector")] : []),
      ...validateNonNegative("spec.replicas", replicas),
      ...(template === undefined ? [fieldRequired("spec.template")] : validateTemplate(selector, template)),
    ];
  },
};

function validateTemplate(
  selector: Readonly<Record<string, string>>,
  template: NonNullable<NonNullable<ReplicationController["spec"]>["template"]>,
): FieldError[] {
  const labels = template.metadata?.labels ?? {};
  const isSelected = Object.entries(selector).every(([key, value]) => labels[key] === value);
  return [
    ...(isSelected
      ? []
      : [fieldInvalid("spec.template.metadata.labels", asJson(labels), "`selector` does not match template `labels`")]),
    ...validateLastingTemplate("spec.template", template, { kind: "ReplicationController" }),
  ];
}

/** What is particular to ControllerRevisions. */
export const controllerRevisionParticulars: KindParticulars = {
  validate: (object, current) => {
    const { revision, data } = object as unknown as ControllerRevision;
    const errors = validateNonNegative("revision", revision);
    if (current !== undefined) return [...errors, ...validateImmutable("data", asJson(data), current["data"])];
    if (data === undefined || data === null) return [...errors, fieldRequired("data", "data is mandatory")];
    return isJsonObject(data) ? errors : [...errors, fieldRequired("data", "data must be a valid JSON object")];
  },
};
