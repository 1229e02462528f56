/**
 * What an autoscaler does now: from its target's scale, its pods and their measurements to a number of replicas and the conditions
 * that explain it. Pure; controller.ts reads and writes.
 */
import type { Scale } from "@kubewright/api/autoscaling/v1";
import type {
  HorizontalPodAutoscaler,
  HorizontalPodAutoscalerCondition,
  MetricStatus,
} from "@kubewright/api/autoscaling/v2";
import type { Pod } from "@kubewright/api/core/v1";
import { lowerLimit, rulesOf, type ScalingMemory, stabilize, upperLimit } from "./behavior.ts";
import type { ReadMetric } from "./metrics.ts";
import { type Failure, type Proposal, proposalFor } from "./proposal.ts";

/** What there is. */
export interface AutoscalerInput {
  readonly autoscaler: HorizontalPodAutoscaler;
  readonly scale: Scale;
  /** The pods that the target's scale selects. */
  readonly pods: readonly Pod[];
  readonly read: ReadMetric;
  readonly memory: ScalingMemory;
  readonly now: number;
}

/** A condition without its time. */
export type Told = Omit<HorizontalPodAutoscalerCondition, "lastTransitionTime">;

/** What to do. */
export interface AutoscalerPlan {
  /** How many replicas the target should have. */
  readonly desired: number;
  /** What the measurements alone call for; to be remembered. */
  readonly recommendation: number | undefined;
  /** Why the number changes. */
  readonly reason: string;
  readonly conditions: readonly Told[];
  readonly metrics: readonly MetricStatus[];
  /** Warnings to tell, when no number could be found. */
  readonly warnings: readonly { readonly reason: string; readonly note: string }[];
}

/** The next step of an autoscaler whose target has replicas to scale. */
export function planAutoscaling(input: AutoscalerInput): AutoscalerPlan {
  const { spec } = input.autoscaler;
  const current = input.scale.spec?.replicas ?? 0;
  const { minReplicas = 1, maxReplicas } = spec;
  if (current === 0 && minReplicas !== 0) return unchanged(0, [disabled]);
  if (current > maxReplicas) return forced(maxReplicas, "Current number of replicas above Spec.MaxReplicas");
  if (current < minReplicas) return forced(minReplicas, "Current number of replicas below Spec.MinReplicas");
  return measured(input, current);
}

const ready: Told = {
  type: "AbleToScale",
  status: "True",
  reason: "SucceededGetScale",
  message: "the HPA controller was able to get the target's current scale",
};
const disabled: Told = {
  type: "ScalingActive",
  status: "False",
  reason: "ScalingDisabled",
  message: "scaling is disabled since the replica count of the target is zero",
};

function unchanged(replicas: number, conditions: readonly Told[]): AutoscalerPlan {
  const all = [ready, ...conditions];
  return { desired: replicas, recommendation: undefined, reason: "", conditions: all, metrics: [], warnings: [] };
}

function forced(replicas: number, reason: string): AutoscalerPlan {
  return { ...unchanged(replicas, []), reason };
}

function measured(input: AutoscalerInput, current: number): AutoscalerPlan {
  const { autoscaler, scale, pods, read, now } = input;
  const { tolerance } = rulesOf(autoscaler.spec.behavior);
  const statusReplicas = scale.status?.replicas ?? current;
  const namespace = autoscaler.metadata?.namespace ?? "";
  const shared = { namespace, pods, currentReplicas: current, statusReplicas, read, tolerance, now };
  const results = (autoscaler.spec.metrics ?? []).map((metric) => proposalFor(metric, shared));
  const proposals = results.filter((result): result is Proposal => "replicas" in result);
  const [failure] = results.filter((result): result is Failure => "event" in result);
  const metrics = proposals.map(({ status }) => status);
  const best = proposals.reduce<Proposal | undefined>(
    (most, next) => (most && most.replicas >= next.replicas ? most : next),
    undefined,
  );
  if (failure !== undefined && (best === undefined || best.replicas < current)) {
    return { ...failed(failure, results.length - proposals.length, results.length), desired: current, metrics };
  }
  return best === undefined ? unchanged(current, []) : { ...limited(best, current, input), metrics };
}

/** Without a number that can be trusted nothing is scaled, least of all down. */
function failed(failure: Failure, invalid: number, all: number): AutoscalerPlan {
  const message = `the HPA was unable to compute the replica count: ${failure.message}`;
  const note = `invalid metrics (${invalid} invalid out of ${all}), first error is: ${failure.event}`;
  return {
    ...unchanged(0, [{ type: "ScalingActive", status: "False", reason: failure.reason, message }]),
    warnings: [
      { reason: failure.reason, note: failure.message },
      { reason: "FailedComputeMetricsReplicas", note },
    ],
  };
}

function limited({ replicas, name }: Proposal, current: number, input: AutoscalerInput): AutoscalerPlan {
  const limits = { memory: input.memory, rules: rulesOf(input.autoscaler.spec.behavior), now: input.now };
  const steady = stabilize(replicas, current, limits);
  const { desired, told } = withinLimits(steady, current, { ...input, limits });
  const active = `the HPA was able to successfully calculate a replica count from ${name}`;
  return {
    desired,
    recommendation: replicas,
    reason: replicas > current ? `${name} above target` : "All metrics below target",
    conditions: [
      steady === replicas ? steadyCondition : stabilized(replicas >= current),
      { type: "ScalingActive", status: "True", reason: "ValidMetricFound", message: active },
      { type: "ScalingLimited", status: desired === steady ? "False" : "True", ...told },
    ],
    metrics: [],
    warnings: [],
  };
}

const steadyCondition: Told = {
  type: "AbleToScale",
  status: "True",
  reason: "ReadyForNewScale",
  message: "recommended size matches current size",
};

function stabilized(isUp: boolean): Told {
  const [reason, which, extreme] = isUp
    ? ["ScaleUpStabilized", "lower", "lowest"]
    : ["ScaleDownStabilized", "higher", "highest"];
  const message = `recent recommendations were ${which} than current one, applying the ${extreme} recent recommendation`;
  return { type: "AbleToScale", status: "True", reason, message };
}

type Reasoned = { readonly desired: number; readonly told: { readonly reason: string; readonly message: string } };

/** What the rates and the bounds of the autoscaler leave of a change. */
function withinLimits(
  wanted: number,
  current: number,
  { autoscaler, limits }: AutoscalerInput & { readonly limits: Parameters<typeof upperLimit>[1] },
): Reasoned {
  const { minReplicas = 1, maxReplicas } = autoscaler.spec;
  const fast = upperLimit(current, limits);
  const slow = lowerLimit(current, limits);
  const message = (direction: string): string =>
    `the desired replica count is ${direction} faster than the maximum scale rate`;
  if (wanted > current && wanted > Math.min(fast, maxReplicas)) {
    return fast < maxReplicas
      ? { desired: fast, told: { reason: "ScaleUpLimit", message: message("increasing") } }
      : { desired: maxReplicas, told: tooMany };
  }
  if (wanted < current && wanted < Math.max(slow, minReplicas)) {
    return slow > minReplicas
      ? { desired: slow, told: { reason: "ScaleDownLimit", message: message("decreasing") } }
      : { desired: minReplicas, told: tooFew };
  }
  return {
    desired: wanted,
    told: { reason: "DesiredWithinRange", message: "the desired count is within the acceptable range" },
  };
}

const tooMany = {
  reason: "TooManyReplicas",
  message: "the desired replica count is more than the maximum replica count",
};
const tooFew = {
  reason: "TooFewReplicas",
  message: "the desired replica count is less than the minimum replica count",
};
