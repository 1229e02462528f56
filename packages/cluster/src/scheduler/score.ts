/**
 * How much a pod likes each of the nodes that can take it: what the pod prefers, what pods on the nodes prefer, how evenly
 * pods are spread and how much room is left, with kube-scheduler's weights. Pure; choose-node.ts takes the best. Each score
 * is from 0 to 100 before its weight.
 */
import type { Node, Pod } from "@kubewright/api/core/v1";
import { DomainCounts } from "./domain-counts.ts";
import type { NodeLoad } from "./node-ledger.ts";
import { preferenceFor, unwelcomeTaints } from "./node-selection.ts";
import { addAttractions } from "./pod-affinity.ts";
import type { Surroundings } from "./surroundings.ts";
import { spreadUnevenness } from "./topology-spread.ts";

const SCORE_MAX = 100;
const TAINT_WEIGHT = 3;
const PREFERENCE_WEIGHT = 2;
/** The resources whose use is compared. */
const COMPARED = ["cpu", "memory"];

/** The scores of `fitting`, in its order. A single node needs none. */
export function scoresOf(
  pod: Pod,
  fitting: readonly NodeLoad[],
  { nodes, around }: { readonly nodes: readonly Node[]; readonly around: Surroundings },
): readonly number[] {
  if (fitting.length < 2) return fitting.map(() => 0);
  const candidates = fitting.map(({ node }) => node);
  const parts = [
    weighted(TAINT_WEIGHT, fewest(candidates.map((node) => unwelcomeTaints(pod, node)))),
    weighted(PREFERENCE_WEIGHT, most(candidates.map((node) => preferenceFor(pod, node)))),
    weighted(PREFERENCE_WEIGHT, company(pod, candidates, around)),
    weighted(PREFERENCE_WEIGHT, evenness(spreadUnevenness(pod, { nodes, candidates, around }))),
    fitting.map(roomLeft),
  ];
  return fitting.map((_, index) => parts.reduce((sum, part) => sum + (part[index] ?? 0), 0));
}

function weighted(weight: number, scores: readonly number[]): readonly number[] {
  return scores.map((score) => weight * score);
}

/** The most is best. */
function most(counts: readonly number[]): readonly number[] {
  const highest = Math.max(...counts);
  return counts.map((count) => (highest === 0 ? 0 : Math.floor((SCORE_MAX * count) / highest)));
}

/** The fewest are best. */
function fewest(counts: readonly number[]): readonly number[] {
  return most(counts).map((score) => SCORE_MAX - score);
}

/** Where pods are that this one likes, or that like it, less those that it or they would rather not have near. */
function company(pod: Pod, candidates: readonly Node[], around: Surroundings): readonly number[] {
  const attractions = new DomainCounts();
  addAttractions(pod, attractions, around);
  const sums = candidates.map((node) => attractions.sum(node));
  const [least, greatest] = [Math.min(...sums), Math.max(...sums)];
  return sums.map((sum) => (greatest === least ? 0 : Math.floor((SCORE_MAX * (sum - least)) / (greatest - least))));
}

/** The least crowded is best; a node outside all domains is worst. */
function evenness(crowds: readonly (number | undefined)[]): readonly number[] {
  const known = crowds.filter((crowd) => crowd !== undefined);
  const [least, greatest] = [Math.min(...known), Math.max(...known)];
  return crowds.map((crowd) => {
    if (crowd === undefined) return 0;
    return greatest === 0 ? SCORE_MAX : Math.floor((SCORE_MAX * (greatest + least - crowd)) / greatest);
  });
}

/** How much of what is compared is free, on average. */
function roomLeft({ offered, used }: NodeLoad): number {
  const shares = COMPARED.flatMap((name) => {
    const capacity = offered.get(name) ?? 0n;
    if (capacity === 0n) return [];
    const free = capacity - (used.get(name) ?? 0n);
    return [free <= 0n ? 0 : Number((free * BigInt(SCORE_MAX)) / capacity)];
  });
  return shares.length === 0 ? 0 : Math.floor(shares.reduce((sum, share) => sum + share, 0) / shares.length);
}
