/** How many pods of a budget may be disrupted now. Pure; controller.ts finds the pods and writes the status. */
import type { Pod } from "@kubewright/api/core/v1";
import type { PodDisruptionBudget, PodDisruptionBudgetStatus } from "@kubewright/api/policy/v1";
import { scaleIntOrPercent, setCondition } from "@kubewright/core/meta";
import { isPodReady, isPodTerminating } from "../workload/pod-state.ts";

/** How long a pod whose eviction was granted may take to be deleted before it counts again. */
const DELETION_MS_MAX = 2 * 60_000;

/** What the status is computed from. */
export interface BudgetInput {
  readonly budget: PodDisruptionBudget;
  /** The pods that the budget selects. */
  readonly pods: readonly Pod[];
  /** How many pods their controllers want; needed unless `minAvailable` is a number. */
  readonly expectedScale: number;
  readonly now: number;
}

/** True when the budget is a share of what the controllers of its pods want. */
export function needsScale({ spec }: PodDisruptionBudget): boolean {
  return spec?.maxUnavailable !== undefined || typeof spec?.minAvailable === "string";
}

/** The status, and when it has to be looked at again although nothing changes. */
export function budgetStatus(input: BudgetInput): {
  readonly status: PodDisruptionBudgetStatus;
  readonly recheckAt: number | undefined;
} {
  const { budget, pods, now } = input;
  const { expectedPods, desiredHealthy } = expectation(input);
  const disrupted = pendingDisruptions(input);
  const currentHealthy = pods.filter(
    (pod) => !isPodTerminating(pod) && isPodReady(pod) && !disrupted.has(pod.metadata?.name ?? ""),
  ).length;
  const disruptionsAllowed = expectedPods <= 0 ? 0 : Math.max(0, currentHealthy - desiredHealthy);
  const counts = { currentHealthy, desiredHealthy, expectedPods, disruptionsAllowed };
  const times = [...disrupted.values()].map((time) => Date.parse(time) + DELETION_MS_MAX);
  return {
    status: {
      ...counts,
      ...(disrupted.size === 0 ? {} : { disruptedPods: Object.fromEntries(disrupted) }),
      ...withObserved(budget),
      conditions: conditionsFor(budget, disruptionsAllowed, now),
    },
    recheckAt: times.length === 0 ? undefined : Math.min(...times),
  };
}

/** The status when the number of expected pods cannot be found out: nothing may be disrupted. */
export function failedStatus(budget: PodDisruptionBudget, message: string, now: number): PodDisruptionBudgetStatus {
  const failure = { type: "DisruptionAllowed", status: "False", reason: "SyncFailed", message } as const;
  const conditions = setCondition(budget.status?.conditions, { ...failure, ...withObserved(budget) }, now);
  return { ...budget.status, ...withObserved(budget), disruptionsAllowed: 0, conditions };
}

function expectation({ budget, pods, expectedScale }: BudgetInput): {
  readonly expectedPods: number;
  readonly desiredHealthy: number;
} {
  const { minAvailable = 0, maxUnavailable } = budget.spec ?? {};
  if (maxUnavailable !== undefined) {
    const unavailable = scaleIntOrPercent(maxUnavailable, expectedScale, "up");
    return { expectedPods: expectedScale, desiredHealthy: Math.max(0, expectedScale - unavailable) };
  }
  if (typeof minAvailable === "number") return { expectedPods: pods.length, desiredHealthy: minAvailable };
  return { expectedPods: expectedScale, desiredHealthy: scaleIntOrPercent(minAvailable, expectedScale, "up") };
}

/** Pods whose eviction was granted and whose deletion has not been seen yet. */
function pendingDisruptions({ budget, pods, now }: BudgetInput): ReadonlyMap<string, string> {
  const granted = budget.status?.disruptedPods ?? {};
  const names = pods.filter((pod) => !isPodTerminating(pod)).map(({ metadata }) => metadata?.name ?? "");
  const pending = names.flatMap((name): [string, string][] => {
    const time = Object.hasOwn(granted, name) ? granted[name] : undefined;
    return time !== undefined && Date.parse(time) + DELETION_MS_MAX > now ? [[name, time]] : [];
  });
  return new Map(pending);
}

function conditionsFor(
  budget: PodDisruptionBudget,
  allowed: number,
  now: number,
): NonNullable<PodDisruptionBudgetStatus["conditions"]> {
  const told =
    allowed > 0
      ? ({ status: "True", reason: "SufficientPods" } as const)
      : ({ status: "False", reason: "InsufficientPods" } as const);
  const update = { type: "DisruptionAllowed", ...told, message: "", ...withObserved(budget) };
  return setCondition(budget.status?.conditions, update, now);
}

function withObserved({ metadata }: PodDisruptionBudget): { readonly observedGeneration?: number } {
  return metadata?.generation === undefined ? {} : { observedGeneration: metadata.generation };
}
