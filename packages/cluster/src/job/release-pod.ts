/** Takes the tracking finalizer off a pod; afterwards nothing of a Job keeps it. */
import { Pod } from "@kubewright/api/core/v1";
import { isNotFound } from "@kubewright/core/protocol";
import type { Client } from "@kubewright/runtime";
import { isTracked, TRACKING_FINALIZER } from "./pods.ts";

/** Lets go of a pod, if it is still there and still held; false when it is gone. */
export async function releasePod(pod: Pod, client: Client): Promise<boolean> {
  if (!isTracked(pod)) return true;
  const { uid, finalizers = [] } = pod.metadata ?? {};
  const body = { metadata: { uid, finalizers: finalizers.filter((name) => name !== TRACKING_FINALIZER) } };
  try {
    await client.patch(Pod, pod, { merge: body });
    return true;
  } catch (error) {
    if (isNotFound(error)) return false;
    throw error;
  }
}
