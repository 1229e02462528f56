import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { replaceBytes } from "./etcd.ts";
import { nameIn } from "./observer.ts";
import { startOperator } from "./operator.ts";
import { cpuSeconds, memoryMegabytes, processTree } from "./process-tree.ts";
import { parseRequestCounts, requestsBetween, totalRequests, totalWrites } from "./request-counts.ts";
import { endStateProblems, widgetName } from "./widgets.ts";

const METRICS = `
# TYPE apiserver_request_total counter
apiserver_request_total{code="200",resource="widgets",subresource="",verb="LIST"} 3
apiserver_request_total{code="200",resource="widgets",subresource="",verb="WATCH"} 7
apiserver_request_total{code="200",resource="widgets",subresource="status",verb="PATCH"} 5
apiserver_request_total{code="409",resource="widgets",subresource="status",verb="PATCH"} 2
apiserver_request_total{code="200",resource="leases",subresource="",verb="PUT"} 9
`;

test("requests are counted by verb and resource, whatever their answer; watches and other resources are not", () => {
  const counts = parseRequestCounts(METRICS);
  assert.deepEqual(counts, { "LIST widgets": 3, "PATCH widgets/status": 7 });
  assert.equal(totalRequests(counts), 10);
  assert.equal(totalWrites(counts), 7);
  assert.deepEqual(requestsBetween({ "LIST widgets": 3 }, counts), { "PATCH widgets/status": 7 });
});

test("bytes are copied with other names of the same length, and of no other", () => {
  const stored = Buffer.from([0, 8, ...Buffer.from("w-000001"), 0xff, ...Buffer.from("w-000001")]);
  const copy = replaceBytes(stored, [["w-000001", "w-000002"]]);
  assert.deepEqual([...copy], [0, 8, ...Buffer.from("w-000002"), 0xff, ...Buffer.from("w-000002")]);
  assert.throws(() => replaceBytes(stored, [["w-000001", "w-1"]]), /not as long/);
});

test("the name in an event is the object's, not one in an annotation or of an owner", () => {
  const metadata = {
    annotations: { last: JSON.stringify({ name: "no" }) },
    name: "a",
    ownerReferences: [{ name: "b" }],
  };
  assert.equal(nameIn(JSON.stringify({ type: "ADDED", object: { metadata } })), "a");
});

test("a Widget is as it should be only with its status, its ConfigMap and the ownership between them", () => {
  const widget = {
    metadata: { name: "a", uid: "u", generation: 1 },
    spec: { size: 3, message: "hello" },
    status: { ready: true, observedGeneration: 1 },
  };
  const configMap = {
    metadata: {
      name: "a",
      labels: { app: "bench" },
      ownerReferences: [{ kind: "Widget", uid: "u", controller: true }],
    },
    data: { size: "3", message: "hello" },
  };
  assert.deepEqual(endStateProblems([widget], [configMap]), []);
  assert.match(endStateProblems([{ ...widget, status: {} }], [configMap])[0] ?? "", /a: its status is not ready/);
  assert.match(endStateProblems([{ ...widget, status: { ready: true } }], [configMap])[0] ?? "", /another generation/);
  assert.match(endStateProblems([widget], [])[0] ?? "", /no ConfigMap/);
  assert.match(endStateProblems([widget], [{ ...configMap, data: {} }])[0] ?? "", /other data/);
  const stolen = { ...configMap, metadata: { ...configMap.metadata, ownerReferences: [] } };
  assert.match(endStateProblems([widget], [stolen])[0] ?? "", /does not control/);
});

test("names of Widgets are equally long", () => {
  assert.equal(widgetName(7), "w-000007");
  assert.equal(widgetName(99_999).length, widgetName(0).length);
});

test("what this process uses is found in /proc", () => {
  assert.ok(processTree(process.pid).includes(process.pid));
  assert.ok(cpuSeconds(process.pid) >= 0);
  assert.ok(memoryMegabytes(process.pid, "VmHWM") >= memoryMegabytes(process.pid, "VmRSS") - 1);
  assert.equal(cpuSeconds(2 ** 30), 0);
});

test("an operator is measured with its own environment, and not with settings of whoever measures", async () => {
  const folder = mkdtempSync(join(tmpdir(), "operator-"));
  const logFile = join(folder, "log");
  process.env["NODE_NO_WARNINGS"] = "1";
  const args = ["-p", "JSON.stringify([process.env.VARIANT, process.env.KUBECONFIG, process.env.NODE_NO_WARNINGS])"];
  const operator = startOperator({ command: process.execPath, args, env: { VARIANT: "TUNED" }, logFile }, "/config");
  while (!operator.ended) await delay(10);
  assert.deepEqual(JSON.parse(readFileSync(logFile, "utf8")), ["TUNED", "/config", null]);
  delete process.env["NODE_NO_WARNINGS"];
  rmSync(folder, { recursive: true });
});
