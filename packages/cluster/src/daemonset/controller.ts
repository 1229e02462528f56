/** The DaemonSet controller: one pod on every node that it is for. plan.ts decides, this carries it out. */
import { ControllerRevision, DaemonSet } from "@kubewright/api/apps/v1";
import { Node, Pod } from "@kubewright/api/core/v1";
import { isNotFound } from "@kubewright/core/protocol";
import { after, type Controller, defineController, type ReconcileContext, watch } from "@kubewright/runtime";
import { claimFromCache } from "../workload/adopt.ts";
import { keepRevisions } from "../workload/carry-revisions.ts";
import { nextAvailability } from "../workload/pod-state.ts";
import { HASH_LABEL, hashOf } from "../workload/revisions.ts";
import { slowStart } from "../workload/slow-start.ts";
import { writeStatus } from "../workload/write-status.ts";
import { podOn } from "./placement.ts";
import { planDaemonSet } from "./plan.ts";

/** Keeps DaemonSets. */
export const daemonSetController: Controller<DaemonSet> = defineController<DaemonSet>({
  name: "daemonset-controller",
  for: DaemonSet,
  owns: [Pod, ControllerRevision],
  watches: [
    watch(Node, {
      map: (_node, { cache }) =>
        cache.list(DaemonSet).map(({ metadata }) => ({ name: metadata?.name ?? "", namespace: metadata?.namespace })),
    }),
  ],
  async reconcile(set, context) {
    const pods = await claimFromCache(set, Pod, context);
    const inUse = new Set(pods.map((pod) => `${set.metadata?.name}-${pod.metadata?.labels?.[HASH_LABEL]}`));
    const { update } = await keepRevisions(DaemonSet, set, inUse, context);
    const now = context.clock.now();
    const hash = hashOf(update);
    const step = planDaemonSet({ set, nodes: context.cache.list(Node), pods, hash, now });
    await removePods(step.remove, context);
    await createPods(set, { nodes: step.create, hash }, context);
    await writeStatus(context.client, DaemonSet, set, step.status);
    const wakeAt = nextAvailability(pods, set.spec?.minReadySeconds ?? 0, now);
    return wakeAt === undefined ? undefined : after(wakeAt - now);
  },
});

async function removePods(pods: readonly Pod[], { client, events }: ReconcileContext): Promise<void> {
  for (const pod of pods) {
    try {
      await client.delete(Pod, pod);
    } catch (error) {
      if (isNotFound(error)) continue;
      throw error;
    }
    events.normal("SuccessfulDelete", `Deleted pod: ${pod.metadata?.name}`);
  }
}

async function createPods(
  set: DaemonSet,
  { nodes, hash }: { readonly nodes: readonly string[]; readonly hash: string },
  { client, events }: ReconcileContext,
): Promise<void> {
  const waiting = [...nodes];
  try {
    await slowStart(waiting.length, async () => {
      const pod = await client.create(Pod, podOn(set, waiting.shift() ?? "", hash));
      events.normal("SuccessfulCreate", `Created pod: ${pod.metadata?.name}`);
    });
  } catch (error) {
    events.warning("FailedCreate", `Error creating: ${error instanceof Error ? error.message : String(error)}`);
    throw error;
  }
}
