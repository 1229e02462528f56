/** Which pods use which claims: by name, or made for the pod from a template. Pure. */
import type { PersistentVolumeClaim, Pod } from "@kubewright/api/core/v1";
import type { ObjectKey } from "@kubewright/runtime";

/** The claims that a pod uses. */
export function claimsOf(pod: Pod): readonly ObjectKey[] {
  const { name: podName, namespace } = pod.metadata ?? {};
  return (pod.spec?.volumes ?? []).flatMap(({ name, persistentVolumeClaim, ephemeral }) => {
    const claim = persistentVolumeClaim?.claimName ?? (ephemeral === undefined ? undefined : `${podName}-${name}`);
    return claim === undefined ? [] : [{ name: claim, namespace }];
  });
}

/** True when the pod uses the claim. */
export function isUsedBy(claim: PersistentVolumeClaim, pod: Pod): boolean {
  return (
    pod.metadata?.namespace === claim.metadata?.namespace &&
    claimsOf(pod).some(({ name }) => name === claim.metadata?.name)
  );
}
