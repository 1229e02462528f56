/**
 * Preemption: which pods of lower priority have to go so that a pod finds a node. On each node as few as possible go, the
 * least important ones, and rather those without a disruption budget; then the node is chosen where that hurts least.
 * Pure; scheduler.ts carries it out.
 */
import type { Pod } from "@kubewright/api/core/v1";
import type { PodDisruptionBudget } from "@kubewright/api/policy/v1";
import { selectorMatches } from "@kubewright/core/meta";
import { isPodTerminating } from "../workload/pod-state.ts";
import { availability, filterFor } from "./choose-node.ts";
import type { NodeLoad } from "./node-ledger.ts";
import { final, type Refusal } from "./refusal.ts";
import { requestsOf } from "./resources.ts";
import type { PlacedPod, Surroundings } from "./surroundings.ts";

/** The reason of the condition by which a victim tells why it goes. */
export const PREEMPTED = "PreemptionByScheduler";

/** The answer: who has to go from which node, or why nobody does, in kube-scheduler's words. */
export type Preemption = { readonly node: string; readonly victims: readonly Pod[] } | { readonly problem: string };

/** What a pod would preempt; undefined where there is not a single node. */
export function planPreemption(
  pod: Pod,
  loads: readonly NodeLoad[],
  around: Surroundings,
  budgets: () => readonly PodDisruptionBudget[],
): Preemption | undefined {
  if (loads.length === 0) return undefined;
  if (pod.spec?.preemptionPolicy === "Never") return { problem: "not eligible due to preemptionPolicy=Never." };
  const weaker = weakerByNode(pod, around);
  const nominated = weaker.get(pod.status?.nominatedNodeName ?? "") ?? [];
  if (nominated.some(isGoing)) return { problem: "not eligible due to a terminating pod on the nominated node." };
  const whyNot = filterFor(pod, loads, around);
  const reasons = new Map<string, number>();
  const candidates: Candidate[] = [];
  for (const load of loads) {
    const outcome = whyNot(load)?.isResolvable
      ? victimsOn({ pod, load, loads, around, budgets }, weaker.get(load.node.metadata?.name ?? "") ?? [])
      : final("Preemption is not helpful for scheduling");
    if ("victims" in outcome) candidates.push(outcome);
    else for (const reason of outcome.reasons) reasons.set(reason, (reasons.get(reason) ?? 0) + 1);
  }
  const [best] = candidates.toSorted(compareCandidates);
  return best === undefined ? { problem: availability(loads.length, reasons) } : best;
}

interface Candidate {
  readonly node: string;
  /** The most important first. */
  readonly victims: readonly Pod[];
  /** How many of them their budgets would have kept. */
  readonly violations: number;
}

interface Question {
  readonly pod: Pod;
  readonly load: NodeLoad;
  readonly loads: readonly NodeLoad[];
  readonly around: Surroundings;
  readonly budgets: () => readonly PodDisruptionBudget[];
}

/** All weaker pods are thought away; then each comes back, the most important first, unless the pod would not fit with it. */
function victimsOn(question: Question, weaker: readonly Pod[]): Candidate | Refusal {
  const { load, budgets } = question;
  if (weaker.length === 0) return final("No preemption victims found for incoming pod");
  const gone = new Set(weaker);
  const refusal = whyNotWithout(question, gone);
  if (refusal !== undefined) return refusal;
  const kept = keptByBudgets(weaker.toSorted(compareImportance), budgets());
  let violations = 0;
  for (const { pod, isProtected } of kept) {
    gone.delete(pod);
    if (whyNotWithout(question, gone) === undefined) continue;
    gone.add(pod);
    violations += isProtected ? 1 : 0;
  }
  return { node: load.node.metadata?.name ?? "", victims: [...gone].sort(compareImportance), violations };
}

/** Why the pod would not fit on the node if some pods were not there. */
function whyNotWithout({ pod, load, loads, around }: Question, gone: ReadonlySet<Pod>): Refusal | undefined {
  const used = new Map(load.used);
  for (const other of gone) {
    for (const [name, amount] of requestsOf(other)) used.set(name, (used.get(name) ?? 0n) - amount);
  }
  const uids = new Set(Array.from(gone, ({ metadata }) => metadata?.uid));
  const isThere = ({ pod: other }: PlacedPod): boolean => !uids.has(other.metadata?.uid);
  const left: Surroundings = {
    ...around,
    placed: () => [...around.placed()].filter(isThere),
    repelling: () => [...around.repelling()].filter(isThere),
  };
  return filterFor(pod, loads, left)({ ...load, used, hosting: load.hosting.filter(isThere) });
}

/** Those whose budgets allow no further disruption come first: they are the first to stay. */
function keptByBudgets(
  pods: readonly Pod[],
  budgets: readonly PodDisruptionBudget[],
): readonly { readonly pod: Pod; readonly isProtected: boolean }[] {
  const left = budgets.map((budget) => ({ budget, allowed: budget.status?.disruptionsAllowed ?? 0 }));
  const judged = pods.map((pod) => {
    const mine = left.filter(({ budget }) => covers(budget, pod));
    for (const each of mine) each.allowed -= 1;
    return { pod, isProtected: mine.some(({ allowed }) => allowed < 0) };
  });
  return [...judged.filter((each) => each.isProtected), ...judged.filter((each) => !each.isProtected)];
}

function covers({ metadata, spec, status }: PodDisruptionBudget, pod: Pod): boolean {
  const { namespace, name = "", labels } = pod.metadata ?? {};
  const isCounted = Object.hasOwn(status?.disruptedPods ?? {}, name);
  return metadata?.namespace === namespace && !isCounted && selectorMatches(spec?.selector, labels);
}

function weakerByNode(pod: Pod, around: Surroundings): ReadonlyMap<string, readonly Pod[]> {
  const priority = priorityOf(pod);
  const weaker = new Map<string, Pod[]>();
  for (const { pod: other, node } of around.placed()) {
    if (priorityOf(other) < priority) weaker.set(node, [...(weaker.get(node) ?? []), other]);
  }
  return weaker;
}

/** The priority of a pod. */
export function priorityOf({ spec }: Pod): number {
  return spec?.priority ?? 0;
}

/** True for a victim that has not gone yet. */
function isGoing(pod: Pod): boolean {
  return isPodTerminating(pod) && pod.status?.conditions?.some(({ reason }) => reason === PREEMPTED) === true;
}

/** The more important first: by priority, then by age. */
function compareImportance(left: Pod, right: Pod): number {
  return priorityOf(right) - priorityOf(left) || startOf(left) - startOf(right);
}

/** The fewest violations, then the least important victims, then the fewest, then the youngest. */
function compareCandidates(left: Candidate, right: Candidate): number {
  const highest = ({ victims: [first] }: Candidate): number => (first === undefined ? 0 : priorityOf(first));
  const total = ({ victims }: Candidate): number => victims.reduce((sum, pod) => sum + priorityOf(pod), 0);
  const earliest = ({ victims }: Candidate): number => Math.min(...victims.map(startOf));
  return (
    left.violations - right.violations ||
    highest(left) - highest(right) ||
    total(left) - total(right) ||
    left.victims.length - right.victims.length ||
    earliest(right) - earliest(left)
  );
}

function startOf({ status, metadata }: Pod): number {
  return Date.parse(status?.startTime ?? metadata?.creationTimestamp ?? "") || 0;
}
