/** What claims and volumes are warned about: annotations and sources from before, sizes that are no whole bytes. */
import type { PersistentVolume, PersistentVolumeClaim } from "@kubewright/api/core/v1";
import { parseQuantity, quantityToBigint } from "@kubewright/core/meta";
import type { ApiObject } from "../../resource/object.ts";

const CLASS_ANNOTATION = "volume.beta.kubernetes.io/storage-class";
const DEPRECATED_ANNOTATIONS: Readonly<Record<string, string>> = {
  [CLASS_ANNOTATION]: 'deprecated since v1.8; use "storageClassName" attribute instead',
  "volume.beta.kubernetes.io/mount-options": 'deprecated since v1.31; use "mountOptions" attribute instead',
};

/** Sources that nothing serves any more, by the name under which they are told. */
const DEPRECATED_SOURCES: readonly (readonly [keyof NonNullable<PersistentVolume["spec"]>, string, string])[] = [
  ["cephfs", "cephfs", "deprecated in v1.28, non-functional in v1.31+"],
  ["photonPersistentDisk", "photonPersistentDisk", "deprecated in v1.11, non-functional in v1.16+"],
  ["scaleIO", "scaleIO", "deprecated in v1.16, non-functional in v1.22+"],
  ["storageos", "storageOS", "deprecated in v1.22, non-functional in v1.25+"],
  ["glusterfs", "glusterfs", "deprecated in v1.25, non-functional in v1.26+"],
  ["rbd", "rbd", "deprecated in v1.28, non-functional in v1.31+"],
];

/** About a claim. */
export function claimWarnings(object: ApiObject): readonly string[] {
  const { requests, limits } = (object as unknown as PersistentVolumeClaim).spec?.resources ?? {};
  return [
    ...annotationWarnings(object, [CLASS_ANNOTATION]),
    ...fractionWarning("spec.resources.requests[storage]", requests?.["storage"]),
    ...fractionWarning("spec.resources.limits[storage]", limits?.["storage"]),
  ];
}

/** About a volume. */
export function volumeWarnings(object: ApiObject): readonly string[] {
  const spec = (object as unknown as PersistentVolume).spec ?? {};
  const recycles = spec.persistentVolumeReclaimPolicy === "Recycle";
  return [
    ...annotationWarnings(object, Object.keys(DEPRECATED_ANNOTATIONS)),
    ...(recycles
      ? [
          "spec.persistentVolumeReclaimPolicy: The Recycle reclaim policy is deprecated. Instead, the recommended approach is to use dynamic provisioning.",
        ]
      : []),
    ...DEPRECATED_SOURCES.flatMap(([source, name, why]) => (spec[source] == null ? [] : [`spec.${name}: ${why}`])),
  ];
}

function annotationWarnings({ metadata }: ApiObject, names: readonly string[]): readonly string[] {
  return names
    .filter((name) => Object.hasOwn(metadata.annotations ?? {}, name))
    .map((name) => `metadata.annotations[${name}]: ${DEPRECATED_ANNOTATIONS[name]}`);
}

function fractionWarning(field: string, size: string | number | undefined): readonly string[] {
  if (size === undefined) return [];
  const isWhole = quantityToBigint(parseQuantity(String(size)), -3) % 1000n === 0n;
  return isWhole ? [] : [`${field}: fractional byte value "${size}" is invalid, must be an integer`];
}
