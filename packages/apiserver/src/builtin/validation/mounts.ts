/** What is wrong with the volumes that a container mounts, or uses as devices. */
import type { Container, EphemeralContainer, Volume, VolumeDevice, VolumeMount } from "@kubewright/api/core/v1";
import { type FieldError, fieldForbidden, fieldInvalid, fieldNotFound } from "@kubewright/core/protocol";
import { validateRequired } from "./fields.ts";

/** The volumes that containers may use, by name; those of a kind's own claims have no source here. */
export type UsableVolumes = ReadonlyMap<string, Volume | undefined>;

type AnyContainer = Container | EphemeralContainer;

/** The mounts of a container. */
export function validateMounts(field: string, container: AnyContainer, volumes: UsableVolumes): FieldError[] {
  const { volumeMounts, volumeDevices } = container;
  const paths = new Set<string>();
  return (volumeMounts ?? []).flatMap((mount, index) => {
    const at = `${field}[${index}]`;
    const { name = "", mountPath = "" } = mount;
    const isRepeated = paths.has(mountPath);
    paths.add(mountPath);
    return [
      ...validateRequired(`${at}.name`, name),
      ...(volumes.has(name) ? [] : [fieldNotFound(`${at}.name`, name)]),
      ...validateRequired(`${at}.mountPath`, mountPath),
      ...(isRepeated ? [fieldInvalid(`${at}.mountPath`, mountPath, "must be unique")] : []),
      ...validateNoDevice(at, mount, volumeDevices ?? []),
      ...validateSubPaths(field, at, mount),
      ...validatePropagation(`${field}.mountPropagation`, mount, container),
      ...validateRecursiveReadOnly(`${field}.recursiveReadOnly`, mount),
    ];
  });
}

function validateNoDevice(
  at: string,
  { name, mountPath }: VolumeMount,
  devices: readonly VolumeDevice[],
): FieldError[] {
  const isPath = devices.some(({ devicePath }) => devicePath === mountPath);
  return [
    ...(devices.some((device) => device.name === name)
      ? [fieldInvalid(`${at}.name`, name, "must not already exist in volumeDevices")]
      : []),
    ...(isPath
      ? [fieldInvalid(`${at}.mountPath`, mountPath, "must not already exist as a path in volumeDevices")]
      : []),
  ];
}

/** Kubernetes names the list in these, not the mount. */
function validateSubPaths(field: string, at: string, { subPath = "", subPathExpr = "" }: VolumeMount): FieldError[] {
  return [
    ...(subPath === "" ? [] : validateDescendingPath(`${field}.subPath`, subPath)),
    ...(subPathExpr !== "" && subPath !== ""
      ? [fieldInvalid(`${at}.subPathExpr`, subPathExpr, "subPathExpr and subPath are mutually exclusive")]
      : []),
    ...(subPathExpr === "" ? [] : validateDescendingPath(`${field}.subPathExpr`, subPathExpr)),
  ];
}

function validatePropagation(field: string, mount: VolumeMount, { securityContext }: AnyContainer): FieldError[] {
  if (mount.mountPropagation !== "Bidirectional" || securityContext?.privileged === true) return [];
  return [fieldForbidden(field, "Bidirectional mount propagation is available only to privileged containers")];
}

function validateRecursiveReadOnly(field: string, mount: VolumeMount): FieldError[] {
  const { recursiveReadOnly, readOnly, mountPropagation = "None" } = mount;
  if (recursiveReadOnly !== "Enabled" && recursiveReadOnly !== "IfPossible") return [];
  return [
    ...(readOnly === true ? [] : [fieldForbidden(field, "may only be specified when readOnly is true")]),
    ...(mountPropagation === "None"
      ? []
      : [fieldForbidden(field, "may only be specified when mountPropagation is None or not specified")]),
  ];
}

/** The devices of a container: claims, by themselves. */
export function validateDevices(field: string, container: AnyContainer, volumes: UsableVolumes): FieldError[] {
  const { volumeDevices, volumeMounts } = container;
  const [names, paths] = [new Set<string>(), new Set<string>()];
  return (volumeDevices ?? []).flatMap(({ name = "", devicePath = "" }, index) => {
    const at = `${field}[${index}]`;
    const climbs = devicePath.split("/").includes("..");
    const errors = [
      ...validateRequired(`${at}.name`, name),
      ...(names.has(name) ? [fieldInvalid(`${at}.name`, name, "must be unique")] : []),
      ...validateDeviceVolume(`${at}.name`, name, volumes),
      ...validateRequired(`${at}.devicePath`, devicePath),
      ...(paths.has(devicePath) ? [fieldInvalid(`${at}.devicePath`, devicePath, "must be unique")] : []),
      ...(climbs ? [fieldInvalid(`${at}.devicePath`, devicePath, "can not contain backsteps ('..')")] : []),
      ...validateNoMount(at, { name, devicePath }, volumeMounts ?? []),
    ];
    if (name !== "") names.add(name);
    if (!climbs) paths.add(devicePath);
    return errors;
  });
}

function validateDeviceVolume(field: string, name: string, volumes: UsableVolumes): FieldError[] {
  if (!volumes.has(name)) return [fieldNotFound(field, name)];
  const volume = volumes.get(name);
  const isClaim = volume === undefined || volume.persistentVolumeClaim != null || volume.ephemeral != null;
  const why = "can only use volume source type of PersistentVolumeClaim or Ephemeral for block mode";
  return isClaim ? [] : [fieldInvalid(field, name, why)];
}

function validateNoMount(at: string, { name, devicePath }: VolumeDevice, mounts: readonly VolumeMount[]): FieldError[] {
  const isPath = mounts.some(({ mountPath }) => mountPath === devicePath);
  return [
    ...(mounts.some((mount) => mount.name === name)
      ? [fieldInvalid(`${at}.name`, name, "must not already exist in volumeMounts")]
      : []),
    ...(isPath
      ? [fieldInvalid(`${at}.devicePath`, devicePath, "must not already exist as a path in volumeMounts")]
      : []),
  ];
}

/** A path below some folder: neither absolute nor climbing out. */
export function validateDescendingPath(field: string, path: string): FieldError[] {
  return [
    ...(path.startsWith("/") ? [fieldInvalid(field, path, "must be a relative path")] : []),
    ...(path.split("/").includes("..") ? [fieldInvalid(field, path, "must not contain '..'")] : []),
  ];
}
