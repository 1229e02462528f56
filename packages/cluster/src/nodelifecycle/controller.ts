/**
 * The node lifecycle: nodes are tainted by their state (node-taints.ts), and the pods of a node that is not heard of any more
 * are not ready. Simulated nodes are lost only by whoever says so in the condition Ready: their heartbeats never fail.
 */
import { Node, Pod } from "@kubewright/api/core/v1";
import { formatTime } from "@kubewright/core/meta";
import { type Controller, defineController, watch } from "@kubewright/runtime";
import { isNodeUnreachable, podsOn, readinessOf } from "../nodes.ts";
import { isPodReady } from "../workload/pod-state.ts";
import { withStateTaints } from "./node-taints.ts";

const NAME = "node-lifecycle-controller";

/** Keeps the taints of nodes, and tells when one ceases to be ready. */
export function createNodeLifecycle(): Controller<Node> {
  /** The readiness of each node, as it was last seen. */
  const seen = new Map<string, string | undefined>();
  return defineController<Node>({
    name: NAME,
    for: Node,
    predicate: ({ type, key }) => {
      if (type === "deleted") seen.delete(key);
      return type !== "deleted";
    },
    async reconcile(node, { client, clock, events }) {
      const { name = "" } = node.metadata ?? {};
      const readiness = readinessOf(node);
      const hasCeased = seen.get(name) === "True" && readiness !== "True";
      seen.set(name, readiness);
      if (hasCeased) events.normal("NodeNotReady", `Node ${name} status is now: NodeNotReady`);
      const now = formatTime(clock.now());
      if (withStateTaints(node, now) !== node) await client.modify(Node, node, (each) => withStateTaints(each, now));
    },
  });
}

/** Says of pods whose node is not heard of that they are not ready: nobody there does. */
export const podReadinessController: Controller<Pod> = defineController<Pod>({
  name: `${NAME}/pods`,
  for: Pod,
  predicate: () => false,
  watches: [watch(Node, { predicate: ({ object }) => isNodeUnreachable(object), map: podsOn })],
  async reconcile(pod, { client, cache, clock, events }) {
    if (!isPodReady(pod) || !isNodeUnreachable(cache.get(Node, pod.spec?.nodeName ?? ""))) return;
    const condition = { type: "Ready", status: "False", lastTransitionTime: formatTime(clock.now()) };
    const patch = { metadata: { uid: pod.metadata?.uid }, status: { conditions: [condition] } };
    await client.patch(Pod, pod, { strategic: patch }, { subresource: "status" });
    events.warning("NodeNotReady", "Node is not ready");
  },
});
