/** What is wrong with the containers of a pod or a pod template. */
import type { Container, ContainerPort, EphemeralContainer, PodSpec } from "@kubewright/api/core/v1";
import {
  type FieldError,
  fieldDuplicate,
  fieldForbidden,
  fieldInvalid,
  fieldNotFound,
  fieldNotSupported,
  fieldRequired,
} from "@kubewright/core/protocol";
import { validateEnvironment, validateEnvironmentSources } from "./environment.ts";
import { validateLabelName, validatePort, validateRequired } from "./fields.ts";
import { type UsableVolumes, validateDevices, validateMounts } from "./mounts.ts";
import { validatePortName } from "./ports.ts";
import { validateLifecycle, validateProbes } from "./probes.ts";
import { validateResizePolicies } from "./resizing.ts";
import { validateResources } from "./resources.ts";
import { validateSecurityContext } from "./security.ts";

/** All containers of a pod spec; `volumes` are its valid volumes. */
export function validateContainers(field: string, spec: PodSpec, volumes: UsableVolumes): FieldError[] {
  return [
    ...validateRegular(`${field}.containers`, spec, volumes),
    ...validateInit(`${field}.initContainers`, spec, volumes),
    ...validateEphemeral(`${field}.ephemeralContainers`, spec, volumes),
  ];
}

function validateRegular(field: string, spec: PodSpec, volumes: UsableVolumes): FieldError[] {
  const { containers = [], terminationGracePeriodSeconds: graceSeconds } = spec;
  if (containers.length === 0) return [fieldRequired(field)];
  const names = new Set<string>();
  const errors = containers.flatMap((container, index) => {
    const at = `${field}[${index}]`;
    return [
      ...validateContainer(at, container, { spec, volumes }),
      ...claimName(at, container.name, names),
      ...validateLifecycle(`${at}.lifecycle`, container.lifecycle, graceSeconds),
      ...validateProbes(at, container),
    ];
  });
  return [...errors, ...validateHostPorts(field, containers)];
}

function validateInit(field: string, spec: PodSpec, volumes: UsableVolumes): FieldError[] {
  const names = new Set((spec.containers ?? []).map(({ name }) => name));
  return (spec.initContainers ?? []).flatMap((container, index) => {
    const at = `${field}[${index}]`;
    return [
      ...validateContainer(at, container, { spec, volumes }),
      ...claimName(at, container.name, names),
      ...validateHostPorts(field, [container]),
      ...(container.restartPolicy === "Always"
        ? [
            ...validateLifecycle(`${at}.lifecycle`, container.lifecycle, spec.terminationGracePeriodSeconds),
            ...validateProbes(at, container),
          ]
        : (["lifecycle", "livenessProbe", "readinessProbe", "startupProbe"] as const)
            .filter((name) => container[name] !== undefined)
            .map((name) =>
              fieldForbidden(`${at}.${name}`, "may not be set for init containers without restartPolicy=Always"),
            )),
    ];
  });
}

const EPHEMERAL_FORBIDDEN = [
  "lifecycle",
  "livenessProbe",
  "readinessProbe",
  "startupProbe",
  "ports",
  "resizePolicy",
  "restartPolicy",
] as const;

function validateEphemeral(field: string, spec: PodSpec, volumes: UsableVolumes): FieldError[] {
  const others = new Set([...(spec.containers ?? []), ...(spec.initContainers ?? [])].map(({ name }) => name));
  const names = new Set(others);
  return (spec.ephemeralContainers ?? []).flatMap((container, index) => {
    const at = `${field}[${index}]`;
    const target = container.targetContainerName ?? "";
    return [
      ...validateContainer(at, container, { spec, volumes }),
      ...validateImageSpace(at, container),
      ...claimName(at, container.name, names),
      ...(target !== "" && !others.has(target) ? [fieldNotFound(`${at}.targetContainerName`, target)] : []),
      ...EPHEMERAL_FORBIDDEN.filter((name) => container[name] !== undefined).map((name) =>
        fieldForbidden(`${at}.${name}`, "cannot be set for an Ephemeral Container"),
      ),
      ...(Object.keys(container.resources ?? {}).length > 0
        ? [fieldForbidden(`${at}.resources`, "cannot be set for an Ephemeral Container")]
        : []),
      ...(container.volumeMounts ?? []).flatMap(({ subPath = "" }, mount) =>
        subPath === ""
          ? []
          : [fieldForbidden(`${at}.volumeMounts[${mount}].subPath`, "cannot be set for an Ephemeral Container")],
      ),
    ];
  });
}

