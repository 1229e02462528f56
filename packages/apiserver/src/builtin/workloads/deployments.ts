/** Deployments: new annotations count as a new generation, since they are copied to the ReplicaSets. */
import type { Deployment, DeploymentSpec, DeploymentStrategy } from "@kubewright/api/apps/v1";
import { deepEqual } from "@kubewright/core/meta";
import { type FieldError, fieldForbidden, fieldInvalid } from "@kubewright/core/protocol";
import { withMetadata } from "../../resource/object.ts";
import type { KindParticulars } from "../kind-strategy.ts";
import { nameWarnings, templateWarnings } from "../pods/pod-warnings.ts";
import { asJson, validateImmutable, validateNonNegative } from "../validation/fields.ts";
import { percentOrNumber, validateAtMostAll, validateIntOrPercent } from "./int-or-percent.ts";
import { validateSelectedTemplate } from "./selected-template.ts";
import { validateCounts } from "./status.ts";
import { unknownStrategy } from "./unknown-strategy.ts";

/** What is particular to Deployments. */
export const deploymentParticulars: KindParticulars = {
  generation: true,
  changesGeneration: (next, current) =>
    !deepEqual(next["spec"], current["spec"]) ||
    !deepEqual(next.metadata.annotations ?? {}, current.metadata.annotations ?? {}),
  resetFields: { status: [["spec"], ["metadata", "labels"]] },
  prepareForUpdate: (next, current, { subresource }) =>
    subresource === "status" ? withMetadata(next, { labels: current.metadata.labels }) : next,
  validate: (object, current, { subresource }) => {
    const { spec, status } = object as unknown as Deployment;
    if (subresource === "status") {
      return validateCounts("status", status ?? {}, [
        "replicas",
        "updatedReplicas",
        "readyReplicas",
        "availableReplicas",
        "unavailableReplicas",
      ]);
    }
    const before = current as unknown as Deployment | undefined;
    return [
      ...validateSpec(spec),
      ...(before === undefined
        ? []
        : validateImmutable("spec.selector", asJson(spec?.selector), asJson(before.spec?.selector))),
    ];
  },
  warnings: (object, current) => [
    ...nameWarnings(object, current),
    ...templateWarnings("spec", "template", "spec")(object, current),
  ],
};

function validateSpec(spec: DeploymentSpec | undefined): FieldError[] {
  const { replicas, minReadySeconds = 0, revisionHistoryLimit, progressDeadlineSeconds = 0 } = spec ?? {};
  return [
    ...validateNonNegative("spec.replicas", replicas),
    ...validateSelectedTemplate(spec ?? {}, { kind: "ReplicaSet", noun: "deployment" }),
    ...validateStrategy("spec.strategy", spec?.strategy ?? {}),
    ...validateNonNegative("spec.minReadySeconds", minReadySeconds),
    ...validateNonNegative("spec.revisionHistoryLimit", revisionHistoryLimit),
    ...validateNonNegative("spec.progressDeadlineSeconds", progressDeadlineSeconds),
    ...(progressDeadlineSeconds <= minReadySeconds
      ? [fieldInvalid("spec.progressDeadlineSeconds", progressDeadlineSeconds, "must be greater than minReadySeconds")]
      : []),
  ];
}

function validateStrategy(field: string, { type, rollingUpdate }: DeploymentStrategy): FieldError[] {
  if (type === "Recreate") {
    if (rollingUpdate === undefined) return [];
    return [fieldForbidden(`${field}.rollingUpdate`, "may not be specified when strategy `type` is 'Recreate'")];
  }
  if (type !== "RollingUpdate") return [unknownStrategy(field, type ?? "", ["Recreate", "RollingUpdate"])];
  const { maxUnavailable = 0, maxSurge = 0 } = rollingUpdate ?? {};
  const at = `${field}.rollingUpdate`;
  const isStuck = percentOrNumber(maxUnavailable) === 0 && percentOrNumber(maxSurge) === 0;
  return [
    ...validateIntOrPercent(`${at}.maxUnavailable`, maxUnavailable),
    ...validateIntOrPercent(`${at}.maxSurge`, maxSurge),
    ...(isStuck ? [fieldInvalid(`${at}.maxUnavailable`, maxUnavailable, "may not be 0 when `maxSurge` is 0")] : []),
    ...validateAtMostAll(`${at}.maxUnavailable`, maxUnavailable),
  ];
}
