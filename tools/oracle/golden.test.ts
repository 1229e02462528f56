import assert from "node:assert/strict";
import { test } from "node:test";
import { judge } from "./compare.ts";
import { readGoldens } from "./goldens.ts";

const recorded = readGoldens();

for (const kind of ["json-patch", "merge-patch", "create-merge-patch", "strategic", "apply", "scale"]) {
  test(`${kind} gives what Kubernetes' Go libraries gave in every recorded case`, () => {
    const cases = recorded.filter((golden) => golden.case.kind === kind);
    assert.ok(cases.length >= 40, `only ${cases.length} cases of ${kind} are recorded; run test:oracle with --record`);
    for (const golden of cases) {
      assert.deepEqual(judge(golden.case, golden.outcomes), { kind: "agrees" }, JSON.stringify(golden));
    }
  });
}
