/**
 * Taint eviction: pods leave a node with a taint of effect NoExecute that they do not tolerate, or when the time is over for
 * which they do. A pod is looked at only while its node has such a taint.
 */
import { Node, Pod, type PodCondition, type Taint, type Toleration } from "@kubewright/api/core/v1";
import { formatTime } from "@kubewright/core/meta";
import { isNotFound } from "@kubewright/core/protocol";
import { after, type Controller, defineController, type ReconcileContext, watch } from "@kubewright/runtime";
import { podsOn } from "../nodes.ts";
import { isTolerated } from "../scheduler/node-selection.ts";
import { isPodActive } from "../workload/pod-state.ts";

/** Removes pods from nodes that no longer have them. */
export function createTaintEviction(): Controller<Pod> {
  /** Nodes with such a taint. */
  const tainted = new Set<string>();
  /** Since when a pod has to go, by uid, in milliseconds since the epoch. */
  const leavingSince = new Map<string, number>();
  return defineController<Pod>({
    name: "taint-eviction-controller",
    for: Pod,
    predicate: ({ type, object }) => {
      if (type === "deleted") leavingSince.delete(object.metadata?.uid ?? "");
      return type !== "deleted" && tainted.size > 0 && tainted.has(object.spec?.nodeName ?? "");
    },
    watches: [
      watch(Node, {
        predicate: ({ type, key, object }) => {
          const wasTainted = tainted.delete(key);
          if (type !== "deleted" && expellingTaints(object).length > 0) tainted.add(key);
          return wasTainted || tainted.has(key);
        },
        map: podsOn,
      }),
    ],
    async reconcile(pod, context) {
      const { uid = "", namespace, name } = pod.metadata ?? {};
      const node = context.cache.get(Node, pod.spec?.nodeName ?? "");
      const stay = stayMs(pod, node === undefined ? [] : expellingTaints(node));
      if (stay === Number.POSITIVE_INFINITY || !isPodActive(pod)) {
        const isSpared = leavingSince.delete(uid) && isPodActive(pod);
        if (isSpared) context.events.normal("TaintManagerEviction", `Cancelling deletion of Pod ${namespace}/${name}`);
        return undefined;
      }
      const now = context.clock.now();
      const since = leavingSince.get(uid) ?? now;
      leavingSince.set(uid, since);
      if (now < since + stay) return after(since + stay - now);
      leavingSince.delete(uid);
      return evict(pod, context);
    },
  });
}

function expellingTaints({ spec }: Node): readonly Taint[] {
  return (spec?.taints ?? []).filter(({ effect }) => effect === "NoExecute");
}

/** How long a pod may stay: for ever, where it tolerates all taints without an end, and no longer than the shortest end. */
export function stayMs(pod: Pod, taints: readonly Taint[]): number {
  const tolerations = pod.spec?.tolerations ?? [];
  const used = taints.map((taint) => tolerations.find((each) => isTolerated(each, taint)));
  return Math.min(Number.POSITIVE_INFINITY, ...used.map(toleratedMs));
}

function toleratedMs(toleration: Toleration | undefined): number {
  if (toleration === undefined) return 0;
  const { tolerationSeconds: seconds = Number.POSITIVE_INFINITY } = toleration;
  return Math.max(0, seconds * 1000);
}

async function evict(pod: Pod, { client, clock, events }: ReconcileContext): Promise<undefined> {
  const { namespace, name, uid } = pod.metadata ?? {};
  events.normal("TaintManagerEviction", `Marking for deletion Pod ${namespace}/${name}`);
  const condition = {
    type: "DisruptionTarget",
    status: "True",
    reason: "DeletionByTaintManager",
    message: "Taint manager: deleting due to NoExecute taint",
    lastTransitionTime: formatTime(clock.now()),
  } satisfies PodCondition;
  try {
    const patch = { metadata: { uid }, status: { conditions: [condition] } };
    await client.patch(Pod, pod, { strategic: patch }, { subresource: "status" });
    await client.delete(Pod, pod);
  } catch (error) {
    if (!isNotFound(error)) throw error;
  }
}
