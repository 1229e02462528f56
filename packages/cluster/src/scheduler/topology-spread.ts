/** `topologySpreadConstraints`: how uneven pods may be spread over domains, and where they would be spread best. Pure. */
import type { Node, Pod, TopologySpreadConstraint } from "@kubewright/api/core/v1";
import { type LabelRequirements, labelRequirement, matchesLabels, toLabelRequirements } from "@kubewright/core/meta";
import { DomainCounts } from "./domain-counts.ts";
import { matchesSelection, untoleratedTaint } from "./node-selection.ts";
import type { Surroundings } from "./surroundings.ts";

const UNEVEN = "node(s) didn't match pod topology spread constraints";

/** Why `pod` cannot go to a node, as a function of the node; undefined where it can. */
export function spreadFilter(
  pod: Pod,
  nodes: readonly Node[],
  around: Surroundings,
): (node: Node) => string | undefined {
  const constraints = pod.spec?.topologySpreadConstraints?.filter((each) => each.whenUnsatisfiable === "DoNotSchedule");
  if (constraints === undefined || constraints.length === 0) return () => undefined;
  const eligible = nodes.filter((node) => constraints.every((each) => hasLabel(node, each.topologyKey)));
  const spreads = constraints.map((constraint) => spreadOf(pod, constraint, eligible, around));
  return (node) => {
    for (const { constraint, counts, least, own } of spreads) {
      if (!hasLabel(node, constraint.topologyKey)) return `${UNEVEN} (missing required label)`;
      if (counts.of(constraint.topologyKey, node) + own - least > constraint.maxSkew) return UNEVEN;
    }
    return undefined;
  };
}

/** How crowded each candidate is by constraints that may be broken (ScheduleAnyway); undefined for a node outside them. */
export function spreadUnevenness(
  pod: Pod,
  { nodes, candidates, around }: { nodes: readonly Node[]; candidates: readonly Node[]; around: Surroundings },
): readonly (number | undefined)[] {
  const constraints = (pod.spec?.topologySpreadConstraints ?? []).filter(
    (each) => each.whenUnsatisfiable === "ScheduleAnyway",
  );
  const isInside = (node: Node): boolean => constraints.every((each) => hasLabel(node, each.topologyKey));
  const spreads = constraints.map((constraint) => {
    const { counts } = spreadOf(pod, constraint, nodes.filter(isInside), around);
    const { topologyKey, maxSkew } = constraint;
    const domains = new Set(candidates.filter(isInside).map(({ metadata }) => metadata?.labels?.[topologyKey]));
    // The more domains there are, the more it counts where a pod goes; the larger the skew, the less.
    return (node: Node): number => counts.of(topologyKey, node) * Math.log(domains.size + 2) + maxSkew - 1;
  });
  return candidates.map((node) =>
    isInside(node) ? Math.round(spreads.reduce((sum, crowdOf) => sum + crowdOf(node), 0)) : undefined,
  );
}

interface Spread {
  readonly constraint: TopologySpreadConstraint;
  readonly counts: DomainCounts;
  /** How many pods the emptiest domain has. */
  readonly least: number;
  /** 1 when the pod counts itself. */
  readonly own: number;
}

function spreadOf(
  pod: Pod,
  constraint: TopologySpreadConstraint,
  eligible: readonly Node[],
  around: Surroundings,
): Spread {
  const { topologyKey, minDomains = 1 } = constraint;
  const counts = new DomainCounts();
  const nodes = new Map<string, Node>();
  for (const node of eligible.filter((each) => isIncluded(pod, constraint, each))) {
    nodes.set(node.metadata?.name ?? "", node);
    counts.add(topologyKey, node, 0);
  }
  const requirements = requirementsOf(pod, constraint);
  for (const { pod: other, node } of around.placed()) {
    const isPeer = other.metadata?.namespace === pod.metadata?.namespace && !other.metadata?.deletionTimestamp;
    if (isPeer && matches(requirements, other)) counts.add(topologyKey, nodes.get(node));
  }
  const all = counts.all(topologyKey);
  const least = all.length < minDomains ? 0 : Math.min(...all);
  return { constraint, counts, least, own: matches(requirements, pod) ? 1 : 0 };
}

/** Which nodes count: by default those that the pod's node selection allows, whatever their taints. */
function isIncluded(pod: Pod, constraint: TopologySpreadConstraint, node: Node): boolean {
  const { nodeAffinityPolicy = "Honor", nodeTaintsPolicy = "Ignore" } = constraint;
  if (nodeAffinityPolicy === "Honor" && !matchesSelection(pod, node)) return false;
  return nodeTaintsPolicy === "Ignore" || untoleratedTaint(pod, node, ["NoSchedule", "NoExecute"]) === undefined;
}

/** No selector selects nothing; with `matchLabelKeys` only pods with the same values are peers. */
function requirementsOf(pod: Pod, constraint: TopologySpreadConstraint): LabelRequirements | undefined {
  const { labelSelector, matchLabelKeys = [] } = constraint;
  if (labelSelector === undefined) return undefined;
  const labels = pod.metadata?.labels ?? {};
  const same = matchLabelKeys.flatMap((key) =>
    labels[key] === undefined ? [] : [labelRequirement(key, "=", [labels[key]])],
  );
  return [...toLabelRequirements(labelSelector), ...same];
}

function matches(requirements: LabelRequirements | undefined, { metadata }: Pod): boolean {
  return requirements !== undefined && matchesLabels(requirements, metadata?.labels);
}

function hasLabel({ metadata }: Node, key: string): boolean {
  return metadata?.labels?.[key] !== undefined;
}
