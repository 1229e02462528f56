/** Who owns the claims of a StatefulSet's pods: nobody, the set, or a pod that is scaled away, as its policy says. Pure. */
import type { StatefulSet } from "@kubewright/api/apps/v1";
import type { PersistentVolumeClaim, Pod } from "@kubewright/api/core/v1";
import { getControllerOf, type OwnerReference, setController } from "@kubewright/core/meta";

/** The claim as its retention policy wants it; the same claim when nothing changes. */
export function withRetention(
  claim: PersistentVolumeClaim,
  set: StatefulSet,
  pod: { readonly object: Pod | undefined; readonly condemned: boolean },
): PersistentVolumeClaim {
  const policy = set.spec?.persistentVolumeClaimRetentionPolicy;
  const ours = [ownerId("StatefulSet", set.metadata?.name), ownerId("Pod", pod.object?.metadata?.name)];
  const before = claim.metadata?.ownerReferences ?? [];
  const others = before.filter((reference) => !ours.includes(ownerId(reference.kind, reference.name)));
  const bare: PersistentVolumeClaim = { ...claim, metadata: { ...claim.metadata, ownerReferences: others } };
  const owner = ownerOf(set, pod, policy);
  const next = owner === undefined || getControllerOf(bare) !== undefined ? bare : setController(bare, owner);
  return sameOwners(before, next.metadata?.ownerReferences ?? []) ? claim : next;
}

function ownerOf(
  set: StatefulSet,
  pod: { readonly object: Pod | undefined; readonly condemned: boolean },
  policy: NonNullable<StatefulSet["spec"]>["persistentVolumeClaimRetentionPolicy"],
): StatefulSet | Pod | undefined {
  if (pod.condemned && policy?.whenScaled === "Delete") return pod.object;
  const withSet = policy?.whenDeleted === "Delete" && !(pod.condemned && policy.whenScaled === "Delete");
  return withSet ? set : undefined;
}

function ownerId(kind: string, name: string | undefined): string {
  return `${kind} ${name}`;
}

function sameOwners(left: readonly OwnerReference[], right: readonly OwnerReference[]): boolean {
  return left.length === right.length && left.every(({ uid }, index) => uid === right[index]?.uid);
}
