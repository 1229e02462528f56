/**
 * Pod affinity and anti-affinity: near which pods a pod has to be, from which it has to stay away, which placed pods keep it
 * away from themselves, and what either side would rather have. Pure; choose-node.ts asks for each node. A node belongs to
 * one domain of a topology key: the value of its label.
 */
import type { Node, Pod, PodAffinityTerm } from "@kubewright/api/core/v1";
import { selectorMatches } from "@kubewright/core/meta";
import { DomainCounts } from "./domain-counts.ts";
import type { Surroundings } from "./surroundings.ts";

/** Why `pod` cannot go to a node, as a function of the node; undefined where it can. */
export function affinityFilter(pod: Pod, around: Surroundings): (node: Node) => string | undefined {
  const wanted = pod.spec?.affinity?.podAffinity?.requiredDuringSchedulingIgnoredDuringExecution ?? [];
  const near = wanted.length === 0 ? new DomainCounts() : countNear(pod, wanted, around);
  const opens = near.size === 0 && wanted.every((term) => selects(term, pod, pod, around));
  const unwanted = repulsionsOf(pod);
  const occupied = unwanted.length === 0 ? new DomainCounts() : countOccupied(pod, unwanted, around);
  const guarded = countGuarded(pod, around);
  return (node) => {
    const isPlaced = wanted.every((term) => near.of(term.topologyKey, node) > 0);
    // The first of a group that wants to be together finds nobody yet: any domain will do.
    const mayOpen = opens && wanted.every(({ topologyKey }) => node.metadata?.labels?.[topologyKey] !== undefined);
    if (!isPlaced && !mayOpen) return "node(s) didn't match pod affinity rules";
    if (unwanted.some((term) => occupied.of(term.topologyKey, node) > 0)) {
      return "node(s) didn't match pod anti-affinity rules";
    }
    return guarded.touches(node) ? "node(s) didn't satisfy existing pods anti-affinity rules" : undefined;
  };
}

/** The terms by which a pod keeps others away. */
export function repulsionsOf(pod: Pod): readonly PodAffinityTerm[] {
  return pod.spec?.affinity?.podAntiAffinity?.requiredDuringSchedulingIgnoredDuringExecution ?? [];
}

/** True when a placed pod has a say in where others would best go. */
export function attracts({ spec }: Pod): boolean {
  const { podAffinity, podAntiAffinity } = spec?.affinity ?? {};
  return Boolean(
    podAffinity?.requiredDuringSchedulingIgnoredDuringExecution?.length ||
      podAffinity?.preferredDuringSchedulingIgnoredDuringExecution?.length ||
      podAntiAffinity?.preferredDuringSchedulingIgnoredDuringExecution?.length,
  );
}

/** Counts in each domain how much speaks for it: what `pod` prefers about placed pods, and what those want of it. */
export function addAttractions(pod: Pod, counts: DomainCounts, around: Surroundings): void {
  const own = preferencesOf(pod);
  for (const placed of own.length > 0 ? around.placed() : around.attracting()) {
    const node = around.node(placed.node);
    const add = (preferences: readonly Preference[], owner: Pod, other: Pod): void => {
      for (const { term, weight } of preferences) {
        if (selects(term, owner, other, around)) counts.add(term.topologyKey, node, weight);
      }
    };
    add(own, pod, placed.pod);
    add([...preferencesOf(placed.pod), ...needsOf(placed.pod)], placed.pod, pod);
  }
}

interface Preference {
  readonly term: PodAffinityTerm;
  /** Negative for what is rather kept away. */
  readonly weight: number;
}

function preferencesOf({ spec }: Pod): readonly Preference[] {
  const { podAffinity, podAntiAffinity } = spec?.affinity ?? {};
  const near = podAffinity?.preferredDuringSchedulingIgnoredDuringExecution ?? [];
  const far = podAntiAffinity?.preferredDuringSchedulingIgnoredDuringExecution ?? [];
  return [
    ...near.map(({ weight, podAffinityTerm: term }) => ({ term, weight })),
    ...far.map(({ weight, podAffinityTerm: term }) => ({ term, weight: -weight })),
  ];
}

/** What a placed pod needed speaks a little for those who come after it. */
function needsOf({ spec }: Pod): readonly Preference[] {
  const needed = spec?.affinity?.podAffinity?.requiredDuringSchedulingIgnoredDuringExecution ?? [];
  return needed.map((term) => ({ term, weight: 1 }));
}

/** Where pods are that satisfy all terms at once. */
function countNear(pod: Pod, terms: readonly PodAffinityTerm[], around: Surroundings): DomainCounts {
  const counts = new DomainCounts();
  for (const placed of around.placed()) {
    if (!terms.every((term) => selects(term, pod, placed.pod, around))) continue;
    for (const { topologyKey } of terms) counts.add(topologyKey, around.node(placed.node));
  }
  return counts;
}

function countOccupied(pod: Pod, terms: readonly PodAffinityTerm[], around: Surroundings): DomainCounts {
  const counts = new DomainCounts();
  for (const placed of around.placed()) {
    for (const term of terms) {
      if (selects(term, pod, placed.pod, around)) counts.add(term.topologyKey, around.node(placed.node));
    }
  }
  return counts;
}

function countGuarded(pod: Pod, around: Surroundings): DomainCounts {
  const counts = new DomainCounts();
  for (const placed of around.repelling()) {
    for (const term of repulsionsOf(placed.pod)) {
      if (selects(term, placed.pod, pod, around)) counts.add(term.topologyKey, around.node(placed.node));
    }
  }
  return counts;
}

/** True when a term of `owner` speaks of `other`. Without any word about namespaces it is about the owner's own. */
function selects(term: PodAffinityTerm, owner: Pod, other: Pod, around: Surroundings): boolean {
  const { namespaces = [], namespaceSelector, labelSelector } = term;
  const namespace = other.metadata?.namespace ?? "";
  const own = namespaces.length === 0 && namespaceSelector === undefined && namespace === owner.metadata?.namespace;
  const isMeant =
    own || namespaces.includes(namespace) || selectorMatches(namespaceSelector, around.namespaceLabels(namespace));
  return isMeant && selectorMatches(labelSelector, other.metadata?.labels);
}
