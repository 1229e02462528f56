/**
 * Says where claims that waited for their first consumer get their volumes: a volume that is there is reserved, another one
 * is asked for. The binder does the rest, and the pod gets its node when all are bound. volume-needs.ts decides.
 */
import { PersistentVolume, PersistentVolumeClaim } from "@kubewright/api/core/v1";
import type { ReconcileContext } from "@kubewright/runtime";
import { SELECTED_NODE } from "../storage/names.ts";
import { reserved } from "../storage/reserve.ts";
import type { ClaimPlace } from "./volume-needs.ts";

/** Tells the binder of all places on a node. */
export async function placeClaims(
  places: readonly ClaimPlace[],
  node: string,
  { client }: ReconcileContext,
): Promise<void> {
  for (const { claim, volume } of places) {
    if (volume !== undefined) await client.modify(PersistentVolume, volume, (current) => reserved(current, claim));
    else if (claim.metadata?.annotations?.[SELECTED_NODE] === undefined) {
      const annotations = { [SELECTED_NODE]: node };
      await client.patch(PersistentVolumeClaim, claim, { merge: { metadata: { annotations } } });
    }
  }
}
