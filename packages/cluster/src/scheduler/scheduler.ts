/** The scheduler: binds pods that have no node to one that can take them. choose-node.ts decides. */
import { Node, Pod } from "@kubewright/api/core/v1";
import { formatTime } from "@kubewright/core/meta";
import { isConflict, isNotFound } from "@kubewright/core/protocol";
import { backoff, type Controller, defineController, type ReconcileContext, watch } from "@kubewright/runtime";
import { isPodFinished } from "../workload/pod-state.ts";
import { chooseNode, type NodeLoad } from "./choose-node.ts";

const NAME = "default-scheduler";

/** Binds pods to nodes, one at a time, so that each decision knows the ones before it. */
export const scheduler: Controller<Pod> = defineController<Pod>({
  name: NAME,
  for: Pod,
  concurrency: 1,
  watches: [watch(Node, { map: (_node, { cache }) => cache.list(Pod).filter(isWaiting).map(keyOfPod) })],
  predicate: ({ object }) => isWaiting(object),
  async reconcile(pod, context) {
    if (!isWaiting(pod)) return undefined;
    const choice = chooseNode(pod, loadsFrom(context));
    if ("node" in choice) return bind(pod, choice.node, context);
    await markUnschedulable(pod, choice.problem, context);
    return backoff(choice.problem);
  },
});

/** Pods that this scheduler is to place: without a node, without gates, and neither ended nor ending. */
function isWaiting(pod: Pod): boolean {
  const { spec, metadata } = pod;
  const gated = (spec?.schedulingGates ?? []).length > 0;
  const ours = (spec?.schedulerName ?? NAME) === NAME;
  return ours && !spec?.nodeName && !gated && metadata?.deletionTimestamp === undefined && !isPodFinished(pod);
}

function loadsFrom({ cache }: ReconcileContext): NodeLoad[] {
  const pods = Map.groupBy(
    cache.list(Pod).filter((pod) => !isPodFinished(pod)),
    (pod) => pod.spec?.nodeName ?? "",
  );
  return cache.list(Node).map((node) => ({ node, pods: pods.get(node.metadata?.name ?? "") ?? [] }));
}

async function bind(pod: Pod, node: string, { client, events }: ReconcileContext): Promise<undefined> {
  const { name = "", namespace = "", uid } = pod.metadata ?? {};
  const body = {
    apiVersion: "v1",
    kind: "Binding",
    metadata: { name, namespace, uid },
    target: { kind: "Node", name: node },
  };
  try {
    await client.subresource(Pod, "binding").create(pod, body);
  } catch (error) {
    // Gone or bound by somebody else: either way there is nothing left to place.
    if (isNotFound(error) || isConflict(error)) return undefined;
    throw error;
  }
  events.normal("Scheduled", `Successfully assigned ${namespace}/${name} to ${node}`);
  return undefined;
}

async function markUnschedulable(
  pod: Pod,
  message: string,
  { client, clock, events }: ReconcileContext,
): Promise<void> {
  const before = pod.status?.conditions?.find(({ type }) => type === "PodScheduled");
  if (before?.status === "False" && before.message === message) return;
  const lastTransitionTime = before?.status === "False" ? before.lastTransitionTime : formatTime(clock.now());
  const condition = { type: "PodScheduled", status: "False", reason: "Unschedulable", message, lastTransitionTime };
  await client.patch(Pod, pod, { strategic: { status: { conditions: [condition] } } }, { subresource: "status" });
  events.warning("FailedScheduling", message);
}

function keyOfPod(pod: Pod): { readonly name: string; readonly namespace: string | undefined } {
  return { name: pod.metadata?.name ?? "", namespace: pod.metadata?.namespace };
}
