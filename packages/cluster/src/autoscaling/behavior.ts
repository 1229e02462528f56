/**
 * How fast an autoscaler may follow its measurements: recommendations are steadied over a window, and changes are limited per
 * period. Pure: the memory goes in, the controller keeps it.
 */
import type { HorizontalPodAutoscalerBehavior, HPAScalingRules } from "@kubewright/api/autoscaling/v2";
import { parseQuantity, quantityToNumber } from "@kubewright/core/meta";
import type { Tolerance } from "./replicas.ts";

/** How far a ratio may be from 1 unless the rules say otherwise. */
const TOLERANCE = 0.1;

/** Something that happened at a time, in milliseconds since the epoch. */
export interface Dated {
  readonly at: number;
  readonly replicas: number;
}

/** What an autoscaler remembers. */
export interface ScalingMemory {
  /** What was recommended. */
  readonly recommendations: readonly Dated[];
  /** By how much it was scaled up. */
  readonly added: readonly Dated[];
  /** By how much it was scaled down. */
  readonly removed: readonly Dated[];
}

/** What applies where an autoscaler says nothing. */
const upDefault: Required<Omit<HPAScalingRules, "tolerance">> = {
  stabilizationWindowSeconds: 0,
  selectPolicy: "Max",
  policies: [
    { type: "Pods", value: 4, periodSeconds: 15 },
    { type: "Percent", value: 100, periodSeconds: 15 },
  ],
};
const downDefault: Required<Omit<HPAScalingRules, "tolerance">> = {
  stabilizationWindowSeconds: 300,
  selectPolicy: "Max",
  policies: [{ type: "Percent", value: 100, periodSeconds: 15 }],
};

/** Rules in which nothing is left open. */
export interface Rules {
  readonly up: Required<Omit<HPAScalingRules, "tolerance">>;
  readonly down: Required<Omit<HPAScalingRules, "tolerance">>;
  readonly tolerance: Tolerance;
}

/** The rules of an autoscaler. */
export function rulesOf(behavior: HorizontalPodAutoscalerBehavior = {}): Rules {
  const { tolerance: up, ...upRules } = behavior.scaleUp ?? {};
  const { tolerance: down, ...downRules } = behavior.scaleDown ?? {};
  return {
    up: { ...upDefault, ...upRules },
    down: { ...downDefault, ...downRules },
    tolerance: { up: toleranceOf(up), down: toleranceOf(down) },
  };
}

/** The recommendation within what was recommended in the windows: never lower than all, never higher. */
export function stabilize(desired: number, current: number, { memory, rules, now }: Limits): number {
  const since = (seconds: number): readonly number[] =>
    memory.recommendations.filter(({ at }) => at > now - seconds * 1000).map(({ replicas }) => replicas);
  const lowest = Math.min(desired, ...since(rules.up.stabilizationWindowSeconds));
  const highest = Math.max(desired, ...since(rules.down.stabilizationWindowSeconds));
  return Math.min(Math.max(current, lowest), highest);
}

/** What limits a change. */
export interface Limits {
  readonly memory: ScalingMemory;
  readonly rules: Rules;
  readonly now: number;
}

/** The most replicas that may be wanted now. */
export function upperLimit(current: number, limits: Limits): number {
  const { up } = limits.rules;
  if (up.selectPolicy === "Disabled") return current;
  const proposals = up.policies.map(({ type, value, periodSeconds }) => {
    const start = replicasBefore(current, periodSeconds, limits);
    return type === "Pods" ? start + value : Math.ceil(start * (1 + value / 100));
  });
  return Math.max(current, up.selectPolicy === "Min" ? Math.min(...proposals) : Math.max(...proposals));
}

/** The fewest replicas that may be wanted now. */
export function lowerLimit(current: number, limits: Limits): number {
  const { down } = limits.rules;
  if (down.selectPolicy === "Disabled") return current;
  const proposals = down.policies.map(({ type, value, periodSeconds }) => {
    const start = replicasBefore(current, periodSeconds, limits);
    return type === "Pods" ? start - value : Math.trunc(start * (1 - value / 100));
  });
  return Math.min(current, down.selectPolicy === "Min" ? Math.max(...proposals) : Math.min(...proposals));
}

/** The memory without what no rule can ask for any more. */
export function forgetOld(memory: ScalingMemory, rules: Rules, now: number): ScalingMemory {
  const periods = [...rules.up.policies, ...rules.down.policies].map(({ periodSeconds }) => periodSeconds);
  const window = Math.max(rules.up.stabilizationWindowSeconds, rules.down.stabilizationWindowSeconds);
  const recent = (list: readonly Dated[], seconds: number): readonly Dated[] =>
    list.filter(({ at }) => at > now - seconds * 1000);
  return {
    recommendations: recent(memory.recommendations, window),
    added: recent(memory.added, Math.max(0, ...periods)),
    removed: recent(memory.removed, Math.max(0, ...periods)),
  };
}

function replicasBefore(current: number, periodSeconds: number, { memory, now }: Limits): number {
  const sum = (list: readonly Dated[]): number =>
    list.filter(({ at }) => at > now - periodSeconds * 1000).reduce((total, { replicas }) => total + replicas, 0);
  return current - sum(memory.added) + sum(memory.removed);
}

function toleranceOf(text: string | undefined): number {
  return text === undefined ? TOLERANCE : quantityToNumber(parseQuantity(text));
}
