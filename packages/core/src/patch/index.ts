/** `@kubewright/core/patch`: JSON patch, merge patch, strategic merge patch and server-side apply on plain values. */
export { ignoreTimestampChanges } from "./apply/object-managed-fields.ts";
export type { OwnershipOptions } from "./apply/ownership-request.ts";
export {
  fromScaleManagedFields,
  type ReplicasPaths,
  type ScaleMerge,
  toScaleManagedFields,
} from "./apply/scale-fields.ts";
export { type ApplyOptions, applyServerSide } from "./apply/server-side-apply.ts";
export { type TrackOptions, trackFieldOwnership } from "./apply/track-ownership.ts";
export { trackWrites } from "./apply/track-writes.ts";
export type { VersionConverter } from "./apply/typed-object.ts";
export { goFormat } from "./go-format.ts";
export { applyJsonPatch } from "./json-patch.ts";
export { applyMergePatch, createMergePatch } from "./merge-patch.ts";
export { applyStrategicMergePatch } from "./strategic-merge.ts";
