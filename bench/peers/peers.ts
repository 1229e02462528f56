/**
 * `npm run bench -- peers`: the same operator in Kubewright and in the frameworks that one would otherwise take, on one kube-apiserver.
 * What is measured is in metrics.ts, how in measure.ts, with whom in frameworks.ts.
 */
import type { Benchmark, Extent, Sample } from "../benchmark.ts";
import { FRAMEWORKS, type Framework, operatorCommand } from "./frameworks.ts";
import { type MeasureOptions, measureOperator } from "./measure.ts";
import { OURS, PEER, promisesOf, SETTINGS, type Setting, unitsOf, variantName } from "./metrics.ts";
import { SCENARIOS, type ScenarioName } from "./scenarios/scenario-name.ts";

/** What the command line decides. */
export interface PeersOptions {
  /** Kubewright and controller-runtime only, once, without what takes long. */
  readonly quick: boolean;
  /** Everything once, of defaults the convergence; what does not take long again, for Kubewright and controller-runtime tuned. */
  readonly brief: boolean;
  readonly names: readonly string[];
  /** How many rounds. @default 3, or 5 of a brief run */
  readonly rounds: number | undefined;
  readonly scenarios: readonly string[];
  readonly settings: readonly string[];
  readonly count: number | undefined;
  readonly countBig: number | undefined;
}

/** How often everything is measured. */
const ROUNDS = 3;
/** How often a brief run measures what it measures again: that takes two minutes, and latencies differ from process to process. */
const BRIEF_ROUNDS = 5;
/** Those that do not take long. */
const SHORT_SCENARIOS: readonly ScenarioName[] = ["cold", "converge", "reaction", "healing", "big"];
/** Those that promises are about. */
const COMPARED: readonly string[] = [OURS, PEER];

/** The benchmark, as asked for. */
export function peersBenchmark(options: PeersOptions): Benchmark {
  const scenarios = chosen(SCENARIOS, options.scenarios, options.quick ? SHORT_SCENARIOS : SCENARIOS);
  const settings = chosen(SETTINGS, options.settings, SETTINGS);
  const names = FRAMEWORKS.map(({ name }) => name);
  const only = chosen(names, options.names, options.quick ? COMPARED : names);
  const frameworks = FRAMEWORKS.filter(({ name }) => only.includes(name));
  const units = unitsOf(scenarios);
  const variants = settings.flatMap((setting) =>
    frameworks
      .filter((framework) => scenarios.some((scenario) => framework.scenarios[setting].has(scenario)))
      .map((framework) => ({
        name: variantName(framework.name, setting),
        measure: (_: Extent, round: number) => {
          const inRound = scenariosOf(options, { framework, setting, round });
          const wanted = scenarios.filter((scenario) => inRound.has(scenario));
          return measure(framework, setting, { ...counts(options), scenarios: new Set(wanted) });
        },
      })),
  );
  return {
    name: "peers",
    description: "the same operator in each framework, on kube-apiserver 1.36",
    rounds: options.rounds ?? (options.brief ? BRIEF_ROUNDS : ROUNDS),
    units,
    variants,
    baseline: variantName(PEER, "tuned"),
    promises: promisesOf(
      Object.keys(units),
      variants.map(({ name }) => name),
    ),
    prepare: () => {
      for (const framework of frameworks) framework.build();
    },
  };
}

interface Turn {
  readonly framework: Framework;
  readonly setting: Setting;
  readonly round: number;
}

/** What may be measured in a turn. */
function scenariosOf({ quick, brief }: PeersOptions, { framework, setting, round }: Turn): ReadonlySet<ScenarioName> {
  const all = framework.scenarios[setting];
  const isAgain = brief && round > 0;
  if ((quick || brief) && setting === "defaults") return new Set(isAgain ? [] : ["converge"]);
  if (!isAgain) return all;
  return new Set(COMPARED.includes(framework.name) ? SHORT_SCENARIOS : []);
}

function counts({ count = 2000, countBig = 20_000 }: PeersOptions): Omit<MeasureOptions, "log" | "scenarios"> {
  return { count, countMany: count * 5, countBig, countHuge: countBig * 5 };
}

async function measure(framework: Framework, setting: Setting, options: Omit<MeasureOptions, "log">): Promise<Sample> {
  if (options.scenarios.size === 0) return {};
  const name = variantName(framework.name, setting);
  const log = (line: string): void => console.error(`${new Date().toISOString().slice(11, 19)} ${name}: ${line}`);
  return await measureOperator(operatorCommand(framework, setting), { ...options, log });
}

/** What the user named, which must be known; or what is taken when nothing was named. */
function chosen<Name extends string>(
  known: readonly Name[],
  named: readonly string[],
  otherwise: readonly Name[],
): readonly Name[] {
  const unknown = named.filter((name) => !known.some((each) => each === name));
  if (unknown.length > 0) throw new Error(`unknown: ${unknown.join(", ")}; there is ${known.join(", ")}`);
  return named.length === 0 ? otherwise : known.filter((name) => named.includes(name));
}
