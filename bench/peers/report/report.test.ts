import assert from "node:assert/strict";
import { test } from "node:test";
import type { BenchmarkResult } from "../../benchmark.ts";
import { chart } from "./chart.ts";
import { replaceBetween } from "./publish.ts";
import { markdownTable } from "./table.ts";

const result: BenchmarkResult = {
  name: "peers",
  description: "",
  rounds: 1,
  units: { "cold start": "s", "reaction p50": "ms", "reaction p99": "ms" },
  variants: [
    { name: "kubewright tuned", medians: { "cold start": 0.2, "reaction p50": 2, "reaction p99": 5 }, samples: [] },
    { name: "kopf tuned", medians: { "cold start": 1.1, "reaction p50": 9, "reaction p99": Number.NaN }, samples: [] },
    { name: "kopf defaults", medians: { "cold start": 9 }, samples: [] },
  ],
  promises: [],
};

test("the table has a column for each framework, and dashes for what could not be measured", () => {
  assert.equal(
    markdownTable(result),
    [
      "|  | kubewright (TypeScript) | kopf 1.45 (Python) |",
      "| --- | ---: | ---: |",
      "| cold start, s | 0.200 | 1.10 |",
      "| reaction p50 / p99, ms | 2.00 / 5.00 | 9.00 / – |",
    ].join("\n"),
  );
});

test("the chart has a bar for each figure, the longest for the largest", () => {
  const widths = Array.from(chart(result).matchAll(/<rect class="(\w+)".* width="(\d+)"/g), ([, name, width]) => [
    name,
    Number(width),
  ]);
  assert.deepEqual(widths, [
    ["ours", 78],
    ["other", 430],
  ]);
});

test("figures go between their markers, again and again, and nowhere without them", () => {
  const page = "a\n<!-- figures of bench/peers: begin -->\nold\n<!-- figures of bench/peers: end -->\nb\n";
  const once = replaceBetween(page, "new");
  assert.match(once, /^a\n<!-- [^>]* -->\n\nnew\n\n<!-- [^>]* -->\nb\n$/);
  assert.equal(replaceBetween(once, "new"), once);
  assert.throws(() => replaceBetween("a", "new"), /no place for the figures/);
});
