/**
 * Which node a pod goes to: filters find those that can take it, and the emptiest of them wins. Pure; scheduler.ts
 * binds the pod. The reasons are in kube-scheduler's words, which people look for in events.
 */
import type { Node, NodeSelectorRequirement, NodeSelectorTerm, Pod, Taint, Toleration } from "@kubewright/api/core/v1";
import { type LabelOperator, labelRequirement, matchesLabels } from "@kubewright/core/meta";
import type { NodeLoad } from "./node-ledger.ts";
import { type Amounts, requestsOf } from "./resources.ts";

const UNSCHEDULABLE = "node.kubernetes.io/unschedulable";

/** The answer: a node, or why there is none. */
export type Choice = { readonly node: string } | { readonly problem: string };

/** The node for `pod`. */
export function chooseNode(pod: Pod, loads: readonly NodeLoad[]): Choice {
  const reasons = new Map<string, number>();
  const requests = requestsOf(pod);
  const fitting = loads.filter((load) => {
    const reason = whyNot(pod, requests, load);
    if (reason !== undefined) reasons.set(reason, (reasons.get(reason) ?? 0) + 1);
    return reason === undefined;
  });
  const [best] = fitting.toSorted((left, right) => left.pods - right.pods || compareText(nameOf(left), nameOf(right)));
  return best === undefined ? { problem: problemOf(loads.length, reasons) } : { node: nameOf(best) };
}

function whyNot(pod: Pod, requests: Amounts, load: NodeLoad): string | undefined {
  const { node } = load;
  const taint = untoleratedTaint(pod, node, ["NoSchedule", "NoExecute"]);
  if (taint?.key === UNSCHEDULABLE) return "node(s) were unschedulable";
  if (taint !== undefined) return "node(s) had untolerated taint(s)";
  if (!matchesSelection(pod, node)) return "node(s) didn't match Pod's node affinity/selector";
  return shortage(requests, load.offered, load.used);
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

/** The first taint of the node, being cordoned among them, that has one of `effects` and that the pod does not tolerate. */
export function untoleratedTaint(
  pod: Pod,
  { spec }: Node,
  effects: readonly ("NoSchedule" | "NoExecute")[],
): Taint | undefined {
  const cordon: readonly Taint[] = spec?.unschedulable ? [{ key: UNSCHEDULABLE, effect: "NoSchedule" }] : [];
  return [...cordon, ...(spec?.taints ?? [])].find(
    (taint) => effects.some((effect) => effect === taint.effect) && !tolerates(pod, taint),
  );
}

function tolerates(pod: Pod, taint: Taint): boolean {
  return (pod.spec?.tolerations ?? []).some((toleration) => isTolerated(toleration, taint));
}

function isTolerated(toleration: Toleration, taint: Taint): boolean {
  const sameEffect = !toleration.effect || toleration.effect === taint.effect;
  if (!sameEffect) return false;
  if (!toleration.key) return toleration.operator === "Exists";
  if (toleration.key !== taint.key) return false;
  return toleration.operator === "Exists" || (toleration.value ?? "") === (taint.value ?? "");
}

/** True when the pod's node selector and required affinity allow the node. */
export function matchesSelection(pod: Pod, node: Node): boolean {
  const labels = node.metadata?.labels ?? {};
  const selected = Object.entries(pod.spec?.nodeSelector ?? {}).every(([key, value]) => labels[key] === value);
  const required = pod.spec?.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution;
  return selected && (required === undefined || required.nodeSelectorTerms.some((term) => matchesTerm(term, node)));
}

function matchesTerm(term: NodeSelectorTerm, node: Node): boolean {
  const { matchExpressions = [], matchFields = [] } = term;
  if (matchExpressions.length + matchFields.length === 0) return false;
  const fields = { "metadata.name": node.metadata?.name ?? "" };
  return matchesAll(matchExpressions, node.metadata?.labels ?? {}) && matchesAll(matchFields, fields);
}

const operators: Readonly<Record<string, LabelOperator>> = {
  In: "in",
  NotIn: "notin",
  Exists: "exists",
  DoesNotExist: "!",
  Gt: ">",
  Lt: "<",
};

function matchesAll(
  requirements: readonly NodeSelectorRequirement[],
  labels: Readonly<Record<string, string>>,
): boolean {
  return requirements.every(({ key, operator, values = [] }) =>
    matchesLabels([labelRequirement(key, operators[operator] ?? "in", values)], labels),
  );
}

/** "0/3 nodes are available: 1 Insufficient cpu, 2 node(s) were unschedulable." */
function problemOf(nodes: number, reasons: ReadonlyMap<string, number>): string {
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
