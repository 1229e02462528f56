/** The volume that the simulated provisioner makes for a claim. Pure. */
import type { PersistentVolume, PersistentVolumeClaim } from "@kubewright/api/core/v1";
import type { StorageClass } from "@kubewright/api/storage/v1";
import { PROVISIONED_BY, VOLUME_PROTECTION } from "./names.ts";

/** A volume of just the size that is asked for, reserved for the claim. */
export function provisionedVolume(claim: PersistentVolumeClaim, storageClass: StorageClass): PersistentVolume {
  const { name = "", namespace = "", uid = "", resourceVersion = "" } = claim.metadata ?? {};
  const volumeName = `pvc-${uid}`;
  const { provisioner, reclaimPolicy = "Delete", mountOptions } = storageClass;
  return {
    apiVersion: "v1",
    kind: "PersistentVolume",
    metadata: {
      name: volumeName,
      annotations: { [PROVISIONED_BY]: provisioner },
      finalizers: [VOLUME_PROTECTION],
    },
    spec: {
      accessModes: claim.spec?.accessModes ?? ["ReadWriteOnce"],
      capacity: { storage: claim.spec?.resources?.requests?.["storage"] ?? "0" },
      claimRef: { apiVersion: "v1", kind: "PersistentVolumeClaim", name, namespace, uid, resourceVersion },
      csi: { driver: provisioner, volumeHandle: volumeName },
      persistentVolumeReclaimPolicy: reclaimPolicy,
      storageClassName: storageClass.metadata?.name ?? "",
      volumeMode: claim.spec?.volumeMode ?? "Filesystem",
      ...(mountOptions === undefined ? {} : { mountOptions }),
    },
  };
}
