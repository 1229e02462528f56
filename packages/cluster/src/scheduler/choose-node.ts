/**
 * Which node a pod goes to: filters find those that can take it, and the one that suits it best (score.ts) wins. Pure;
 * scheduler.ts binds the pod. The reasons are in kube-scheduler's words, which people look for in events.
 */
import type { Node, Pod } from "@kubewright/api/core/v1";
import type { NodeLoad } from "./node-ledger.ts";
import { matchesSelection, UNSCHEDULABLE, untoleratedTaint } from "./node-selection.ts";
import { affinityFilter } from "./pod-affinity.ts";
import { type Amounts, requestsOf } from "./resources.ts";
import { scoresOf } from "./score.ts";
import type { Surroundings } from "./surroundings.ts";
import { spreadFilter } from "./topology-spread.ts";

/** The answer: a node, or why there is none. */
export type Choice = { readonly node: string } | { readonly problem: string };

/** The node for `pod`. */
export function chooseNode(pod: Pod, loads: readonly NodeLoad[], around: Surroundings): Choice {
  const reasons = new Map<string, number>();
  const whyNot = filterFor(pod, loads, around);
  const fitting = loads.filter((load) => {
    const reason = whyNot(load);
    if (reason !== undefined) reasons.set(reason, (reasons.get(reason) ?? 0) + 1);
    return reason === undefined;
  });
  const best = bestOf(pod, fitting, { nodes: loads.map(({ node }) => node), around });
  return best === undefined ? { problem: availability(loads.length, reasons) } : { node: nameOf(best) };
}

/** The node with the highest score; among equals the one with the fewest pods. */
function bestOf(
  pod: Pod,
  fitting: readonly NodeLoad[],
  about: { readonly nodes: readonly Node[]; readonly around: Surroundings },
): NodeLoad | undefined {
  const scores = scoresOf(pod, fitting, about);
  const ranked = fitting.map((load, index) => ({ load, score: scores[index] ?? 0 }));
  const [best] = ranked.toSorted(
    (left, right) =>
      right.score - left.score ||
      left.load.pods - right.load.pods ||
      compareText(nameOf(left.load), nameOf(right.load)),
  );
  return best?.load;
}

/** The filters in the order of kube-scheduler: the first that a node fails is its reason. */
export function filterFor(
  pod: Pod,
  loads: readonly NodeLoad[],
  around: Surroundings,
): (load: NodeLoad) => string | undefined {
  const requests = requestsOf(pod);
  const nodes = loads.map(({ node }) => node);
  const unevenness = spreadFilter(pod, nodes, around);
  const company = affinityFilter(pod, around);
  return ({ node, offered, used }) =>
    refusal(pod, node) ?? shortage(requests, offered, used) ?? unevenness(node) ?? company(node);
}

function refusal(pod: Pod, node: Node): string | undefined {
  const taint = untoleratedTaint(pod, node, ["NoSchedule", "NoExecute"]);
  if (taint?.key === UNSCHEDULABLE) return "node(s) were unschedulable";
  if (taint !== undefined) return "node(s) had untolerated taint(s)";
  return matchesSelection(pod, node) ? undefined : "node(s) didn't match Pod's node affinity/selector";
}

/** The first resource of which the node has too little left. A node that states no capacity takes everything. */
function shortage(wanted: Amounts, offered: Amounts, used: Amounts): string | undefined {
  for (const [name, amount] of wanted) {
    const capacity = offered.get(name) ?? (offered.size === 0 || name === "pods" ? undefined : 0n);
    if (capacity === undefined || amount === 0n) continue;
    if ((used.get(name) ?? 0n) + amount > capacity) return name === "pods" ? "Too many pods" : `Insufficient ${name}`;
  }
  return undefined;
}

/** True when a node might do without some of its pods. */
export function isResolvable(reason: string | undefined): boolean {
  if (reason === undefined) return false;
  return /^(Insufficient|Too many)|anti-affinity rules$|spread constraints$/.test(reason);
}

/** "0/3 nodes are available: 1 Insufficient cpu, 2 node(s) were unschedulable." */
export function availability(nodes: number, reasons: ReadonlyMap<string, number>): string {
  if (nodes === 0) return "no nodes available to schedule pods";
  const parts = Array.from(reasons, ([reason, count]) => `${count} ${reason}`).toSorted(compareText);
  return `0/${nodes} nodes are available: ${parts.join(", ")}.`;
}

function nameOf({ node }: NodeLoad): string {
  return node.metadata?.name ?? "";
}

function compareText(left: string, right: string): number {
  return left < right ? -1 : left > right ? 1 : 0;
}
