/** What is wrong with the volumes of a pod or a pod template. */
import type { KeyToPath, ProjectedVolumeSource, Volume } from "@kubewright/api/core/v1";
import { compareQuantities, parseQuantity, quantityOf } from "@kubewright/core/meta";
import {
  type FieldError,
  fieldDuplicate,
  fieldForbidden,
  fieldInvalid,
  fieldRequired,
} from "@kubewright/core/protocol";
import { validateLabelName, validateRequired } from "./fields.ts";
import { type UsableVolumes, validateDescendingPath } from "./mounts.ts";

const MODE_MAX = 0o777;

/** The errors of volumes, and those that are valid, which containers may use. */
export function validateVolumes(
  field: string,
  volumes: readonly Volume[],
): { readonly errors: FieldError[]; readonly usable: UsableVolumes } {
  const usable = new Map<string, Volume>();
  const errors = volumes.flatMap((volume, index) => {
    const at = `${field}[${index}]`;
    const found = [
      ...validateSource(at, volume),
      ...((volume.name ?? "") === "" ? [fieldRequired(`${at}.name`)] : validateLabelName(`${at}.name`, volume.name)),
      ...(usable.has(volume.name) ? [fieldDuplicate(`${at}.name`, volume.name)] : []),
    ];
    if (found.length === 0) usable.set(volume.name, volume);
    return found;
  });
  return { errors, usable };
}

function validateSource(at: string, { name: _, ...sources }: Volume): FieldError[] {
  const types = Object.entries(sources)
    .filter(([, source]) => source !== undefined && source !== null)
    .map(([type]) => type)
    .sort((a, b) => Number(b === "emptyDir") - Number(a === "emptyDir"));
  const [first, ...others] = types;
  if (first === undefined) return [fieldRequired(at, "must specify a volume type")];
  return [
    ...validateKnownSource(at, sources),
    ...others.map((type) => fieldForbidden(`${at}.${type}`, "may not specify more than 1 volume type")),
  ];
}

function validateKnownSource(at: string, sources: Omit<Volume, "name">): FieldError[] {
  const { hostPath, secret, configMap, persistentVolumeClaim, downwardAPI, projected, nfs, csi } = sources;
  const { image, ephemeral, emptyDir } = sources;
  return [
    ...(emptyDir?.sizeLimit === undefined ? [] : validateSizeLimit(`${at}.emptyDir.sizeLimit`, emptyDir.sizeLimit)),
    ...(image == null ? [] : validateRequired(`${at}.image.reference`, image.reference)),
    ...(ephemeral != null && ephemeral.volumeClaimTemplate === undefined
      ? [fieldRequired(`${at}.ephemeral.volumeClaimTemplate`)]
      : []),
    ...(hostPath === undefined ? [] : validateHostPath(`${at}.hostPath.path`, hostPath.path)),
    ...(secret === undefined
      ? []
      : [...validateRequired(`${at}.secret.secretName`, secret.secretName), ...validateFiles(`${at}.secret`, secret)]),
    ...(configMap === undefined
      ? []
      : [...validateRequired(`${at}.configMap.name`, configMap.name), ...validateFiles(`${at}.configMap`, configMap)]),
    ...(persistentVolumeClaim === undefined
      ? []
      : validateRequired(`${at}.persistentVolumeClaim.claimName`, persistentVolumeClaim.claimName)),
    ...(downwardAPI === undefined ? [] : validateMode(`${at}.downwardAPI.defaultMode`, downwardAPI.defaultMode)),
    ...(projected === undefined ? [] : validateProjected(`${at}.projected`, projected)),
    ...(nfs === undefined
      ? []
      : [...validateRequired(`${at}.nfs.server`, nfs.server), ...validateRequired(`${at}.nfs.path`, nfs.path)]),
    ...(csi === undefined ? [] : validateRequired(`${at}.csi.driver`, csi.driver)),
  ];
}

function validateSizeLimit(field: string, size: string | number): FieldError[] {
  if (compareQuantities(parseQuantity(String(size)), quantityOf(0)) >= 0) return [];
  return [fieldForbidden(field, "SizeLimit field must be a valid resource quantity")];
}

function validateHostPath(field: string, path: string): FieldError[] {
  if (path === "") return [fieldRequired(field)];
  return path.split("/").includes("..") ? [fieldInvalid(field, path, "must not contain '..'")] : [];
}

function validateProjected(field: string, { sources = [], defaultMode }: ProjectedVolumeSource): FieldError[] {
  return [
    ...validateMode(`${field}.defaultMode`, defaultMode),
    ...sources.flatMap(({ secret, configMap, serviceAccountToken }, index) => {
      const at = `${field}.sources[${index}]`;
      const given = [secret, configMap, serviceAccountToken].filter((source) => source != null);
      return [
        ...given.slice(1).map(() => fieldForbidden(at, "may not specify more than 1 volume type per source")),
        ...(secret === undefined
          ? []
          : [...validateRequired(`${at}.secret.name`, secret.name), ...validateFiles(`${at}.secret`, secret)]),
        ...(configMap === undefined
          ? []
          : [
              ...validateRequired(`${at}.configMap.name`, configMap.name),
              ...validateFiles(`${at}.configMap`, configMap),
            ]),
        ...(serviceAccountToken === undefined
          ? []
          : [
              ...((serviceAccountToken.expirationSeconds ?? 0) < 600
                ? [
                    fieldInvalid(
                      `${at}.serviceAccountToken.expirationSeconds`,
                      serviceAccountToken.expirationSeconds ?? 0,
                      "may not specify a duration less than 10 minutes",
                    ),
                  ]
                : []),
              ...validateRequired(`${field}.path`, serviceAccountToken.path),
            ]),
      ];
    }),
  ];
}

interface Files {
  readonly items?: readonly KeyToPath[];
  readonly defaultMode?: number;
}

function validateFiles(field: string, { items = [], defaultMode }: Files): FieldError[] {
  return [
    ...validateMode(`${field}.defaultMode`, defaultMode),
    ...items.flatMap(({ key, path, mode }, index) => {
      const at = `${field}.items[${index}]`;
      return [
        ...validateRequired(`${at}.key`, key),
        ...validateRequired(`${at}.path`, path),
        ...validateFilePath(`${at}.path`, path ?? ""),
        ...validateMode(`${at}.mode`, mode),
      ];
    }),
  ];
}

function validateFilePath(field: string, path: string): FieldError[] {
  const errors = validateDescendingPath(field, path);
  const isReserved = path.startsWith("..") && !path.startsWith("../");
  return isReserved ? [...errors, fieldInvalid(field, path, "must not start with '..'")] : errors;
}

function validateMode(field: string, mode: number | undefined): FieldError[] {
  if (mode === undefined || (mode >= 0 && mode <= MODE_MAX)) return [];
  return [fieldInvalid(field, mode, "must be a number between 0 and 0777 (octal), both inclusive")];
}
