/** Which nodes a pod may go to by its own words about nodes: selector, node affinity, tolerations. Pure. */
import type {
  Node,
  NodeSelector,
  NodeSelectorRequirement,
  NodeSelectorTerm,
  Pod,
  Taint,
  Toleration,
} from "@kubewright/api/core/v1";
import { type LabelOperator, labelRequirement, matchesLabels } from "@kubewright/core/meta";

/** The taint of nodes that are cordoned. */
export const UNSCHEDULABLE = "node.kubernetes.io/unschedulable";

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

/** How many taints ask pods like this one to rather go elsewhere. */
export function unwelcomeTaints(pod: Pod, { spec }: Node): number {
  return (spec?.taints ?? []).filter((taint) => taint.effect === "PreferNoSchedule" && !tolerates(pod, taint)).length;
}

/** The weights of all that the pod prefers and the node has. */
export function preferenceFor(pod: Pod, node: Node): number {
  const preferred = pod.spec?.affinity?.nodeAffinity?.preferredDuringSchedulingIgnoredDuringExecution ?? [];
  const met = preferred.filter(({ preference }) => matchesTerm(preference, node));
  return met.reduce((sum, { weight }) => sum + weight, 0);
}

function tolerates(pod: Pod, taint: Taint): boolean {
  return (pod.spec?.tolerations ?? []).some((toleration) => isTolerated(toleration, taint));
}

/** True when the toleration is about the taint. */
export function isTolerated(toleration: Toleration, taint: Taint): boolean {
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
  return selected && matchesNodeSelector(requiredNodes(pod), node);
}

/** The names of the nodes that a pod is for, where each of its terms names some; undefined where they do not. */
export function nodesNamedBy(pod: Pod): ReadonlySet<string> | undefined {
  const terms = requiredNodes(pod)?.nodeSelectorTerms ?? [];
  if (terms.length === 0) return undefined;
  const names = terms.map(({ matchFields = [] }) =>
    matchFields.find(({ key, operator }) => key === "metadata.name" && operator === "In"),
  );
  return names.every((field) => field !== undefined) ? new Set(names.flatMap(({ values = [] }) => values)) : undefined;
}

function requiredNodes({ spec }: Pod): NodeSelector | undefined {
  return spec?.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution;
}

/** True when one of the terms allows the node, and where nothing is asked. */
export function matchesNodeSelector(selector: NodeSelector | undefined, node: Node): boolean {
  return selector === undefined || selector.nodeSelectorTerms.some((term) => matchesTerm(term, node));
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
