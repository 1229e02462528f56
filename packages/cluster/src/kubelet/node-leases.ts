/**
 * The heartbeats of simulated nodes: each node's Lease is renewed as kubelets do, and less often its conditions. It is a
 * controller of its own because virtual time is cheaper without it: a week has 60 000 heartbeats of each node.
 */
import { Lease } from "@kubewright/api/coordination/v1";
import { Node } from "@kubewright/api/core/v1";
import { formatMicroTime, formatTime } from "@kubewright/core/meta";
import { after, type Client, type Controller, defineController } from "@kubewright/runtime";
import { isNodeUnreachable, LEASE_NAMESPACE, nodeLease } from "../nodes.ts";
import { createUnlessThere } from "../workload/create-unless-there.ts";

/** The name of the heartbeats among the controllers of a cluster. */
export const NODE_LEASES = "node-lease-controller";

/** A quarter of the time that a lease lasts. */
const RENEWAL = "10s";

/** How old the word of a node about its conditions gets. */
const REPORT_MS = 300_000;

/** Renews the leases of all nodes and the times in their conditions. A node that is not heard of is left alone. */
export const nodeLeaseController: Controller<Node> = defineController<Node>({
  name: NODE_LEASES,
  for: Node,
  reads: [Lease],
  crossNamespace: true,
  predicate: ({ type }) => type === "added",
  async reconcile(node, { client, cache, clock }) {
    if (isNodeUnreachable(node)) return after(RENEWAL);
    const lease = { name: node.metadata?.name ?? "", namespace: LEASE_NAMESPACE };
    const now = clock.now();
    if (cache.get(Lease, lease) === undefined) await createUnlessThere(client, Lease, nodeLease(node, now));
    else await client.patch(Lease, lease, { merge: { spec: { renewTime: formatMicroTime(now) } } });
    await report(node, now, client);
    return after(RENEWAL);
  },
});

/** Says again what the conditions of the node are, when that was said long ago. */
async function report(node: Node, now: number, client: Client): Promise<void> {
  const conditions = node.status?.conditions ?? [];
  const times = conditions.map(({ lastHeartbeatTime }) => Date.parse(lastHeartbeatTime ?? "") || 0);
  if (times.length === 0 || now - Math.min(...times) < REPORT_MS) return;
  const lastHeartbeatTime = formatTime(now);
  const status = { conditions: conditions.map(({ type, status: is }) => ({ type, status: is, lastHeartbeatTime })) };
  await client.patch(Node, node, { strategic: { status } }, { subresource: "status" });
}