/** Pods, unlike templates, may not have images with spaces around their names. */
export function validateImageSpace(at: string, { image = "" }: Pick<Container, "image">): FieldError[] {
  if (image === image.trim()) return [];
  return [fieldInvalid(`${at}.image`, image, "must not have leading or trailing whitespace")];
}

/** Names are unique among all containers of a pod. */
function claimName(at: string, name: string, names: Set<string>): FieldError[] {
  if (names.has(name)) return [fieldDuplicate(`${at}.name`, name)];
  names.add(name);
  return [];
}

/** What a container is part of. */
interface Surroundings {
  readonly spec: PodSpec;
  readonly volumes: UsableVolumes;
}

function validateContainer(
  at: string,
  container: Container | EphemeralContainer,
  { spec, volumes }: Surroundings,
): FieldError[] {
  const { name = "" } = container;
  return [
    ...(name === "" ? [fieldRequired(`${at}.name`)] : validateLabelName(`${at}.name`, name)),
    ...validateRequired(`${at}.image`, container.image),
    ...validatePorts(`${at}.ports`, container.ports ?? []),
    ...validateEnvironment(`${at}.env`, container.env ?? []),
    ...validateEnvironmentSources(`${at}.envFrom`, container.envFrom ?? []),
    ...validateMounts(`${at}.volumeMounts`, container, volumes),
    ...validateDevices(`${at}.volumeDevices`, container, volumes),
    ...validateResources(`${at}.resources`, container.resources ?? {}),
    ...validateRestartPolicy(`${at}.restartPolicy`, container.restartPolicy),
    ...validateResizePolicies(`${at}.resizePolicy`, container.resizePolicy ?? [], spec.restartPolicy),
    ...validateSecurityContext(`${at}.securityContext`, container.securityContext, spec.hostUsers !== false),
  ];
}

const RESTART_POLICIES = ["Always", "Never", "OnFailure"];

function validateRestartPolicy(field: string, policy: string | undefined): FieldError[] {
  if (policy === undefined || RESTART_POLICIES.includes(policy)) return [];
  return [fieldNotSupported(field, policy, RESTART_POLICIES)];
}

function validatePorts(field: string, ports: readonly ContainerPort[]): FieldError[] {
  const names = new Set<string>();
  return ports.flatMap((port, index) => {
    const at = `${field}[${index}]`;
    return [
      ...validateNamedPort(at, port.name ?? "", names),
      ...((port.containerPort ?? 0) === 0
        ? [fieldRequired(`${at}.containerPort`)]
        : validatePort(`${at}.containerPort`, port.containerPort)),
      ...((port.hostPort ?? 0) === 0 ? [] : validatePort(`${at}.hostPort`, port.hostPort)),
    ];
  });
}

function validateNamedPort(at: string, name: string, names: Set<string>): FieldError[] {
  if (name === "") return [];
  const errors = validatePortName(name).map((text) => fieldInvalid(`${at}.name`, name, text));
  if (errors.length > 0) return errors;
  return claimName(at, name, names);
}

function validateHostPorts(field: string, containers: readonly Container[]): FieldError[] {
  const taken = new Set<string>();
  return containers.flatMap(({ ports = [] }, index) =>
    ports.flatMap(({ hostPort = 0, protocol = "TCP", hostIP = "" }, port) => {
      if (hostPort === 0) return [];
      const key = `${protocol}/${hostIP}/${hostPort}`;
      if (taken.has(key)) return [fieldDuplicate(`${field}[${index}].ports[${port}].hostPort`, key)];
      taken.add(key);
      return [];
    }),
  );
}
