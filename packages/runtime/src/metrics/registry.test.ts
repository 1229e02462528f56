import assert from "node:assert/strict";
import { test } from "node:test";
import { MetricsRegistry } from "./registry.ts";

test("metrics are printed in Prometheus' text format", () => {
  const registry = new MetricsRegistry();
  registry.counter({ name: "b_total", help: "Bees.", labels: ["color"] }).add(['ye"l\nlow']);
  registry.gauge({ name: "a", help: "Ants." }).set([], 2.5);
  registry.histogram({ name: "c_seconds", help: "Cats.", labels: ["x"], buckets: [1, 2] }).observe(["y"], 1.5);
  assert.equal(
    registry.print(),
    `# HELP a Ants.
# TYPE a gauge
a 2.5
# HELP b_total Bees.
# TYPE b_total counter
b_total{color="ye\\"l\\nlow"} 1
# HELP c_seconds Cats.
# TYPE c_seconds histogram
c_seconds_bucket{x="y",le="1"} 0
c_seconds_bucket{x="y",le="2"} 1
c_seconds_bucket{x="y",le="+Inf"} 1
c_seconds_sum{x="y"} 1.5
c_seconds_count{x="y"} 1
`,
  );
});

test("two metrics of one name in a registry are an error, in two registries they are not", () => {
  const registry = new MetricsRegistry();
  registry.gauge({ name: "a", help: "" });
  assert.throws(() => registry.gauge({ name: "a", help: "" }), /registered twice/);
  new MetricsRegistry().gauge({ name: "a", help: "" });
});
