import assert from "node:assert/strict";
import { test } from "node:test";
import { type Benchmark, median, runBenchmark } from "./benchmark.ts";
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
    promises: [{ metric: "time", ours: "ours", peer: "peer", ratioMax: 0.5 }],
    prepare: () => {},
  };
}

test("variants are measured in turns and compared by their medians", () => {
  const order: string[] = [];
  const result = runBenchmark(sample([1, 90, 2], [10, 11, 12], order));
  assert.deepEqual(order, ["ours", "peer", "ours", "peer", "ours", "peer"]);
  assert.deepEqual(
    result.variants.map((variant) => variant.medians["time"]),
    [2, 11],
  );
  assert.equal(result.promises[0]?.kept, true);
});

test("a promise is broken at its limit, and when a figure is missing", () => {
  assert.equal(runBenchmark(sample([5], [10])).promises[0]?.kept, false);
  assert.equal(runBenchmark(sample([Number.NaN], [10])).promises[0]?.kept, false);
});

test("the median of an even number of values lies between the middle ones", () => {
  assert.equal(median([4, 1, 3, 2]), 2.5);
});

test("the table shows figures with units and each promise with its ratio", () => {
  const text = formatResult(runBenchmark(sample([2], [10])));
  assert.match(text, /ours\s+2\.0/);
  assert.match(text, /time \(ms\)/);
  assert.match(text, /kept\s+time: ours is 0\.20 of peer, promised below 0\.50/);
});
