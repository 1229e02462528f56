import assert from "node:assert/strict";
import { test } from "node:test";
import { apiserverBenchmark } from "./apiserver/apiserver.ts";
import { type Benchmark, median, type PromiseResult, runBenchmark, type Variant } from "./benchmark.ts";
import { clusterBenchmark } from "./cluster/cluster.ts";
import { importBenchmark } from "./import/import.ts";
import { latencyBenchmark } from "./latency/latency.ts";
import { formatResult } from "./report.ts";

/** What a variant gives in each round; undefined where it leaves the metric out. */
type Figures = readonly (number | undefined)[];

/** A benchmark whose variants give these values of one metric, in turns. */
function sample(ours: Figures, peer: Figures, order: string[] = []): Benchmark {
  const variant = (name: string, values: Figures) => ({
    name,
    measure: (_: unknown, round: number) => {
      order.push(name);
      const time = values[round];
      return time === undefined ? {} : { time };
    },
  });
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

test("variants are measured in turns, every other round backwards, and shown by their medians", async () => {
  const order: string[] = [];
  const result = await runBenchmark(sample([1, 90, 2], [10, 11, 12], order));
  assert.deepEqual(order, ["ours", "peer", "peer", "ours", "ours", "peer"]);
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

test("a ratio is taken within rounds, for the machine may be faster in one than in another", async () => {
  // Twice, then one and a half times as slow as in the first round: the medians, 16 and 15, are of different rounds.
  const promise = await promiseOf(sample([9, 16, 19.5], [10, 20, 15]));
  assert.deepEqual(promise?.rounds, [0.9, 0.8, 1.3]);
  assert.equal(promise?.value, 0.9);
});

test("rounds in which only one of the two was measured say nothing about their ratio", async () => {
  // From the second round on the machine is half as fast, and the peer fails.
  const promise = await promiseOf(sample([4, 8, 8], [10, undefined, Number.NaN]));
  assert.deepEqual(promise?.rounds, [0.4]);
  assert.equal(promise?.kept, true);
  const later = await promiseOf(sample([undefined, 8, 8], [10, undefined, 20]));
  assert.deepEqual(later?.rounds, [0.4]);
});

test("without a round that has both there is no ratio, and the promise is not kept", async () => {
  const promise = await promiseOf(sample([1, undefined], [undefined, 10]));
  assert.deepEqual(promise?.rounds, []);
  assert.equal(promise?.value, Number.NaN);
  assert.equal(promise?.kept, false);
});

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

test("stopped within a round that goes backwards, a run compares the rounds before", async () => {
  const stop = new AbortController();
  const benchmark = sample([4, 8], [10, 20]);
  const [ours, peer] = benchmark.variants;
  assert.ok(ours && peer);
  const stopping: Variant = {
    name: peer.name,
    measure: (extent, round) => {
      if (round === 1) stop.abort();
      return peer.measure(extent, round);
    },
  };
  const result = await runBenchmark({ ...benchmark, variants: [ours, stopping] }, "full", stop.signal);
  assert.deepEqual(
    result.variants.map(({ samples }) => samples),
    [[{ time: 4 }], [{ time: 10 }, { time: 20 }]],
  );
  assert.deepEqual(result.promises[0]?.rounds, [0.4]);
  assert.match(formatResult(result), /medians of up to 2, /);
});

test("what a promise compares is measured one right after the other", () => {
  for (const { name, variants, promises } of [
    apiserverBenchmark,
    clusterBenchmark,
    importBenchmark,
    latencyBenchmark,
  ]) {
    const place = (of: string): number => variants.findIndex((variant) => variant.name === of);
    const distances = promises.map(({ ours, peer = ours }) => Math.abs(place(ours) - place(peer)));
    assert.ok(Math.max(...distances) <= 1, name);
  }
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

test("a promise is printed with where its rounds lie", async () => {
  const text = formatResult(await runBenchmark(sample([1, 4, 3], [10, 10, 10])));
  assert.match(text, /kept\s+time: ours is 0\.300 \(0\.100–0\.400 in 3 rounds\) of peer, promised below 0\.500/);
  const alone = [{ metric: "time", ours: "ours", below: 150 }];
  const figure = formatResult(await runBenchmark({ ...sample([60, 62], [1, 1]), promises: alone }));
  assert.match(figure, /kept\s+time: ours is 61\.0 \(60\.0–62\.0 in 2 rounds\), promised below 150/);
});

test("ratios to a baseline are those of the same rounds, as promises have them", async () => {
  // The third was measured once, when the machine was twice as fast as later.
  const benchmark = sample([9, 16, 19.5], [10, 20, 15]);
  const once = { name: "once", measure: (_: unknown, round: number) => (round === 0 ? { time: 5 } : {}) };
  const variants = [...benchmark.variants, once];
  const [, ratios] = formatResult(await runBenchmark({ ...benchmark, variants, baseline: "peer" })).split("as ratios");
  assert.match(ratios ?? "", /ours\s+0\.900\npeer\s+1\.00\nonce\s+0\.500\n/);
});
