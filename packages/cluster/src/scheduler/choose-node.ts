/**
 * Which node a pod goes to: filters find those that can take it, and the one that suits it best (score.ts) wins. Pure;
 * scheduler.ts binds the pod. The reasons are in kube-scheduler's words, which people look for in events.
 */
import type { Node, Pod } from "@kubewright/api/core/v1";
import { portFilter } from "./host-ports.ts";
import type { NodeLoad } from "./node-ledger.ts";
import { matchesSelection, nodesNamedBy, UNSCHEDULABLE, untoleratedTaint } from "./node-selection.ts";
import { affinityFilter } from "./pod-affinity.ts";
import { final, type Refusal, resolvable } from "./refusal.ts";
import { type Amounts, requestsOf } from "./resources.ts";
import { scoresOf } from "./score.ts";
import type { Surroundings } from "./surroundings.ts";
import { spreadFilter } from "./topology-spread.ts";
import { volumeFilter } from "./volume-needs.ts";

/** The answer: a node, or why there is none. */
export type Choice = { readonly node: string } | { readonly problem: string };

/** The node for `pod`. */
export function chooseNode(pod: Pod, loads: readonly NodeLoad[], around: Surroundings): Choice {
  const reasons = new Map<string, number>();
  const whyNot = filterFor(pod, loads, around);
  const fitting = loads.filter((load) => {
    const refusal = whyNot(load);
    for (const reason of refusal?.reasons ?? []) reasons.set(reason, (reasons.get(reason) ?? 0) + 1);
    return refusal === undefined;
  });
  const best = bestOf(pod, fitting, { nodes: loads.map(({ node }) => node), around });
  return best === undefined ? { problem: availability(loads.length, reasons) } : { node: nameOf(best) };
}

/** The node that is kept for the pod, or else that with the highest score; among equals the one with the fewest pods. */
function bestOf(
  pod: Pod,
  fitting: readonly NodeLoad[],
  about: { readonly nodes: readonly Node[]; readonly around: Surroundings },
): NodeLoad | undefined {
  const { nominated } = about.around;
  const kept = nominated === undefined ? undefined : fitting.find((load) => nameOf(load) === nominated);
  if (kept !== undefined) return kept;
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

/** The filters in the order of kube-scheduler: what the first says that a node fails is why. */
export function filterFor(
  pod: Pod,
  loads: readonly NodeLoad[],
  around: Surroundings,
): (load: NodeLoad) => Refusal | undefined {
  const requests = requestsOf(pod);
  const nodes = loads.map(({ node }) => node);
  const named = nodesNamedBy(pod);
  const ports = portFilter(pod);
  const volumes = volumeFilter(pod, around);
  const unevenness = spreadFilter(pod, nodes, around);
  const company = affinityFilter(pod, around);
  return ({ node, offered, used, hosting }) =>
    (named === undefined || named.has(node.metadata?.name ?? "") ? undefined : NOT_NAMED) ??
    refusal(pod, node) ??
    ports(hosting) ??
    shortage(requests, offered, used) ??
    volumes(node) ??
    asRefusal(unevenness(node)) ??
    asRefusal(company(node));
}

/** What becomes of nodes that a pod which names its nodes does not name: pods of DaemonSets do. */
const NOT_NAMED = final("node(s) didn't satisfy plugin(s) [NodeAffinity]");

function refusal(pod: Pod, node: Node): Refusal | undefined {
  const taint = untoleratedTaint(pod, node, ["NoSchedule", "NoExecute"]);
  if (taint?.key === UNSCHEDULABLE) return final("node(s) were unschedulable");
  if (taint !== undefined) return final("node(s) had untolerated taint(s)");
  return matchesSelection(pod, node) ? undefined : final("node(s) didn't match Pod's node affinity/selector");
}

/**
 * The resources of which the node has too little left; of more than it has altogether, no pod that goes makes room. A node
 * that states no capacity takes everything.
 */
function shortage(wanted: Amounts, offered: Amounts, used: Amounts): Refusal | undefined {
  let isResolvable = true;
  let reasons: string[] | undefined;
  for (const [name, amount] of wanted) {
    const capacity = offered.get(name) ?? (offered.size === 0 || name === "pods" ? undefined : 0n);
    if (capacity === undefined || amount === 0n || (used.get(name) ?? 0n) + amount <= capacity) continue;
    reasons ??= [];
    reasons.push(name === "pods" ? "Too many pods" : `Insufficient ${name}`);
    if (amount > capacity && name !== "pods") isResolvable = false;
  }
  return reasons && { reasons, isResolvable };
}

/** Other pods are in the way of those that keep apart and of those that spread, unless it is the node that lacks a label. */
function asRefusal(reason: string | undefined): Refusal | undefined {
  if (reason === undefined) return undefined;
  return /anti-affinity rules$|spread constraints$/.test(reason) ? resolvable(reason) : final(reason);
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
