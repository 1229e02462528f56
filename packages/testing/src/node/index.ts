/**
 * `@kubewright/testing/node`: a cluster with a real node, on which pods run. It is also the program of the node's
 * two sides, inside and outside of its namespaces, which is why it is an entry point of its own.
 */
import { systemProcess } from "@kubewright/node";
import { type NodeCluster, type NodeClusterOptions, startNode } from "./node-cluster.ts";
import { runNodeInside } from "./node-inside.ts";
import { runNodeOutside } from "./node-outside.ts";

export { type NodeCluster, type NodeClusterOptions, nodeProblem } from "./node-cluster.ts";

/** Starts a control plane, controllers, containerd and kubelet; resolves when the node is ready. Needs Linux and root. */
export function startNodeCluster(options: NodeClusterOptions): Promise<NodeCluster> {
  return startNode(import.meta.filename, options);
}

if (import.meta.main) {
  const [part, options = ""] = systemProcess.args;
  if (part === "inside") await runNodeInside(JSON.parse(options));
  else await runNodeOutside(JSON.parse(options));
  systemProcess.exit(0);
}
