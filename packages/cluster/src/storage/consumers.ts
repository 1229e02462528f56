/** Which pods use which claims: by name, or made for the pod from a template. Pure. */
import type { PersistentVolumeClaim, PersistentVolumeClaimTemplate, Pod, Volume } from "@kubewright/api/core/v1";
import type { ObjectKey } from "@kubewright/runtime";

/** The claims that a pod uses. */
export function claimsOf(pod: Pod): readonly ObjectKey[] {
  const { namespace } = pod.metadata ?? {};
  return (pod.spec?.volumes ?? []).flatMap((volume) => {
    const name = claimOf(pod, volume);
    return name === undefined ? [] : [{ name, namespace }];
  });
}

/** The name of the claim behind a volume of a pod; undefined for volumes of other kinds. */
export function claimOf({ metadata }: Pod, { name, persistentVolumeClaim, ephemeral }: Volume): string | undefined {
  return persistentVolumeClaim?.claimName ?? (ephemeral === undefined ? undefined : `${metadata?.name}-${name}`);
}

/** True when the pod uses the claim. */
export function isUsedBy(claim: PersistentVolumeClaim, pod: Pod): boolean {
  return (
    pod.metadata?.namespace === claim.metadata?.namespace &&
    claimsOf(pod).some(({ name }) => name === claim.metadata?.name)
  );
}

/** A claim that a pod brings along. */
export interface EphemeralClaim {
  readonly name: string;
  /** The name of the volume in the pod. */
  readonly volume: string;
  readonly template: PersistentVolumeClaimTemplate | undefined;
}

/** The claims that are made for the pod alone. */
export function ephemeralClaims({ metadata, spec }: Pod): readonly EphemeralClaim[] {
  return (spec?.volumes ?? []).flatMap(({ name, ephemeral }) =>
    ephemeral === undefined
      ? []
      : [{ name: `${metadata?.name}-${name}`, volume: name, template: ephemeral.volumeClaimTemplate }],
  );
}

/** Why a claim under the name of one that the pod brings along is not it; undefined when it is. */
export function whyNotFor(pod: Pod, claim: PersistentVolumeClaim): string | undefined {
  const { name, namespace, uid } = pod.metadata ?? {};
  const isOwn = claim.metadata?.ownerReferences?.some((owner) => owner.controller && owner.uid === uid);
  if (isOwn) return undefined;
  return `PVC ${namespace}/${claim.metadata?.name} was not created for pod ${namespace}/${name} (pod is not owner)`;
}
