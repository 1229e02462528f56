/**
 * The heartbeats of simulated nodes: each node's Lease is renewed as kubelets do. It is a controller of its own because
 * virtual time is cheaper without it: a week has 60 000 heartbeats of each node.
 */
import { Lease } from "@kubewright/api/coordination/v1";
import { Node } from "@kubewright/api/core/v1";
import { formatMicroTime } from "@kubewright/core/meta";
import { after, type Controller, defineController } from "@kubewright/runtime";
import { LEASE_NAMESPACE, nodeLease } from "../nodes.ts";
import { createUnlessThere } from "../workload/create-unless-there.ts";

/** The name of the heartbeats among the controllers of a cluster. */
export const NODE_LEASES = "node-lease-controller";

/** A quarter of the time that a lease lasts. */
const RENEWAL = "10s";

/** Renews the leases of all nodes. */
export const nodeLeaseController: Controller<Node> = defineController<Node>({
  name: NODE_LEASES,
  for: Node,
  reads: [Lease],
  crossNamespace: true,
  predicate: ({ type }) => type === "added",
  async reconcile(node, { client, cache, clock }) {
    const lease = { name: node.metadata?.name ?? "", namespace: LEASE_NAMESPACE };
    const now = clock.now();
    if (cache.get(Lease, lease) === undefined) await createUnlessThere(client, Lease, nodeLease(node, now));
    else await client.patch(Lease, lease, { merge: { spec: { renewTime: formatMicroTime(now) } } });
    return after(RENEWAL);
  },
});
