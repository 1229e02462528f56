/** What is wrong with the containers of a pod or a pod template. */
import type { Container, ContainerPort, EphemeralContainer, PodSpec, VolumeMount } from "@kubewright/api/core/v1";
import {
  type FieldError,
  fieldDuplicate,
  fieldForbidden,
  fieldInvalid,
  fieldNotFound,
  fieldRequired,
} from "@kubewright/core/protocol";
import { validateEnvironment, validateEnvironmentSources } from "./environment.ts";
import { asJson, validateLabelName, validatePort, validateRequired } from "./fields.ts";
import { validatePortName } from "./ports.ts";
import { validateLifecycle, validateProbes } from "./probes.ts";
import { validateResources } from "./resources.ts";

/** The volumes that containers may mount: names and whether they are claims. */
export type VolumeNames = ReadonlySet<string>;

/** All containers of a pod spec; `volumes` are the names of its valid volumes. */
export function validateContainers(field: string, spec: PodSpec, volumes: VolumeNames): FieldError[] {
  return [
    ...validateRegular(`${field}.containers`, spec, volumes),
    ...validateInit(`${field}.initContainers`, spec, volumes),
    ...validateEphemeral(`${field}.ephemeralContainers`, spec, volumes),
  ];
}

function validateRegular(field: string, spec: PodSpec, volumes: VolumeNames): FieldError[] {
  const { containers = [], terminationGracePeriodSeconds: graceSeconds } = spec;
  if (containers.length === 0) return [fieldRequired(field)];
  const names = new Set<string>();
  const errors = containers.flatMap((container, index) => {
    const at = `${field}[${index}]`;
    return [
      ...validateContainer(at, container, volumes),
      ...claimName(at, container.name, names),
      ...validateLifecycle(`${at}.lifecycle`, container.lifecycle, graceSeconds),
      ...validateProbes(at, container),
    ];
  });
  return [...errors, ...validateHostPorts(field, containers)];
}

function validateInit(field: string, spec: PodSpec, volumes: VolumeNames): FieldError[] {
  const names = new Set((spec.containers ?? []).map(({ name }) => name));
  return (spec.initContainers ?? []).flatMap((container, index) => {
    const at = `${field}[${index}]`;
    return [
      ...validateContainer(at, container, volumes),
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

function validateEphemeral(field: string, spec: PodSpec, volumes: VolumeNames): FieldError[] {
  const others = new Set([...(spec.containers ?? []), ...(spec.initContainers ?? [])].map(({ name }) => name));
  const names = new Set(others);
  return (spec.ephemeralContainers ?? []).flatMap((container, index) => {
    const at = `${field}[${index}]`;
    const target = container.targetContainerName ?? "";
    return [
      ...validateContainer(at, container, volumes),
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

function validateContainer(at: string, container: Container | EphemeralContainer, volumes: VolumeNames): FieldError[] {
  const { name = "" } = container;
  return [
    ...(name === "" ? [fieldRequired(`${at}.name`)] : validateLabelName(`${at}.name`, name)),
    ...validateRequired(`${at}.image`, container.image),
    ...validatePorts(`${at}.ports`, container.ports ?? []),
    ...validateEnvironment(`${at}.env`, container.env ?? []),
    ...validateEnvironmentSources(`${at}.envFrom`, container.envFrom ?? []),
    ...validateMounts(`${at}.volumeMounts`, container.volumeMounts ?? [], volumes),
    ...validateResources(`${at}.resources`, container.resources ?? {}),
    ...validateSecurity(`${at}.securityContext`, container),
  ];
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

function validateMounts(field: string, mounts: readonly VolumeMount[], volumes: VolumeNames): FieldError[] {
  const paths = new Set<string>();
  return mounts.flatMap((mount, index) => {
    const at = `${field}[${index}]`;
    const { name = "", mountPath = "", subPath = "", subPathExpr = "" } = mount;
    const repeated = paths.has(mountPath);
    paths.add(mountPath);
    return [
      ...validateRequired(`${at}.name`, name),
      ...(volumes.has(name) ? [] : [fieldNotFound(`${at}.name`, name)]),
      ...validateRequired(`${at}.mountPath`, mountPath),
      ...(repeated ? [fieldInvalid(`${at}.mountPath`, mountPath, "must be unique")] : []),
      ...(subPath === "" ? [] : validateDescendingPath(`${field}.subPath`, subPath)),
      ...(subPathExpr !== "" && subPath !== ""
        ? [fieldInvalid(`${at}.subPathExpr`, subPathExpr, "subPathExpr and subPath are mutually exclusive")]
        : []),
    ];
  });
}

/** A path below some folder: neither absolute nor climbing out. */
export function validateDescendingPath(field: string, path: string): FieldError[] {
  return [
    ...(path.startsWith("/") ? [fieldInvalid(field, path, "must be a relative path")] : []),
    ...(path.split("/").includes("..") ? [fieldInvalid(field, path, "must not contain '..'")] : []),
  ];
}

function validateSecurity(field: string, { securityContext }: Container | EphemeralContainer): FieldError[] {
  if (securityContext === undefined) return [];
  const { privileged, allowPrivilegeEscalation, capabilities, runAsUser, runAsGroup } = securityContext;
  const errors = [...validateId(`${field}.runAsUser`, runAsUser), ...validateId(`${field}.runAsGroup`, runAsGroup)];
  if (allowPrivilegeEscalation !== false) return errors;
  const why = "cannot set `allowPrivilegeEscalation` to false and ";
  if (privileged === true) {
    errors.push(fieldInvalid(field, asJson(securityContext), `${why}\`privileged\` to true`));
  }
  if ((capabilities?.add ?? []).includes("CAP_SYS_ADMIN")) {
    errors.push(fieldInvalid(field, asJson(securityContext), `${why}\`capabilities.Add\` CAP_SYS_ADMIN`));
  }
  return errors;
}

const ID_MAX = 2_147_483_647;

/** A numeric user or group. */
export function validateId(field: string, id: number | undefined): FieldError[] {
  if (id === undefined || (id >= 0 && id <= ID_MAX)) return [];
  return [fieldInvalid(field, id, `must be between 0 and ${ID_MAX}, inclusive`)];
}
