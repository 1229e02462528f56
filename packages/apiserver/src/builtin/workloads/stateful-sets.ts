/** StatefulSets: most of their spec is fixed, since pods and claims were made from it. */
import type { StatefulSet, StatefulSetSpec } from "@kubewright/api/apps/v1";
import type { JsonObject } from "@kubewright/core/meta";
import { deepEqual } from "@kubewright/core/meta";
import { type FieldError, fieldForbidden, fieldInvalid, fieldNotSupported } from "@kubewright/core/protocol";
import { type ApiObject, withFields } from "../../resource/object.ts";
import { objectOf, objectsOf } from "../defaults/fill.ts";
import type { KindParticulars } from "../kind-strategy.ts";
import { labelNames } from "../names.ts";
import { templateWarnings } from "../pods/pod-warnings.ts";
import { validateClaimSpec } from "../storage/claims.ts";
import { fieldInvalidStruct, validateLabelName, validateNonNegative } from "../validation/fields.ts";
import { validateSelectedTemplate } from "./selected-template.ts";
import { validateCounts } from "./status.ts";

const MUTABLE = [
  "replicas",
  "ordinals",
  "template",
  "updateStrategy",
  "revisionHistoryLimit",
  "persistentVolumeClaimRetentionPolicy",
  "minReadySeconds",
];

/** What is particular to StatefulSets. */
export const statefulSetParticulars: KindParticulars = {
  generation: true,
  nameErrors: labelNames,
  warnings: templateWarnings("spec", "template", "spec"),
  prepareForCreate: (object) => withoutGatedFields(withClaimKinds(object)),
  prepareForUpdate: (next) => withoutGatedFields(withClaimKinds(next)),
  validate: (object, current, { subresource }) => {
    const { spec, status } = object as unknown as StatefulSet;
    if (subresource === "status") {
      return validateCounts("status", status ?? {}, [
        "replicas",
        "readyReplicas",
        "currentReplicas",
        "updatedReplicas",
        "availableReplicas",
      ]);
    }
    const errors = validateSpec(spec ?? ({} as StatefulSetSpec), current === undefined);
    return current === undefined ? errors : [...errors, ...validateChange(object, current)];
  },
};

/** Claims in templates say what they are, as every object of its own does. */
function withClaimKinds(object: ApiObject): ApiObject {
  const spec = objectOf(object["spec"]);
  const claims = objectsOf(spec["volumeClaimTemplates"]);
  if (claims.every(({ kind }) => kind === "PersistentVolumeClaim")) return object;
  const named = claims.map((claim): JsonObject => ({ ...claim, apiVersion: "v1", kind: "PersistentVolumeClaim" }));
  return withFields(object, { spec: { ...spec, volumeClaimTemplates: named } });
}

/** 1.36 drops what is behind a feature gate that is off. */
function withoutGatedFields(object: ApiObject): ApiObject {
  const spec = objectOf(object["spec"]);
  const strategy = objectOf(spec["updateStrategy"]);
  const { maxUnavailable, ...rollingUpdate } = objectOf(strategy["rollingUpdate"]);
  if (maxUnavailable === undefined) return object;
  return withFields(object, { spec: { ...spec, updateStrategy: { ...strategy, rollingUpdate } } });
}

const RETENTION_POLICIES: readonly string[] = ["Retain", "Delete"];

function validateSpec(spec: StatefulSetSpec, isNew: boolean): FieldError[] {
  const { volumeClaimTemplates: claims = [], serviceName = "", updateStrategy, ordinals } = spec;
  const policy = spec.podManagementPolicy ?? "";
  const type = updateStrategy?.type ?? "";
  const retention = spec.persistentVolumeClaimRetentionPolicy ?? {};
  return [
    ...(["whenDeleted", "whenScaled"] as const).flatMap((name) =>
      RETENTION_POLICIES.includes(retention[name] ?? "Retain")
        ? []
        : [
            fieldNotSupported(
              `spec.persistentVolumeClaimRetentionPolicy.${name}`,
              retention[name] ?? "",
              RETENTION_POLICIES,
            ),
          ],
    ),
    ...(["OrderedReady", "Parallel"].includes(policy)
      ? []
      : [fieldInvalid("spec.podManagementPolicy", policy, "must be 'OrderedReady' or 'Parallel'")]),
    ...(["RollingUpdate", "OnDelete"].includes(type)
      ? []
      : [
          fieldInvalidStruct(
            "spec.updateStrategy",
            { Type: type, RollingUpdate: null },
            "must be 'RollingUpdate' or 'OnDelete'",
          ),
        ]),
    ...(updateStrategy?.type === "OnDelete" && updateStrategy.rollingUpdate !== undefined
      ? [
          fieldInvalidStruct(
            "spec.updateStrategy.rollingUpdate",
            { Partition: updateStrategy.rollingUpdate.partition ?? 0, MaxUnavailable: null },
            "only allowed for updateStrategy 'RollingUpdate'",
          ),
        ]
      : []),
    ...validateNonNegative("spec.updateStrategy.rollingUpdate.partition", updateStrategy?.rollingUpdate?.partition),
    ...(isNew
      ? claims.flatMap((claim, index) =>
          validateClaimSpec(`spec.volumeClaimTemplates[${index}].spec`, claim.spec ?? {}),
        )
      : []),
    ...validateNonNegative("spec.replicas", spec.replicas),
    ...validateNonNegative("spec.minReadySeconds", spec.minReadySeconds),
    ...validateNonNegative("spec.ordinals.start", ordinals?.start),
    ...(isNew && serviceName !== "" ? validateLabelName("spec.serviceName", serviceName) : []),
    ...validateSelectedTemplate(spec, {
      kind: "StatefulSet",
      noun: "statefulset",
      volumeNames: claims.map(({ metadata }) => metadata?.name ?? ""),
    }),
  ];
}

function validateChange(next: ApiObject, current: ApiObject): FieldError[] {
  const fixed = ({ spec }: ApiObject): JsonObject =>
    Object.fromEntries(Object.entries(objectOf(spec)).filter(([name]) => !MUTABLE.includes(name)));
  if (deepEqual(fixed(next), fixed(current))) return [];
  const names = MUTABLE.map((name) => `'${name}'`);
  const list = `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`;
  return [fieldForbidden("spec", `updates to statefulset spec for fields other than ${list} are forbidden`)];
}
