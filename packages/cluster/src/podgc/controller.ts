/**
 * The pod garbage collector: pods on a node that is gone have no kubelet to end them, and pods that were never scheduled have
 * none to confirm their deletion. Both are removed here.
 */
import { Node, Pod, type PodCondition } from "@kubewright/api/core/v1";
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
import { isPodFinished, isPodTerminating } from "../workload/pod-state.ts";

/** A node may come back: so long its pods are left alone. */
const QUARANTINE_MS = 40_000;

/** Removes pods that nobody else can. */
export function createPodCollector(): Controller<Pod> {
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
        predicate: ({ type, object, previous }) =>
          type !== "deleted" && (previous?.spec?.nodeName !== object.spec?.nodeName || isStuck(object)),
        map: (pod, { cache }) => (isStuck(pod) || isNodeMissing(pod, cache) ? [keyOfPod(pod)] : []),
      }),
      watch(Node, {
        predicate: ({ type, key }) => {
          if (type !== "deleted") missingSince.delete(key);
          return type === "deleted";
        },
        map: ({ metadata }, { cache }) =>
          cache
            .list(Pod)
            .filter(({ spec }) => spec?.nodeName === metadata?.name)
            .map(keyOfPod),
      }),
    ],
    async reconcile(pod, context): Promise<Outcome> {
      if (isStuck(pod)) return removeNow(pod, context);
      const node = pod.spec?.nodeName;
      if (!node || !isNodeMissing(pod, context.cache)) return undefined;
      const now = context.clock.now();
      const since = missingSince.get(node) ?? now;
      missingSince.set(node, since);
      if (now - since < QUARANTINE_MS) return after(since + QUARANTINE_MS - now);
      await markFailed(pod, now, context);
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

async function markFailed(pod: Pod, now: number, { client }: ReconcileContext): Promise<void> {
  if (isPodFinished(pod)) return;
  const condition: PodCondition = {
    type: "DisruptionTarget",
    status: "True",
    reason: "DeletionByPodGC",
    message: "PodGC: node no longer exists",
    lastTransitionTime: formatTime(now),
  };
  const others = (pod.status?.conditions ?? []).filter(({ type }) => type !== condition.type);
  const status = { phase: "Failed", conditions: [...others, condition] };
  await client.patch(Pod, pod, { merge: { metadata: { uid: pod.metadata?.uid }, status } }, { subresource: "status" });
}

async function removeNow(pod: Pod, { client }: ReconcileContext): Promise<undefined> {
  try {
    await client.delete(Pod, pod, { gracePeriodSeconds: 0 });
  } catch (error) {
    if (!isNotFound(error)) throw error;
  }
}
