/** What an operator tells about itself: the metrics of controller-runtime, and spans. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { ConfigMap } from "@kubewright/api/core/v1";
import { defineController, type Tracer } from "@kubewright/runtime";
import { Harness, Widget, widgetController } from "./harness.ts";

/** Names that dashboards for controller-runtime's operators ask for. */
const NAMES = [
  "controller_runtime_reconcile_total",
  "controller_runtime_reconcile_errors_total",
  "controller_runtime_reconcile_time_seconds_bucket",
  "controller_runtime_max_concurrent_reconciles",
  "controller_runtime_active_workers",
  "workqueue_depth",
  "workqueue_adds_total",
  "workqueue_retries_total",
  "workqueue_queue_duration_seconds_bucket",
  "workqueue_work_duration_seconds_bucket",
  "rest_client_requests_total",
];

test("metrics have controller-runtime's names, and count what was done", async () => {
  await using harness = await Harness.start();
  let failures = 2;
  const failing = defineController({
    for: Widget,
    name: "failing",
    async reconcile() {
      failures -= 1;
      if (failures >= 0) throw new Error("not yet");
    },
  });
  const manager = await harness.manage([widgetController, failing]);
  await harness.createWidget({ name: "a" });
  await harness.clock.advance(1000);
  await harness.settled(manager);
  const printed = manager.metrics.print();
  const missing = NAMES.filter((name) => !new RegExp(`^${name}\\{[^}]*\\} [0-9.e+-]+$`, "m").test(printed));
  assert.deepEqual(missing, []);
  assert.match(printed, /^controller_runtime_reconcile_total\{controller="failing",result="error"\} 2$/m);
  assert.match(printed, /^controller_runtime_reconcile_errors_total\{controller="failing"\} 2$/m);
  assert.match(printed, /^workqueue_retries_total\{name="failing",controller="failing"\} 2$/m);
  assert.match(printed, /^workqueue_depth\{name="widget",controller="widget"\} 0$/m);
});

test("each reconcile is a span, the requests that it makes are spans within it, and failures are told", async () => {
  await using harness = await Harness.start();
  const spans: string[] = [];
  let open: readonly string[] = [];
  const tracer: Tracer = {
    startActiveSpan(name, _options, work) {
      const path = [...open, name].join(" > ");
      open = [...open, name];
      const span = {
        setAttribute: () => {},
        recordException: (error: Error) => spans.push(`${path} failed: ${error.message}`),
        setStatus: () => {},
        end: () => {
          open = open.slice(0, -1);
          spans.push(path);
        },
      };
      return work(span);
    },
  };
  const writing = defineController({
    for: Widget,
    name: "writing",
    concurrency: 1,
    async reconcile(_widget, { client }) {
      await client.create(ConfigMap, { metadata: { name: "made" } });
    },
  });
  const manager = await harness.manage([writing]);
  assert.deepEqual(spans, []);
  await manager.stop();
  const traced = await harness.manage([writing], { tracer });
  await harness.settled(traced);
  spans.splice(0);
  open = [];
  await harness.createWidget({ name: "a" });
  await harness.settled(traced);
  assert.deepEqual(spans, ["reconcile writing > POST /api/v1/namespaces/default/configmaps", "reconcile writing"]);
});
