/** What was right about one Job is not asked of the next one that is like it, and every difference is. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { JobSpec } from "@kubewright/api/batch/v1";
import type { PodSpec } from "@kubewright/api/core/v1";
import { validateJobSpec } from "./jobs.ts";

const podSpec: PodSpec = {
  containers: [{ name: "work", image: "work", imagePullPolicy: "Always", terminationMessagePolicy: "File" }],
  restartPolicy: "Never",
  dnsPolicy: "ClusterFirst",
};

function specWith(changes: Partial<JobSpec>): JobSpec {
  const template = { metadata: { labels: { run: "1" } }, spec: podSpec };
  return { parallelism: 1, completions: 1, template, ...changes };
}

test("a Job like one that was right is refused for what it has of its own", () => {
  assert.deepEqual(validateJobSpec("spec", specWith({})), []);
  assert.deepEqual(
    validateJobSpec("spec", specWith({ template: { metadata: { labels: { run: "2" } }, spec: podSpec } })),
    [],
  );
  const others: readonly [string, Partial<JobSpec>][] = [
    ["spec.parallelism", { parallelism: -1 }],
    ["spec.maxFailedIndexes", { backoffLimitPerIndex: 1, maxFailedIndexes: -1 }],
    ["spec.template.labels", { template: { metadata: { labels: { run: "a b" } }, spec: podSpec } }],
    ["spec.template.annotations", { template: { metadata: { annotations: { "a b": "" } }, spec: podSpec } }],
    ["spec.template.spec.restartPolicy", { template: { spec: { ...podSpec, restartPolicy: "Always" } } }],
  ];
  for (const [field, changes] of others) {
    const fields = validateJobSpec("spec", specWith(changes)).map((error) => error.field);
    assert.ok(fields.includes(field), `${field} is not among ${fields.join(", ")}`);
  }
  assert.deepEqual(validateJobSpec("spec", specWith({})), []);
});
