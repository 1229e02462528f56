/** What is wrong with the spec of a pod, alone or in a template. */
import type { PodSpec, PodTemplateSpec } from "@kubewright/api/core/v1";
import { type FieldError, fieldForbidden, fieldInvalid, fieldNotSupported } from "@kubewright/core/protocol";
import { alikeSpec } from "./alike-specs.ts";
import { validateAnnotations } from "./annotations.ts";
import { validateContainers } from "./containers.ts";
import {
  asJson,
  sortedEntries,
  validateLabelName,
  validateLabels,
  validateNonNegativeQuantity,
  validateSubdomain,
} from "./fields.ts";
import { validateHostProcesses, validateOperatingSystem } from "./operating-system.ts";
import {
  validateDns,
  validateHostAliases,
  validateHostNetwork,
  validateHostnameOverride,
  validateHostUsers,
} from "./pod-host.ts";
import { validatePodResources } from "./pod-resources.ts";
import { validateAffinity, validateSchedulingGates, validateSpread, validateTolerations } from "./scheduling.ts";
import { validatePodSecurityContext } from "./security.ts";
import { validateVolumes } from "./volumes.ts";

const INT32_MAX = 2_147_483_647;

/**
 * The spec; `volumeNames` are volumes that containers may mount beyond its own. A spec that was right is right wherever it
 * comes again: in a pod that is updated, in the template it comes from, in another pod of it.
 */
export function validatePodSpec(field: string, spec: PodSpec, volumeNames: readonly string[] = []): FieldError[] {
  const alike = alikeSpec(spec);
  if (rightSpecs.has(alike)) return [];
  const errors = specErrors(field, spec, volumeNames);
  if (errors.length === 0 && volumeNames.length === 0) rightSpecs.add(alike);
  return errors;
}

const rightSpecs = new WeakSet<PodSpec>();

function specErrors(field: string, spec: PodSpec, volumeNames: readonly string[]): FieldError[] {
  const volumes = validateVolumes(`${field}.volumes`, spec.volumes ?? []);
  return [
    ...volumes.errors,
    ...validateContainers(
      field,
      spec,
      new Map([...volumes.usable, ...volumeNames.map((name) => [name, undefined] as const)]),
    ),
    ...validatePodResources(field, spec),
    ...validateHostNetwork(field, spec),
    ...validateLabels(`${field}.nodeSelector`, spec.nodeSelector),
    ...validatePodSecurityContext(`${field}.securityContext`, spec),
    ...validateAffinity(`${field}.affinity`, spec.affinity),
    ...validateDns(field, spec),
    ...(spec.readinessGates ?? []).flatMap(({ conditionType }, index) =>
      validateLabels(`${field}.readinessGates[${index}].conditionType`, { [conditionType]: "" }),
    ),
    ...validateSchedulingGates(`${field}.schedulingGates`, spec.schedulingGates ?? []),
    ...validateSpread(`${field}.topologySpreadConstraints`, spec.topologySpreadConstraints ?? []),
    ...validateHostProcesses(field, spec),
    ...validateHostUsers(field, spec),
    ...validateHostnameOverride(field, spec),
    ...optionalSubdomain(`${field}.serviceAccountName`, spec.serviceAccountName),
    ...optionalSubdomain(`${field}.nodeName`, spec.nodeName),
    ...validateDeadline(`${field}.activeDeadlineSeconds`, spec.activeDeadlineSeconds),
    ...((spec.hostname ?? "") === "" ? [] : validateLabelName(`${field}.hostname`, spec.hostname ?? "")),
    ...((spec.subdomain ?? "") === "" ? [] : validateLabelName(`${field}.subdomain`, spec.subdomain ?? "")),
    ...validateTolerations(`${field}.tolerations`, spec.tolerations ?? []),
    ...validateHostAliases(`${field}.hostAliases`, spec.hostAliases ?? []),
    ...optionalSubdomain(`${field}.priorityClassName`, spec.priorityClassName),
    ...optionalSubdomain(`${field}.runtimeClassName`, spec.runtimeClassName),
    ...sortedEntries(spec.overhead).flatMap(([name, quantity]) =>
      validateNonNegativeQuantity(`${field}.overhead.limits[${name}]`, String(quantity)),
    ),
    ...validateOperatingSystem(field, spec),
  ];
}

/** A template: its metadata and its spec, which must not have what only a running pod has. */
export function validatePodTemplate(
  field: string,
  template: PodTemplateSpec,
  volumeNames: readonly string[] = [],
): FieldError[] {
  const { spec } = template;
  return [
    ...validateTemplateMetadata(field, template),
    ...validatePodSpec(`${field}.spec`, spec ?? { containers: [] }, volumeNames),
    ...((spec?.ephemeralContainers ?? []).length > 0
      ? [fieldForbidden(`${field}.spec.ephemeralContainers`, "ephemeral containers not allowed in pod template")]
      : []),
  ];
}

/** The metadata of a template. */
export function validateTemplateMetadata(field: string, { metadata }: PodTemplateSpec): FieldError[] {
  return [
    ...validateLabels(`${field}.labels`, metadata?.labels),
    ...validateAnnotations(`${field}.annotations`, metadata?.annotations),
  ];
}

/** The template of a kind whose pods always run. */
export function validateLastingTemplate(
  field: string,
  template: PodTemplateSpec,
  { kind, volumeNames }: { readonly kind: string; readonly volumeNames?: readonly string[] },
): FieldError[] {
  const { restartPolicy = "", activeDeadlineSeconds } = template.spec ?? { containers: [] };
  return [
    ...validatePodTemplate(field, template, volumeNames),
    ...(restartPolicy === "Always"
      ? []
      : [fieldNotSupported(`${field}.spec.restartPolicy`, restartPolicy, ["Always"])]),
    ...(activeDeadlineSeconds === undefined
      ? []
      : [fieldForbidden(`${field}.spec.activeDeadlineSeconds`, `activeDeadlineSeconds in ${kind} is not Supported`)]),
  ];
}

function validateDeadline(field: string, seconds: number | undefined): FieldError[] {
  if (seconds === undefined || (seconds >= 1 && seconds <= INT32_MAX)) return [];
  return [fieldInvalid(field, asJson(seconds), `must be between 1 and ${INT32_MAX}, inclusive`)];
}

function optionalSubdomain(field: string, name: string | undefined): FieldError[] {
  return (name ?? "") === "" ? [] : validateSubdomain(field, name ?? "");
}
