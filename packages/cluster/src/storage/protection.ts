/** Protection: a claim that a pod uses, and a volume that a claim is bound to, stay until they are free. */
import { PersistentVolume, PersistentVolumeClaim, Pod } from "@kubewright/api/core/v1";
import type { KubernetesObject, ResourceDefinition } from "@kubewright/core/meta";
import { isNotFound } from "@kubewright/core/protocol";
import { type Client, type Controller, defineController, watch } from "@kubewright/runtime";
import { isPodFinished } from "../workload/pod-state.ts";
import { claimsOf, isUsedBy } from "./consumers.ts";
import { CLAIM_PROTECTION, VOLUME_PROTECTION } from "./names.ts";

/** Keeps the finalizer of claims while pods use them. */
export const claimProtection: Controller<PersistentVolumeClaim> = defineController<PersistentVolumeClaim>({
  name: "persistentvolumeclaim-protection-controller",
  for: PersistentVolumeClaim,
  reconcilesDeleting: true,
  watches: [
    watch(Pod, {
      map: claimsOf,
      predicate: ({ type, object }) => type === "deleted" || isPodFinished(object),
    }),
  ],
  async reconcile(claim, { client, cache }) {
    const pods = cache.list(Pod, { namespace: claim.metadata?.namespace });
    const isUsed = pods.some((pod) => !isPodFinished(pod) && Boolean(pod.spec?.nodeName) && isUsedBy(claim, pod));
    await protect(client, PersistentVolumeClaim, claim, { finalizer: CLAIM_PROTECTION, isUsed });
  },
});

/** Keeps the finalizer of volumes while claims are bound to them. */
export const volumeProtection: Controller<PersistentVolume> = defineController<PersistentVolume>({
  name: "persistentvolume-protection-controller",
  for: PersistentVolume,
  reconcilesDeleting: true,
  async reconcile(volume, { client }) {
    const isUsed = volume.status?.phase === "Bound";
    await protect(client, PersistentVolume, volume, { finalizer: VOLUME_PROTECTION, isUsed });
  },
});

/** Whatever is not being deleted has the finalizer; what is loses it as soon as nobody uses it. */
export async function protect<Kind extends KubernetesObject>(
  client: Client,
  definition: ResourceDefinition<Kind, unknown>,
  object: Kind,
  use: { readonly finalizer: string; readonly isUsed: boolean },
): Promise<void> {
  if (withProtection(object, use) === object) return;
  try {
    await client.modify(definition, object, (current) => withProtection(current, use));
  } catch (error) {
    if (!isNotFound(error)) throw error;
  }
}

function withProtection<Kind extends KubernetesObject>(
  object: Kind,
  { finalizer, isUsed }: { readonly finalizer: string; readonly isUsed: boolean },
): Kind {
  const { deletionTimestamp, finalizers = [] } = object.metadata ?? {};
  const isHeld = finalizers.includes(finalizer);
  const isDeleted = deletionTimestamp !== undefined;
  if (isDeleted ? !isHeld || isUsed : isHeld) return object;
  const next = isDeleted ? finalizers.filter((name) => name !== finalizer) : [...finalizers, finalizer];
  return { ...object, metadata: { ...object.metadata, finalizers: next } };
}
