import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { judge } from "./compare.ts";
import type { OracleCase, Outcome } from "./oracle-case.ts";

const file = new URL("../../packages/core/src/patch/testdata/golden.jsonl", import.meta.url);

interface Golden {
  readonly case: OracleCase;
  readonly outcomes: readonly Outcome[];
}

const recorded = readFileSync(file, "utf8")
  .trimEnd()
  .split("\n")
  .map((line) => JSON.parse(line) as Golden);

for (const kind of ["json-patch", "merge-patch", "create-merge-patch", "strategic", "apply", "scale"]) {
  test(`${kind} gives what Kubernetes' Go libraries gave in every recorded case`, () => {
    const cases = recorded.filter((golden) => golden.case.kind === kind);
    assert.ok(cases.length >= 40, `only ${cases.length} cases of ${kind} are recorded; run test:oracle with --record`);
    for (const golden of cases) {
      assert.deepEqual(judge(golden.case, golden.outcomes), { kind: "agrees" }, JSON.stringify(golden));
    }
  });
}
