/** From a measurement and its target to replicas and what the status shows: of pods, in percent or amounts, or of all. Pure. */
import type { MetricTarget } from "@kubewright/api/autoscaling/v2";
import type { Pod } from "@kubewright/api/core/v1";
import { formatQuantity, parseQuantity, quantityToNumber } from "@kubewright/core/meta";
import { podResources } from "../quota/pod-resources.ts";
import { isPodReady } from "../workload/pod-state.ts";
import type { ReadMetric } from "./metrics.ts";
import {
  type PodMeasurement,
  replicasForAverage,
  replicasForPods,
  replicasForRatio,
  type Tolerance,
} from "./replicas.ts";

/** What a metric is judged by. */
export interface ProposalInput {
  readonly namespace: string;
  readonly pods: readonly Pod[];
  readonly currentReplicas: number;
  readonly statusReplicas: number;
  readonly read: ReadMetric;
  readonly tolerance: Tolerance;
  readonly now: number;
}

/** What the use of a resource calls for. */
export interface ResourceProposal {
  readonly replicas: number;
  readonly label: string;
  readonly current: { readonly averageValue: string; readonly averageUtilization?: number };
}

/** CPU or memory of pods, or of one of their containers. */
export function resourceProposal(
  resource: string,
  target: MetricTarget,
  input: ProposalInput,
  container?: string,
): ResourceProposal {
  const query = { type: "Resource", resource, ...(container === undefined ? {} : { container }) } as const;
  const usageOf = (pod: Pod): number | undefined => input.read({ ...query, pod });
  const missing = `unable to get metrics for resource ${resource}: no metrics returned from resource metrics API`;
  if (target.averageValue !== undefined) {
    const wanted = amount(target.averageValue);
    const measured = named(`failed to get ${resource} usage`, () =>
      averageProposal(wanted, { ...input, usageOf, missing, isCpu: resource === "cpu" }),
    );
    return { replicas: measured.replicas, label: "", current: { averageValue: formatAmount(measured.average) } };
  }
  return named(`failed to get ${resource} utilization`, () =>
    utilizationProposal(resource, { ...input, target: target.averageUtilization ?? 0, usageOf, missing, container }),
  );
}

/** Measured pod by pod. */
export interface Measured extends ProposalInput {
  readonly usageOf: (pod: Pod) => number | undefined;
  /** What to say when nothing was measured at all. */
  readonly missing: string;
  readonly isCpu?: boolean;
}

/** Percent of what the pods request. */
function utilizationProposal(
  resource: string,
  input: Measured & { readonly target: number; readonly container: string | undefined },
): ResourceProposal {
  requireMeasurements(input);
  const requestOf = (pod: Pod): number => requested(pod, resource, input.container);
  const percent = (usage: ReadonlyMap<Pod, number>): number => {
    const requests = [...usage.keys()].reduce((sum, pod) => sum + requestOf(pod), 0);
    return Math.trunc((total(usage) * 100) / requests);
  };
  for (const pod of input.pods) requestOf(pod); // All must say what they request.
  const { replicas, usage } = replicasForPods({
    ...input,
    isCpu: resource === "cpu",
    assumedUsage: (pod) => (requestOf(pod) * Math.max(100, input.target)) / 100,
    ratioOf: (amounts) => percent(amounts) / input.target,
  });
  const current = { averageUtilization: percent(usage), averageValue: formatAmount(total(usage) / usage.size) };
  return { replicas, label: " utilization (percentage of request)", current };
}

/** An amount per pod. */
export function averageProposal(
  wanted: number,
  input: Measured,
): { readonly replicas: number; readonly average: number } {
  requireMeasurements(input);
  const measurement: PodMeasurement = {
    ...input,
    isCpu: input.isCpu === true,
    assumedUsage: () => wanted,
    ratioOf: (amounts) => total(amounts) / amounts.size / wanted,
  };
  const { replicas, usage } = replicasForPods(measurement);
  return { replicas, average: total(usage) / usage.size };
}

/** An amount for all pods together, as it is or shared among them. */
export function totalProposal(
  usage: number,
  target: MetricTarget,
  { currentReplicas, statusReplicas, tolerance, pods }: ProposalInput,
): { readonly replicas: number; readonly current: { readonly value?: string; readonly averageValue?: string } } {
  if (target.averageValue !== undefined) {
    const wanted = { target: amount(target.averageValue), statusReplicas, tolerance };
    return {
      replicas: replicasForAverage(usage, wanted),
      current: { averageValue: formatAmount(usage / statusReplicas) },
    };
  }
  const readyPods = pods.filter((pod) => pod.status?.phase === "Running" && isPodReady(pod)).length;
  const replicas = replicasForRatio(usage / amount(target.value), { currentReplicas, readyPods, tolerance });
  return { replicas, current: { value: formatAmount(usage) } };
}

function requireMeasurements({ pods, usageOf, missing }: Measured): void {
  if (pods.every((pod) => usageOf(pod) === undefined)) throw new Error(missing);
}

function requested(pod: Pod, resource: string, container: string | undefined): number {
  const containers = (pod.spec?.containers ?? []).filter(({ name }) => container === undefined || name === container);
  const lacking = containers.find(({ resources }) => resources?.requests?.[resource] === undefined);
  if (lacking !== undefined && pod.spec?.resources?.requests?.[resource] === undefined) {
    throw new Error(`missing request for ${resource} in container ${lacking.name} of Pod ${pod.metadata?.name}`);
  }
  const narrowed: Pod = container === undefined ? pod : { ...pod, spec: { containers } };
  const quantity = podResources(narrowed, "requests").get(resource);
  return quantity === undefined ? 0 : quantityToNumber(quantity);
}

function named<Value>(what: string, work: () => Value): Value {
  try {
    return work();
  } catch (error) {
    throw new Error(`${what}: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
  }
}

function total(usage: ReadonlyMap<Pod, number>): number {
  return [...usage.values()].reduce((sum, value) => sum + value, 0);
}

/** A quantity as a number. */
export function amount(text: string | undefined): number {
  return quantityToNumber(parseQuantity(text ?? "0"));
}

/** A number as a quantity in thousandths, as Kubernetes keeps measurements. */
export function formatAmount(value: number): string {
  return formatQuantity(parseQuantity(`${Math.ceil(value * 1000 - 1e-6)}m`));
}
