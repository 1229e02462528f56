/** The volume controller: a volume is Available until a claim has it, and Released or deleted when its claim is gone. */
import { PersistentVolume, PersistentVolumeClaim } from "@kubewright/api/core/v1";
import { formatTime } from "@kubewright/core/meta";
import { type Controller, defineController, watch } from "@kubewright/runtime";
import { PROVISIONED_BY } from "./names.ts";

type Phase = NonNullable<NonNullable<PersistentVolume["status"]>["phase"]>;

/** Keeps the phase of PersistentVolumes, and deletes those that nobody needs any more. */
export const volumeController: Controller<PersistentVolume> = defineController<PersistentVolume>({
  name: "persistentvolume-binder-controller/volumes",
  for: PersistentVolume,
  watches: [
    watch(PersistentVolumeClaim, {
      predicate: ({ type }) => type === "deleted",
      map: ({ spec }) => (spec?.volumeName ? [{ name: spec.volumeName }] : []),
    }),
  ],
  async reconcile(volume, { client, cache, clock }) {
    const { name = "", namespace } = volume.spec?.claimRef ?? {};
    const claim = name === "" ? undefined : cache.get(PersistentVolumeClaim, { name, namespace });
    const phase = phaseOf(volume, claim);
    if (phase !== volume.status?.phase) {
      const status = { phase, lastPhaseTransitionTime: formatTime(clock.now()) };
      await client.patch(PersistentVolume, volume, { merge: { status } }, { subresource: "status" });
    }
    if (phase === "Released" && isDisposable(volume)) await client.delete(PersistentVolume, volume);
  },
});

/** A volume that is reserved for a claim still to come is available to it alone. */
export function phaseOf({ spec, status }: PersistentVolume, claim: PersistentVolumeClaim | undefined): Phase {
  const uid = spec?.claimRef?.uid;
  if (uid === undefined) return "Available";
  if (claim?.metadata?.uid !== uid) return "Released";
  return claim.status?.phase === "Bound" || status?.phase === "Bound" ? "Bound" : "Available";
}

/** What is behind a volume that a person made is not the provisioner's to delete. */
function isDisposable({ spec, metadata }: PersistentVolume): boolean {
  return spec?.persistentVolumeReclaimPolicy === "Delete" && metadata?.annotations?.[PROVISIONED_BY] !== undefined;
}
