import assert from "node:assert/strict";
import { test } from "node:test";
import { type Benchmark, median, type PromiseResult, runBenchmark } from "./benchmark.ts";
import { formatResult } from "./report.ts";

/** A benchmark whose variants give these values of one metric, in turns. */
function sample(ours: readonly number[], peer: readonly number[], order: string[] = []): Benchmark {
  const variant = (name: string, values: readonly number[]) => {
    const rest = [...values];
    return {
      name,
      measure: () => {
        order.push(name);
        return { time: rest.shift() ?? Number.NaN };
      },
    };
  };
  return {
    name: "sample",
    description: "A sample",
    rounds: ours.length,
    units: { time: "ms" },
    variants: [variant("ours", ours), variant("peer", peer)],
    promises: [{ metric: "time", ours: "ours", peer: "peer", below: 0.5 }],
    prepare: () => {},
  };
}

test("variants are measured in turns and compared by their medians", async () => {
  const order: string[] = [];
  const result = await runBenchmark(sample([1, 90, 2], [10, 11, 12], order));
  assert.deepEqual(order, ["ours", "peer", "ours", "peer", "ours", "peer"]);
  assert.deepEqual(
    result.variants.map((variant) => variant.medians["time"]),
    [2, 11],
  );
  assert.equal(result.promises[0]?.kept, true);
});

/** The only promise of a benchmark, measured. */
async function promiseOf(benchmark: Benchmark): Promise<PromiseResult | undefined> {
  return (await runBenchmark(benchmark)).promises[0];
}

test("a promise is broken at its limit, and when a figure is missing", async () => {
  assert.equal((await promiseOf(sample([5], [10])))?.kept, false);
  assert.equal((await promiseOf(sample([Number.NaN], [10])))?.kept, false);
});

test("a promise can ask for more than the peer's figure, or limit ours alone", async () => {
  const threeTimes = [{ metric: "time", ours: "ours", peer: "peer", atLeast: 3 }];
  assert.equal((await promiseOf({ ...sample([30], [10]), promises: threeTimes }))?.kept, true);
  assert.equal((await promiseOf({ ...sample([29], [10]), promises: threeTimes }))?.kept, false);
  const alone = [{ metric: "time", ours: "ours", below: 150 }];
  assert.equal((await promiseOf({ ...sample([149], [1]), promises: alone }))?.kept, true);
  assert.equal((await promiseOf({ ...sample([150], [1]), promises: alone }))?.kept, false);
});

test("a quick run measures each variant once", async () => {
  const order: string[] = [];
  const { rounds } = await runBenchmark(sample([1, 90, 2], [10, 11, 12], order), "quick");
  assert.equal(rounds, 1);
  assert.deepEqual(order, ["ours", "peer"]);
});

test("told to stop, a run ends what it measures and reports what it has", async () => {
  const stop = new AbortController();
  const benchmark = sample([1, 90, 2], [10, 11, 12]);
  const [ours, peer] = benchmark.variants;
  assert.ok(ours && peer);
  const stopping = {
    name: ours.name,
    measure: () => {
      stop.abort();
      return ours.measure("full", 0);
    },
  };
  const result = await runBenchmark({ ...benchmark, variants: [stopping, peer] }, "full", stop.signal);
  assert.deepEqual(
    result.variants.map(({ samples }) => samples.length),
    [1, 0],
  );
});

test("a metric that some rounds left out is said to have fewer", async () => {
  const benchmark = sample([1, 90, 2], [10, 11, 12]);
  const uneven = { name: "uneven", measure: (_: unknown, round: number) => (round === 0 ? { time: 1 } : {}) };
  assert.match(formatResult(await runBenchmark(benchmark)), /medians of 3, /);
  const result = await runBenchmark({ ...benchmark, variants: [...benchmark.variants, uneven] });
  assert.match(formatResult(result), /medians of up to 3, /);
});

test("the median of an even number of values lies between the middle ones", () => {
  assert.equal(median([4, 1, 3, 2]), 2.5);
});

test("the table shows figures with units and each promise with its ratio", async () => {
  const text = formatResult(await runBenchmark(sample([2], [10])));
  assert.match(text, /ours\s+2\.00/);
  assert.match(text, /time \(ms\)/);
  assert.match(text, /kept\s+time: ours is 0\.200 of peer, promised below 0\.500/);
});
