/** Reserves volumes for claims: the binder and the scheduler both do. Pure. */
import type { PersistentVolume, PersistentVolumeClaim } from "@kubewright/api/core/v1";
import { isReservedFor } from "./match.ts";
import { BOUND_BY_CONTROLLER } from "./names.ts";

/** The volume with the claim in it, unless it is another's. */
export function reserved(volume: PersistentVolume, claim: PersistentVolumeClaim): PersistentVolume {
  const { name = "", namespace = "", uid = "", resourceVersion = "" } = claim.metadata ?? {};
  const before = volume.spec?.claimRef;
  if (before?.uid === uid || (before !== undefined && !isReservedFor(volume, claim))) return volume;
  const mark = before === undefined ? { [BOUND_BY_CONTROLLER]: "yes" } : {};
  return {
    ...volume,
    metadata: { ...volume.metadata, annotations: { ...volume.metadata?.annotations, ...mark } },
    spec: {
      ...volume.spec,
      claimRef: { apiVersion: "v1", kind: "PersistentVolumeClaim", name, namespace, uid, resourceVersion },
    },
  };
}
