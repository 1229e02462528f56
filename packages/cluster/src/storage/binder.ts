/**
 * The binder of claims: finds or makes a volume for each, and writes the binding on both sides. claim-plan.ts decides. Volumes
 * are simulated: a provisioner of any name makes one at once.
 */
import { PersistentVolume, PersistentVolumeClaim, Pod } from "@kubewright/api/core/v1";
import { StorageClass } from "@kubewright/api/storage/v1";
import { formatTime } from "@kubewright/core/meta";
import {
  type Controller,
  defineController,
  type ObjectKey,
  type ReconcileContext,
  type WatchContext,
  watch,
} from "@kubewright/runtime";
import { createUnlessThere } from "../workload/create-unless-there.ts";
import { type ClaimAction, planClaim } from "./claim-plan.ts";
import { claimsOf, isUsedBy } from "./consumers.ts";
import { BETA_STORAGE_PROVISIONER, BIND_COMPLETED, BOUND_BY_CONTROLLER, STORAGE_PROVISIONER } from "./names.ts";
import { provisionedVolume } from "./provision.ts";
import { reserved } from "./reserve.ts";

/** Keeps the binding of PersistentVolumeClaims. */
export const claimBinder: Controller<PersistentVolumeClaim> = defineController<PersistentVolumeClaim>({
  name: "persistentvolume-binder-controller",
  for: PersistentVolumeClaim,
  crossNamespace: true, // Volumes are in no namespace.
  concurrency: 1, // One volume is not given to two claims.
  watches: [
    watch(PersistentVolume, { map: claimsForVolume }),
    watch(StorageClass, { map: pendingClaims, predicate: ({ type }) => type !== "deleted" }),
    watch(Pod, { map: claimsOf, predicate: ({ type }) => type === "added" }),
  ],
  async reconcile(claim, context) {
    const { cache } = context;
    const action = planClaim({
      claim,
      volumes: cache.list(PersistentVolume),
      classes: cache.list(StorageClass),
      waitingPods: () =>
        cache
          .list(Pod, { namespace: claim.metadata?.namespace })
          .filter((pod) => !pod.spec?.nodeName && isUsedBy(claim, pod))
          .map(({ metadata }) => metadata?.name ?? ""),
    });
    await perform(claim, action, context);
  },
});

/** A volume or class that changes may be what waiting claims waited for. */
function pendingClaims(_: unknown, { cache }: WatchContext): readonly ObjectKey[] {
  return cache
    .list(PersistentVolumeClaim)
    .filter(({ status }) => status?.phase !== "Bound")
    .map(({ metadata }) => ({ name: metadata?.name ?? "", namespace: metadata?.namespace }));
}

/** The claim of a volume hears of it in any case. */
function claimsForVolume(volume: PersistentVolume, context: WatchContext): readonly ObjectKey[] {
  const { name = "", namespace } = volume.spec?.claimRef ?? {};
  return name === "" ? pendingClaims(volume, context) : [{ name, namespace }];
}

async function perform(claim: PersistentVolumeClaim, action: ClaimAction, context: ReconcileContext): Promise<void> {
  const { client, events } = context;
  switch (action.do) {
    case "nothing":
      return;
    case "set-class":
      await client.patch(PersistentVolumeClaim, claim, { merge: { spec: { storageClassName: action.name } } });
      return;
    case "bind":
      return bind(claim, action.volume, context);
    case "provision":
      return provision(claim, action.storageClass, context);
    case "lose":
      await writePhase(claim, { phase: "Lost" }, context);
      events.warning(action.reason, action.message);
      return;
    case "wait":
      if (claim.status?.phase !== "Pending") await writePhase(claim, { phase: "Pending" }, context);
      events[action.type === "Normal" ? "normal" : "warning"](action.reason, action.message);
  }
}

async function provision(
  claim: PersistentVolumeClaim,
  storageClass: StorageClass,
  context: ReconcileContext,
): Promise<void> {
  const { client, events } = context;
  const annotated = await client.patch(PersistentVolumeClaim, claim, {
    merge: { metadata: { annotations: provisionedBy(storageClass) } },
  });
  const volume = provisionedVolume(claim, storageClass);
  await createUnlessThere(client, PersistentVolume, volume);
  events.normal("ProvisioningSucceeded", `Successfully provisioned volume ${volume.metadata?.name}`);
  await bind(annotated, await client.get(PersistentVolume, volume.metadata?.name ?? ""), context);
}

function provisionedBy({ provisioner }: StorageClass): Readonly<Record<string, string>> {
  return { [BETA_STORAGE_PROVISIONER]: provisioner, [STORAGE_PROVISIONER]: provisioner };
}

/** First the volume, so that no other claim takes it; then the claim. */
async function bind(claim: PersistentVolumeClaim, volume: PersistentVolume, context: ReconcileContext): Promise<void> {
  const { client, clock } = context;
  const bound = await client.modify(PersistentVolume, volume, (current) => reserved(current, claim));
  if (bound.spec?.claimRef?.uid !== claim.metadata?.uid) return; // Another claim was faster, and this one is told of it.
  if (bound.status?.phase !== "Bound") {
    const status = { phase: "Bound", lastPhaseTransitionTime: formatTime(clock.now()) };
    await client.patch(PersistentVolume, bound, { merge: { status } }, { subresource: "status" });
  }
  const volumeName = bound.metadata?.name ?? "";
  const chosen = claim.spec?.volumeName ? {} : { [BOUND_BY_CONTROLLER]: "yes" };
  const annotations = { [BIND_COMPLETED]: "yes", ...chosen };
  const named = await client.patch(PersistentVolumeClaim, claim, {
    merge: { metadata: { annotations }, spec: { volumeName } },
  });
  const { accessModes, capacity } = bound.spec ?? {};
  await writePhase(named, { phase: "Bound", accessModes, capacity }, context);
}

async function writePhase(claim: PersistentVolumeClaim, status: object, { client }: ReconcileContext): Promise<void> {
  const metadata = { uid: claim.metadata?.uid };
  await client.patch(PersistentVolumeClaim, claim, { merge: { metadata, status } }, { subresource: "status" });
}
