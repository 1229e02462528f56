/** Which volume suits a claim: the smallest that fulfils all it asks for. Pure; claim-plan.ts uses it. */
import type { PersistentVolume, PersistentVolumeClaim } from "@kubewright/api/core/v1";
import { compareQuantities, parseQuantity, type Quantity, selectorMatches } from "@kubewright/core/meta";

/** The volume to bind the claim to: one that is reserved for it, or else the smallest free one that suits. */
export function findVolume(
  claim: PersistentVolumeClaim,
  volumes: readonly PersistentVolume[],
): PersistentVolume | undefined {
  const reserved = findReserved(claim, volumes);
  if (reserved !== undefined) return reserved;
  const [smallest] = volumes
    .filter((volume) => volume.metadata?.deletionTimestamp === undefined)
    .filter((volume) => volume.spec?.claimRef === undefined && volume.status?.phase === "Available")
    .filter((volume) => suits(claim, volume))
    .toSorted((left, right) => compareQuantities(sizeOf(left), sizeOf(right)));
  return smallest;
}

/** The volume that names the claim. */
export function findReserved(
  claim: PersistentVolumeClaim,
  volumes: readonly PersistentVolume[],
): PersistentVolume | undefined {
  return volumes.find(
    (volume) =>
      volume.metadata?.deletionTimestamp === undefined &&
      volume.spec?.claimRef !== undefined &&
      isReservedFor(volume, claim),
  );
}

/** True when the volume names the claim, by uid where it knows one. */
export function isReservedFor({ spec }: PersistentVolume, { metadata }: PersistentVolumeClaim): boolean {
  const { name, namespace, uid } = spec?.claimRef ?? {};
  return name === metadata?.name && namespace === metadata?.namespace && (uid === undefined || uid === metadata?.uid);
}

/** True when the volume has everything that the claim asks for. */
export function suits({ spec }: PersistentVolumeClaim, volume: PersistentVolume): boolean {
  const modes = volume.spec?.accessModes ?? [];
  return (
    (spec?.storageClassName ?? "") === (volume.spec?.storageClassName ?? "") &&
    (spec?.volumeMode ?? "Filesystem") === (volume.spec?.volumeMode ?? "Filesystem") &&
    (spec?.accessModes ?? []).every((mode) => modes.includes(mode)) &&
    (spec?.selector === undefined || selectorMatches(spec.selector, volume.metadata?.labels)) &&
    compareQuantities(sizeOf(volume), parseQuantity(spec?.resources?.requests?.["storage"] ?? "0")) >= 0
  );
}

function sizeOf({ spec }: PersistentVolume): Quantity {
  return parseQuantity(spec?.capacity?.["storage"] ?? "0");
}
