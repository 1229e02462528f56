/**
 * `npm run bench -- latency`: how fast Kubewright's and controller-runtime's operators answer, side by side on one kube-apiserver. Each has
 * a namespace of its own, and what they answer happens in turn, so that both see the same machine: a latency is a few milliseconds of
 * five processes on few cores, and the same operator takes a third more in some minutes than in others. Each round has new processes.
 */
import type { Benchmark, Extent, Sample } from "../benchmark.ts";
import { FRAMEWORKS, operatorCommand } from "../peers/frameworks.ts";
import { OURS, PEER, unitsOf } from "../peers/metrics.ts";
import { measureSideBySide } from "./side-by-side.ts";

/** Who is started first changes from round to round: each as often as the other. */
const ROUNDS = 6;
const UNITS = unitsOf(["reaction", "healing"]);
const compared = FRAMEWORKS.filter(({ name }) => name === OURS || name === PEER);
/** What was measured in a round, for all of them. */
const measured = new Map<number, Promise<ReadonlyMap<string, Sample>>>();

/** The benchmark. */
export const latencyBenchmark: Benchmark = {
  name: "latency",
  description: "answers of operators side by side on one kube-apiserver 1.36",
  rounds: ROUNDS,
  units: UNITS,
  variants: compared.map(({ name }) => ({
    name,
    measure: async (_: Extent, round: number) => (await inRound(round)).get(name) ?? {},
  })),
  promises: Object.keys(UNITS).map((metric) => ({ metric, ours: OURS, peer: PEER, below: 1 })),
  prepare: () => {
    for (const framework of compared) framework.build();
  },
};

/** Measures a round when it is first asked for; who is started first changes. */
function inRound(round: number): Promise<ReadonlyMap<string, Sample>> {
  const known = measured.get(round);
  if (known !== undefined) return known;
  const order = round % 2 === 0 ? compared : compared.toReversed();
  const commands = new Map(order.map((framework) => [framework.name, operatorCommand(framework, "tuned")] as const));
  const measuring = measureSideBySide(commands);
  measured.set(round, measuring);
  return measuring;
}
