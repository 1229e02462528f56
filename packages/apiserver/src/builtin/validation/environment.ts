/** What is wrong with the environment of containers. */
import type { EnvFromSource, EnvVar, EnvVarSource } from "@kubewright/api/core/v1";
import { validateConfigKey } from "@kubewright/core/meta";
import { type FieldError, fieldInvalid, fieldNotSupported, fieldRequired } from "@kubewright/core/protocol";
import { validateRequired } from "./fields.ts";

const FIELD_PATHS = [
  "metadata.name",
  "metadata.namespace",
  "metadata.uid",
  "spec.nodeName",
  "spec.serviceAccountName",
  "status.hostIP",
  "status.hostIPs",
  "status.podIP",
  "status.podIPs",
];

/** Paths that are known but not exposed to containers. */
const CONVERTIBLE = new Set([
  "metadata.annotations",
  "metadata.labels",
  "spec.hostNetwork",
  "spec.restartPolicy",
  "spec.schedulerName",
  "status.nominatedNodeName",
  "status.phase",
]);

const RESOURCES = [
  "limits.cpu",
  "limits.ephemeral-storage",
  "limits.memory",
  "requests.cpu",
  "requests.ephemeral-storage",
  "requests.memory",
];

const NAME_RULE = "a valid environment variable name must consist only of printable ASCII characters other than '='";

/** Variables with their values or where those come from. */
export function validateEnvironment(field: string, variables: readonly EnvVar[]): FieldError[] {
  return variables.flatMap((variable, index) => {
    const at = `${field}[${index}]`;
    const { name = "" } = variable;
    return [
      ...(name === "" ? [fieldRequired(`${at}.name`)] : validateName(`${at}.name`, name)),
      ...validateSource(`${at}.valueFrom`, variable),
    ];
  });
}

/** Whole ConfigMaps and Secrets as variables. */
export function validateEnvironmentSources(field: string, sources: readonly EnvFromSource[]): FieldError[] {
  return sources.flatMap(({ prefix = "", configMapRef, secretRef }, index) => {
    const at = `${field}[${index}]`;
    return [
      ...(prefix === "" ? [] : validateName(`${at}.prefix`, prefix)),
      ...(configMapRef === undefined ? [] : validateRequired(`${at}.configMapRef.name`, configMapRef.name)),
      ...(secretRef === undefined ? [] : validateRequired(`${at}.secretRef.name`, secretRef.name)),
      ...(configMapRef === undefined && secretRef === undefined
        ? [fieldInvalid(at, "", "must specify one of: `configMapRef` or `secretRef`")]
        : []),
      ...(configMapRef !== undefined && secretRef !== undefined
        ? [fieldInvalid(at, "", "may not have more than one field specified at a time")]
        : []),
    ];
  });
}

function validateName(field: string, name: string): FieldError[] {
  return /^[ -<>-~]+$/.test(name) ? [] : [fieldInvalid(field, name, NAME_RULE)];
}

function validateSource(field: string, { value = "", valueFrom }: EnvVar): FieldError[] {
  if (valueFrom === undefined) return [];
  const { fieldRef, resourceFieldRef, configMapKeyRef, secretKeyRef, fileKeyRef } = valueFrom;
  const sources = [fieldRef, resourceFieldRef, configMapKeyRef, secretKeyRef, fileKeyRef];
  const count = sources.filter((source) => source !== undefined).length;
  return [...validateReferences(field, valueFrom), ...validateCount(field, count, value)];
}

function validateCount(field: string, count: number, value: string): FieldError[] {
  if (count === 0) {
    const detail =
      "must specify one of: `fieldRef`, `resourceFieldRef`, `configMapKeyRef`, `secretKeyRef` or `fileKeyRef`";
    return [fieldInvalid(field, "", detail)];
  }
  if (value !== "") return [fieldInvalid(field, "", "may not be specified when `value` is not empty")];
  return count > 1 ? [fieldInvalid(field, "", "may not have more than one field specified at a time")] : [];
}

function validateReferences(field: string, source: EnvVarSource): FieldError[] {
  const { fieldRef, resourceFieldRef, configMapKeyRef, secretKeyRef } = source;
  return [
    ...(fieldRef === undefined ? [] : validateFieldPath(`${field}.fieldRef.fieldPath`, fieldRef.fieldPath)),
    ...(resourceFieldRef === undefined
      ? []
      : validateResource(`${field}.resourceFieldRef.resource`, resourceFieldRef.resource)),
    ...(configMapKeyRef === undefined ? [] : validateKey(`${field}.configMapKeyRef`, configMapKeyRef)),
    ...(secretKeyRef === undefined ? [] : validateKey(`${field}.secretKeyRef`, secretKeyRef)),
  ];
}

function validateFieldPath(field: string, path: string): FieldError[] {
  if (path === "") return [fieldRequired(field)];
  if (/^metadata\.(?:labels|annotations)\['.+'\]$/.test(path) || FIELD_PATHS.includes(path)) return [];
  if (!CONVERTIBLE.has(path)) {
    return [fieldInvalid(field, path, `error converting fieldPath: field label not supported: ${path}`)];
  }
  return [fieldNotSupported(field, path, FIELD_PATHS)];
}

function validateResource(field: string, resource: string): FieldError[] {
  if (resource === "") return [fieldRequired(field)];
  if (RESOURCES.includes(resource) || /^(?:requests|limits)\.hugepages-/.test(resource)) return [];
  return [fieldNotSupported(field, resource, RESOURCES)];
}

function validateKey(
  field: string,
  { name = "", key }: { readonly name?: string; readonly key: string },
): FieldError[] {
  return [
    ...validateRequired(`${field}.name`, name),
    ...(key === ""
      ? [fieldRequired(`${field}.key`)]
      : validateConfigKey(key).map((text) => fieldInvalid(`${field}.key`, key, text))),
  ];
}
