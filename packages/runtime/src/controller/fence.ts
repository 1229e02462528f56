/**
 * Fencing: an object that a leader works on carries the epoch of its lease. Stamping changes the object's version, so that writes which a
 * former leader based on an earlier one, and which the network still carries, are refused by the server.
 */
import type { KubernetesObject } from "@kubewright/core/meta";
import { EPOCH_ANNOTATION } from "./child-manifest.ts";
import type { ConvergePorts } from "./converge-ports.ts";
import type { ReconcileContext } from "./define-controller.ts";

/** The object with the leader's epoch; throws when a later leader was there. */
export async function stampEpoch(
  object: KubernetesObject,
  context: ReconcileContext,
  { controller, epoch }: ConvergePorts & { readonly epoch: number },
): Promise<KubernetesObject> {
  const { uid, resourceVersion, annotations } = object.metadata ?? {};
  const known = Number(annotations?.[EPOCH_ANNOTATION] ?? -1);
  if (known === epoch) return object;
  if (known > epoch) throw new Error(`a later leader (epoch ${known}) has worked on it; this one has ${epoch}`);
  const merge = { metadata: { annotations: { [EPOCH_ANNOTATION]: String(epoch) }, uid, resourceVersion } };
  const { client, signal } = context; // Only now: they are made when they are first asked for.
  return client.patch(controller.for, object, { merge }, { signal });
}
