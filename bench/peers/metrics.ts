/** What is measured, in the order of the tables, and what Kubewright promises about it beside controller-runtime. */
import type { BenchmarkPromise } from "../benchmark.ts";
import type { ScenarioName } from "./scenarios/scenario-name.ts";

/** Our program, and the one it is compared with. */
export const OURS = "kubewright";
/** The peer that promises are about. */
export const PEER = "controller-runtime";

/** How an operator is set up: as its framework comes, or for 16 reconciles at once and no limit of its own. */
export const SETTINGS = ["tuned", "defaults"] as const;

/** One of `SETTINGS`. */
export type Setting = (typeof SETTINGS)[number];

/** The name of a framework's variant. */
export function variantName(framework: string, setting: Setting): string {
  return `${framework} ${setting}`;
}

/** The units of the metrics of each scenario. */
const UNITS: Readonly<Record<ScenarioName, Readonly<Record<string, string>>>> = {
  cold: { "cold start": "s" },
  converge: { converge: "s", cpu: "s", memory: "MB", requests: "per object", "server cpu": "s" },
  idle: { idle: "ms" },
  reaction: { "reaction p50": "ms", "reaction p99": "ms" },
  healing: { "healing p50": "ms", "healing p99": "ms" },
  big: { "big answers": "s", "big cpu": "s", "big memory": "MB", "big writes": "" },
  huge: { "huge answers": "s", "huge cpu": "s", "huge memory": "MB", "huge writes": "" },
  many: { "many converge": "s", "many cpu": "s", "many memory": "MB", "many requests": "per object" },
};

/** The units of all metrics of the chosen scenarios, in the order of the tables. */
export function unitsOf(scenarios: readonly ScenarioName[]): Readonly<Record<string, string>> {
  return Object.assign({}, ...scenarios.map((scenario) => UNITS[scenario]));
}

/** Lists, and a retry here and there, beside two requests for each object. */
const REQUESTS_MAX = 2.05;

/** Limits on our figures as ratios to the peer's, tuned both. Those on latencies are of `bench/latency`, where both run side by side. */
const RATIOS: readonly (readonly [metric: string, below: number])[] = [
  ["cold start", 1],
  ["converge", 0.95],
  ["cpu", 1.25],
  ["memory", 1.8],
  ["many converge", 0.95],
  ["many cpu", 1.25],
  ["many memory", 1.8],
  ["idle", 1],
  ["big answers", 0.6],
  ["big cpu", 0.6],
  ["big memory", 0.8],
  ["huge memory", 0.6],
];

/** Limits on our figures as they are. */
const LIMITS: readonly (readonly [metric: string, below: number])[] = [
  ["requests", REQUESTS_MAX],
  ["many requests", REQUESTS_MAX],
  ["big writes", 1],
  ["huge writes", 1],
];

/** The promises about metrics and variants that are measured. */
export function promisesOf(metrics: readonly string[], variants: readonly string[]): readonly BenchmarkPromise[] {
  const tuned = { ours: variantName(OURS, "tuned"), peer: variantName(PEER, "tuned") };
  const defaults = { ours: variantName(OURS, "defaults"), peer: variantName(PEER, "defaults") };
  const promises: readonly BenchmarkPromise[] = [
    ...RATIOS.map(([metric, below]) => ({ metric, ...tuned, below })),
    { metric: "converge", ...defaults, below: 0.5 },
    ...LIMITS.map(([metric, below]) => ({ metric, ours: tuned.ours, below })),
  ];
  return promises.filter(
    ({ metric, ours, peer = ours }) => metrics.includes(metric) && variants.includes(ours) && variants.includes(peer),
  );
}
