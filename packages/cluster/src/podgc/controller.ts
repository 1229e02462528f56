/**
 * The pod garbage collector: pods on a node that is gone, or that somebody took out of service, have no kubelet to end them,
 * and pods that were never scheduled have none to confirm their deletion. They are removed here, and so are the oldest of
 * the pods that ended when there are too many (ended-pods.ts).
 */
import { Node, Pod } from "@kubewright/api/core/v1";
import { formatTime } from "@kubewright/core/meta";
import { isNotFound } from "@kubewright/core/protocol";
import {
  after,
  type CacheReader,
  type Controller,
  defineController,
  type ObjectKey,
  type Outcome,
  type ReconcileContext,
  watch,
} from "@kubewright/runtime";
import { podsOn, readinessOf } from "../nodes.ts";
import { isPodFinished, isPodTerminating } from "../workload/pod-state.ts";
import { EndedPods } from "./ended-pods.ts";

/** A node may come back: so long its pods are left alone. */
const QUARANTINE_MS = 40_000;

/** On a node of which an administrator is sure that it does not run. */
const OUT_OF_SERVICE = "node.kubernetes.io/out-of-service";

/** Removes pods that nobody else can, and keeps at most `endedPodsMax` of those that ended. */
export function createPodCollector(endedPodsMax: number): Controller<Pod> {
  const ended = new EndedPods(endedPodsMax);
  /** Nodes that are out of service. */
  const outOfService = new Set<string>();
  /** Since when a node with pods is missing, in milliseconds since the epoch. */
  const missingSince = new Map<string, number>();
  return defineController<Pod>({
    name: "pod-garbage-collector-controller",
    for: Pod,
    reconcilesDeleting: true,
    predicate: () => false,
    watches: [
      // Nearly every pod is on a node that is there, and needs no second look.
      watch(Pod, {
        predicate: ({ type, object, previous }) => {
          const hasTooMany = ended.note(object, type === "deleted");
          if (type === "deleted") return false;
          const isLeft = outOfService.has(object.spec?.nodeName ?? "") && isPodTerminating(object);
          return hasTooMany || isLeft || previous?.spec?.nodeName !== object.spec?.nodeName || isStuck(object);
        },
        map: (pod, { cache }) => [
          ...(isStuck(pod) || isNodeMissing(pod, cache) || outOfService.size > 0 ? [keyOfPod(pod)] : []),
          ...ended.surplus(cache).map(keyOfPod),
        ],
      }),
      watch(Node, {
        predicate: ({ type, key, object }) => {
          if (type !== "deleted") missingSince.delete(key);
          outOfService.delete(key);
          if (type !== "deleted" && isOutOfService(object)) outOfService.add(key);
          return type === "deleted" || outOfService.has(key);
        },
        map: podsOn,
      }),
    ],
    async reconcile(pod, context): Promise<Outcome> {
      if (isStuck(pod) || ended.isSurplus(pod)) return removeNow(pod, context);
      const node = pod.spec?.nodeName;
      if (node && outOfService.has(node) && isPodTerminating(pod)) {
        await markFailed(pod, undefined, context);
        return removeNow(pod, context);
      }
      if (!node || !isNodeMissing(pod, context.cache)) return undefined;
      const now = context.clock.now();
      const since = missingSince.get(node) ?? now;
      missingSince.set(node, since);
      if (now - since < QUARANTINE_MS) return after(since + QUARANTINE_MS - now);
      await markFailed(pod, "PodGC: node no longer exists", context);
      return removeNow(pod, context);
    },
  });
}

function keyOfPod({ metadata }: Pod): ObjectKey {
  return { name: metadata?.name ?? "", namespace: metadata?.namespace };
}

/** Bound to a node that is gone, or never was. */
function isNodeMissing({ spec }: Pod, cache: CacheReader): boolean {
  return Boolean(spec?.nodeName) && cache.get(Node, spec?.nodeName ?? "") === undefined;
}

/** Being deleted, and on no node. */
function isStuck(pod: Pod): boolean {
  return isPodTerminating(pod) && !pod.spec?.nodeName && (pod.metadata?.finalizers ?? []).length === 0;
}

/** Somebody says of the node that it is out of service, and it is not ready indeed. */
function isOutOfService(node: Node): boolean {
  return readinessOf(node) !== "True" && (node.spec?.taints ?? []).some(({ key }) => key === OUT_OF_SERVICE);
}

/** A pod that had not ended has failed, with the reason in its conditions where there is one. */
async function markFailed(pod: Pod, message: string | undefined, { client, clock }: ReconcileContext): Promise<void> {
  if (isPodFinished(pod)) return;
  const lastTransitionTime = formatTime(clock.now());
  const why = { type: "DisruptionTarget", status: "True", reason: "DeletionByPodGC", lastTransitionTime };
  const conditions = message === undefined ? [] : [{ ...why, message }];
  const patch = { metadata: { uid: pod.metadata?.uid }, status: { phase: "Failed", conditions } };
  await client.patch(Pod, pod, { strategic: patch }, { subresource: "status" });
}

async function removeNow(pod: Pod, { client }: ReconcileContext): Promise<undefined> {
  try {
    await client.delete(Pod, pod, { gracePeriodSeconds: 0 });
  } catch (error) {
    if (!isNotFound(error)) throw error;
  }
}
