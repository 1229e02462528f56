/**
 * Measures one operator once: each scenario in turn, on fresh control planes. Scenarios that build on each other share one:
 * what was converged then idles, is disturbed, and is what a restart finds.
 */
import type { Sample } from "../benchmark.ts";
import { type BenchPlane, startBenchPlane } from "./driver/control-plane.ts";
import { type OperatorCommand, startOperator } from "./driver/operator.ts";
import { bigCache } from "./scenarios/big-cache.ts";
import { coldStart } from "./scenarios/cold-start.ts";
import { converge } from "./scenarios/converge.ts";
import { idle } from "./scenarios/idle.ts";
import { healing, reaction } from "./scenarios/latency.ts";
import type { ScenarioPorts } from "./scenarios/scenario.ts";

/** The scenarios, in the order in which they run. */
export const SCENARIOS = ["cold", "converge", "idle", "reaction", "healing", "big", "huge", "many"] as const;

/** One of `SCENARIOS`. */
export type ScenarioName = (typeof SCENARIOS)[number];

/** What answers no sooner with 20 000 objects is not tried with 100 000: it would hold up all others. */
const BIG_SECONDS_MAX = 30;

/** How much is measured. */
export interface MeasureOptions {
  readonly scenarios: ReadonlySet<ScenarioName>;
  /** Widgets of the scenario "converge". */
  readonly count: number;
  /** Widgets of the scenario "many". */
  readonly countMany: number;
  /** Widgets that a restart finds in "big". */
  readonly countBig: number;
  /** Widgets that a restart finds in "huge". */
  readonly countHuge: number;
  /** Told of each step. */
  readonly log: (line: string) => void;
}

/** Measures an operator. */
export async function measureOperator(command: OperatorCommand, options: MeasureOptions): Promise<Sample> {
  const { scenarios, countMany } = options;
  const isOnFirst = [...scenarios].some((scenario) => scenario !== "many");
  const first = isOnFirst ? await onFreshPlane(command, (ports) => firstPlane(ports, options)) : {};
  if (!scenarios.has("many")) return first;
  const {
    converge: seconds,
    cpu,
    memory,
    requests,
  } = await onFreshPlane(command, (ports) => convergeOnly(ports, countMany));
  const many = {
    "many converge": seconds,
    "many cpu": cpu,
    "many memory": memory,
    "many requests": requests,
  } as Sample;
  options.log(format(many));
  return { ...first, ...many };
}

async function onFreshPlane(command: OperatorCommand, run: (ports: ScenarioPorts) => Promise<Sample>): Promise<Sample> {
  await using plane: BenchPlane = await startBenchPlane();
  return await run({ plane, start: () => startOperator(command, plane.kubeconfig) });
}

async function convergeOnly(ports: ScenarioPorts, count: number): Promise<Sample> {
  const { sample, operator } = await converge(ports, count);
  await operator[Symbol.asyncDispose]();
  return sample;
}

async function firstPlane(ports: ScenarioPorts, options: MeasureOptions): Promise<Sample> {
  const { scenarios, count, countBig, countHuge, log } = options;
  const sample: Record<string, number> = {};
  const note = (measured: Sample): void => {
    Object.assign(sample, measured);
    log(format(measured));
  };
  if (scenarios.has("cold")) note(await coldStart(ports));
  if (scenarios.size === 1 && scenarios.has("cold")) return sample;
  await runningScenarios(ports, options, note);
  if (scenarios.has("big")) note(await bigCache(ports, { metric: "big", filled: count, count: countBig }));
  if (!scenarios.has("huge")) return sample;
  const filled = scenarios.has("big") ? countBig : count;
  if ((sample["big answers"] ?? 0) > BIG_SECONDS_MAX) log(`huge is left out: big took more than ${BIG_SECONDS_MAX} s`);
  else note(await bigCache(ports, { metric: "huge", filled, count: countHuge }));
  return sample;
}

/** Those that need an operator that has converged. */
async function runningScenarios(
  { plane, start }: ScenarioPorts,
  { scenarios, count }: MeasureOptions,
  note: (sample: Sample) => void,
): Promise<void> {
  const converged = await converge({ plane, start }, count);
  await using operator = converged.operator;
  note(converged.sample);
  if (scenarios.has("idle")) note(await idle({ plane, operator }));
  if (scenarios.has("reaction")) note(await reaction({ plane, operator }));
  if (scenarios.has("healing")) note(await healing({ plane, operator }));
}

function format(sample: Sample): string {
  return Object.entries(sample)
    .map(([metric, value]) => `${metric} ${value.toPrecision(4)}`)
    .join(", ");
}
