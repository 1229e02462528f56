/** What of a pod's spec may change: images, a shorter deadline, more tolerations, fewer scheduling gates. */
import type { Container, Pod, PodSpec, Toleration } from "@kubewright/api/core/v1";
import { deepEqual } from "@kubewright/core/meta";
import { type FieldError, fieldForbidden, fieldInvalid, fieldRequired } from "@kubewright/core/protocol";
import { asJson } from "../validation/fields.ts";
import { describeChange } from "./spec-diff.ts";

const INT32_MAX = 2_147_483_647;

const MUTABLE_FIELDS = [
  "`spec.containers[*].image`",
  "`spec.initContainers[*].image`",
  "`spec.activeDeadlineSeconds`",
  "`spec.tolerations` (only additions to existing tolerations)",
  "`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously negative)",
];

/** What is wrong with an update of a pod. */
export function validatePodUpdate(next: Pod, current: Pod): FieldError[] {
  const before = current.spec ?? { containers: [] };
  const after = next.spec ?? { containers: [] };
  if (after === before) return [];
  const count = validateCount("spec.containers", after.containers ?? [], before.containers ?? []);
  const counts =
    count.length > 0
      ? count
      : validateCount("spec.initContainers", after.initContainers ?? [], before.initContainers ?? []);
  if (counts.length > 0) return counts;
  const deadline = validateDeadline(after, before);
  if (deadline.length > 0 && after.activeDeadlineSeconds !== undefined) return deadline;
  return [
    ...deadline,
    ...validateImages("spec.containers", after.containers ?? []),
    ...validateImages("spec.initContainers", after.initContainers ?? []),
    ...validateTolerations(after.tolerations ?? [], before.tolerations ?? []),
    ...validateGates(after, before),
    ...validateRest(after, before),
  ];
}

function validateImages(field: string, containers: readonly Container[]): FieldError[] {
  return containers.flatMap(({ image = "" }, index) =>
    image === "" ? [fieldRequired(`${field}[${index}].image`)] : [],
  );
}

function validateCount(field: string, next: readonly Container[], current: readonly Container[]): FieldError[] {
  if (next.length === current.length) return [];
  return [fieldForbidden(field, "pod updates may not add or remove containers")];
}

function validateDeadline(after: PodSpec, before: PodSpec): FieldError[] {
  const field = "spec.activeDeadlineSeconds";
  const [next, current] = [after.activeDeadlineSeconds, before.activeDeadlineSeconds];
  if (next !== undefined && (next < 0 || next > INT32_MAX)) {
    return [fieldInvalid(field, next, `must be between 0 and ${INT32_MAX}, inclusive`)];
  }
  if (current === undefined) return [];
  if (next === undefined) {
    return [fieldInvalid(field, null, "must not update from a positive integer to nil value")];
  }
  return next > current ? [fieldInvalid(field, next, "must be less than or equal to previous value")] : [];
}

function validateTolerations(next: readonly Toleration[], current: readonly Toleration[]): FieldError[] {
  const isKept = (toleration: Toleration): boolean =>
    next.some((other) =>
      deepEqual(
        asJson({ ...other, tolerationSeconds: undefined }),
        asJson({ ...toleration, tolerationSeconds: undefined }),
      ),
    );
  if (current.every(isKept)) return [];
  return [fieldForbidden("spec.tolerations", "existing toleration can not be modified except its tolerationSeconds")];
}

function validateGates(after: PodSpec, before: PodSpec): FieldError[] {
  const known = new Set((before.schedulingGates ?? []).map(({ name }) => name));
  return (after.schedulingGates ?? []).flatMap(({ name }, index) =>
    known.has(name)
      ? []
      : [
          fieldForbidden(
            `spec.schedulingGates[${index}].name`,
            `only deletion is allowed, but found new scheduling gate '${name}'`,
          ),
        ],
  );
}

/** Everything else must be as it was; pods that are not yet up for scheduling may narrow where they go. */
function validateRest(after: PodSpec, before: PodSpec): FieldError[] {
  const isGated = (before.schedulingGates ?? []).length > 0;
  const munged: PodSpec = {
    ...after,
    ...keep(before, "activeDeadlineSeconds"),
    ...keep(before, "tolerations"),
    ...keep(before, "schedulingGates"),
    ...(isGated && { ...keep(before, "nodeSelector"), ...keep(before, "affinity") }),
    containers: withImages(after.containers, before.containers),
    ...(after.initContainers && { initContainers: withImages(after.initContainers, before.initContainers ?? []) }),
    ...((before.terminationGracePeriodSeconds ?? 0) < 0 && after.terminationGracePeriodSeconds === 1
      ? keep(before, "terminationGracePeriodSeconds")
      : {}),
  };
  const errors = isGated ? validateNarrowing(after, before) : [];
  if (deepEqual(asJson(munged), asJson(before))) return errors;
  const fields = MUTABLE_FIELDS.join(",");
  const detail = `pod updates may not change fields other than ${fields}\n${describeChange(before, munged)}`;
  return [...errors, fieldForbidden("spec", detail)];
}

function validateNarrowing(after: PodSpec, before: PodSpec): FieldError[] {
  const isNarrower = Object.entries(before.nodeSelector ?? {}).every(
    ([key, value]) => after.nodeSelector?.[key] === value,
  );
  if (isNarrower) return [];
  const detail = "only additions to spec.nodeSelector are allowed (no mutations or deletions)";
  return [fieldInvalid("spec.nodeSelector", asJson(after.nodeSelector ?? {}), detail)];
}

function keep(spec: PodSpec, name: keyof PodSpec): Partial<PodSpec> {
  return { [name]: spec[name] };
}

function withImages(next: readonly Container[], current: readonly Container[]): Container[] {
  return next.map((container, index) => {
    const { image: _, ...rest } = container;
    const image = current[index]?.image;
    return image === undefined ? rest : { ...rest, image };
  });
}
