/**
 * Measures one operator once: each scenario in turn, on fresh control planes. Scenarios that build on each other share one:
 * what was converged then idles, is disturbed, and is what a restart finds.
 */
import type { Sample } from "../benchmark.ts";
import { type BenchPlane, startBenchPlane } from "./driver/control-plane.ts";
import { type OperatorCommand, startOperator } from "./driver/operator.ts";
import { unitsOf } from "./metrics.ts";
import { bigCache } from "./scenarios/big-cache.ts";
import { coldStart } from "./scenarios/cold-start.ts";
import { converge } from "./scenarios/converge.ts";
import { idle } from "./scenarios/idle.ts";
import { healing, reaction } from "./scenarios/latency.ts";
import type { ScenarioPorts } from "./scenarios/scenario.ts";
import type { ScenarioName } from "./scenarios/scenario-name.ts";

/** What needs more CPU for 20 000 objects is not tried with 100 000: it would hold up all others. */
const BIG_CPU_SECONDS_MAX = 30;

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

/**
 * Measures an operator. What fails ends neither the run nor what does not build on it: its figures are missing, and the table
 * shows it.
 */
export async function measureOperator(command: OperatorCommand, options: MeasureOptions): Promise<Sample> {
  const sample: Record<string, number> = {};
  const note = (measured: Sample): void => {
    Object.assign(sample, measured);
    options.log(format(measured));
  };
  for (const part of [onFirstPlane, manyOnAnother]) {
    try {
      await part(command, options, note);
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      options.log(`failed: ${reason}; its output is in ${command.logFile}`);
    }
  }
  return sample;
}

/** Tells what was measured, as soon as it was. */
type Note = (sample: Sample) => void;

async function manyOnAnother(command: OperatorCommand, options: MeasureOptions, note: Note): Promise<void> {
  if (!options.scenarios.has("many")) return;
  await using plane = await startBenchPlane();
  const { sample, operator } = await converge(portsOf(plane, command), options.countMany);
  await operator[Symbol.asyncDispose]();
  const names = Object.keys(unitsOf(["many"])).map((name) => [name, name.replace("many ", "")] as const);
  note(Object.fromEntries(names.map(([name, measured]) => [name, sample[measured] ?? Number.NaN])));
}

async function onFirstPlane(command: OperatorCommand, options: MeasureOptions, note: Note): Promise<void> {
  const { scenarios, count, countBig } = options;
  const wanted = [...scenarios].filter((scenario) => scenario !== "many");
  if (wanted.length === 0) return;
  await using plane = await startBenchPlane();
  const ports = portsOf(plane, command);
  if (scenarios.has("cold")) note(await coldStart(ports));
  if (wanted.every((scenario) => scenario === "cold")) return;
  await runningScenarios(ports, options, note);
  const big = scenarios.has("big") ? await bigCache(ports, { metric: "big", filled: count, count: countBig }) : {};
  if (scenarios.has("big")) note(big);
  if (scenarios.has("huge")) await hugeCache(ports, { ...options, big, note });
}

async function hugeCache(
  ports: ScenarioPorts,
  {
    scenarios,
    count,
    countBig,
    countHuge,
    log,
    big,
    note,
  }: MeasureOptions & { readonly big: Sample; readonly note: Note },
): Promise<void> {
  const filled = scenarios.has("big") ? countBig : count;
  if ((big["big cpu"] ?? 0) > BIG_CPU_SECONDS_MAX)
    log(`huge is left out: big took over ${BIG_CPU_SECONDS_MAX} s of CPU`);
  else note(await bigCache(ports, { metric: "huge", filled, count: countHuge }));
}

function portsOf(plane: BenchPlane, command: OperatorCommand): ScenarioPorts {
  return { plane, start: () => startOperator(command, plane.kubeconfig) };
}

/** Those that need an operator that has converged. */
async function runningScenarios(
  { plane, start }: ScenarioPorts,
  { scenarios, count }: MeasureOptions,
  note: Note,
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
