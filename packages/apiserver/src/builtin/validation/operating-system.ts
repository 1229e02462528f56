/** What is wrong with a pod for its operating system: much of Linux makes no sense on Windows, and the other way round. */
import type { PodSecurityContext, PodSpec, SecurityContext } from "@kubewright/api/core/v1";
import {
  type FieldError,
  fieldForbidden,
  fieldInvalid,
  fieldNotSupported,
  fieldRequired,
} from "@kubewright/core/protocol";
import { containersWithPaths } from "./fields.ts";

const SYSTEMS = ["linux", "windows"];
const NOT_ON_WINDOWS = "cannot be set for a windows pod";

/** Fields of the spec and of its security context, in the order in which they are told. */
const POD_FIELDS: readonly (keyof PodSpec | `securityContext.${keyof PodSecurityContext & string}`)[] = [
  "securityContext.appArmorProfile",
  "securityContext.seLinuxOptions",
  "hostUsers",
  "hostPID",
  "hostIPC",
  "securityContext.seccompProfile",
  "securityContext.fsGroup",
  "securityContext.fsGroupChangePolicy",
  "securityContext.sysctls",
  "shareProcessNamespace",
  "securityContext.runAsUser",
  "securityContext.runAsGroup",
  "securityContext.supplementalGroups",
  "securityContext.supplementalGroupsPolicy",
  "securityContext.seLinuxChangePolicy",
];

const CONTAINER_FIELDS: readonly (keyof SecurityContext)[] = [
  "appArmorProfile",
  "seLinuxOptions",
  "seccompProfile",
  "capabilities",
  "readOnlyRootFilesystem",
  "privileged",
  "allowPrivilegeEscalation",
  "procMount",
  "runAsUser",
  "runAsGroup",
];

/** The system that a spec names, and what does not go with it. */
export function validateOperatingSystem(field: string, spec: PodSpec): FieldError[] {
  if (spec.os == null) return [];
  const { name = "" } = spec.os;
  if (name === "") return [fieldRequired(`${field}.os.name`)];
  if (!SYSTEMS.includes(name)) return [fieldNotSupported(`${field}.os`, name, SYSTEMS)];
  return name === "linux" ? validateLinux(field, spec) : validateWindows(field, spec);
}

function validateLinux(field: string, spec: PodSpec): FieldError[] {
  const contexts = [
    [field, spec.securityContext] as const,
    ...containersWithPaths(field, spec).map(([at, { securityContext }]) => [at, securityContext] as const),
  ];
  return contexts
    .filter(([, context]) => context?.windowsOptions != null)
    .map(([at]) =>
      fieldForbidden(`${at}.securityContext.windowsOptions`, "windows options cannot be set for a linux pod"),
    );
}

function validateWindows(field: string, spec: PodSpec): FieldError[] {
  const own = POD_FIELDS.filter((path) => isSet(valueAt(spec, path)));
  const ofContainers = containersWithPaths(field, spec).flatMap(([at, { securityContext }]) =>
    CONTAINER_FIELDS.filter((name) => securityContext?.[name] != null).map((name) => `${at}.securityContext.${name}`),
  );
  return [...own.map((path) => `${field}.${path}`), ...ofContainers].map((path) =>
    fieldForbidden(path, NOT_ON_WINDOWS),
  );
}

function valueAt(spec: PodSpec, path: string): unknown {
  return path.split(".").reduce<unknown>((value, key) => (value as Record<string, unknown> | undefined)?.[key], spec);
}

/** Two of the switches count only when they are on. */
function isSet(value: unknown): boolean {
  return value != null && value !== false && !(Array.isArray(value) && value.length === 0);
}

/** Containers that are processes of their node: all of a pod or none, and on its network. */
export function validateHostProcesses(field: string, spec: PodSpec): FieldError[] {
  const ofPod = spec.securityContext?.windowsOptions?.hostProcess;
  const containers = containersWithPaths(field, spec).map(
    ([at, { securityContext }]) => [at, securityContext?.windowsOptions?.hostProcess] as const,
  );
  const errors = containers
    .filter(([, own]) => ofPod !== undefined && own !== undefined && own !== ofPod)
    .map(([at, own]) =>
      fieldInvalid(
        `${at}.securityContext.windowsOptions.hostProcess`,
        own ?? null,
        `pod hostProcess value must be identical if both are specified, was ${ofPod}`,
      ),
    );
  const count = containers.filter(([, own]) => own ?? ofPod ?? false).length;
  if (count === 0) return errors;
  const why = "If pod contains any hostProcess containers then all containers must be HostProcess containers";
  const onNetwork = spec.hostNetwork === true;
  return [
    ...errors,
    ...(count === containers.length ? [] : [fieldInvalid(field, "", why)]),
    ...(onNetwork
      ? []
      : [
          fieldInvalid(
            `${field}.hostNetwork`,
            false,
            "hostNetwork must be true if pod contains any hostProcess containers",
          ),
        ]),
  ];
}
