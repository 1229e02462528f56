/**
 * What Kubernetes' own Go libraries answered, recorded for `npm test`, is what they answer today: every oracle is asked anew. The
 * same recordings from kube-apiserver are compared by recordings.test.ts.
 */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import { CONTROLLER_GEN_GOLDENS, generateCrds } from "../../crd-oracle/golden.ts";
import { META_GOLDENS, recordMeta } from "../../meta-oracle/record.ts";
import { judge } from "../../oracle/compare.ts";
import { buildGoSide } from "../../oracle/go-side.ts";
import { readGoldens } from "../../oracle/goldens.ts";
import { recordSchemas, SCHEMA_GOLDENS } from "../../schema-oracle/record.ts";

test("schemas, rules and expressions are judged as recorded", () => {
  assertCommitted(recordSchemas(), SCHEMA_GOLDENS);
});

test("quantities, selectors and durations are read and written as recorded", () => {
  assertCommitted(recordMeta(), META_GOLDENS);
});

test("patches and applies give what was recorded", () => {
  const goldens = readGoldens();
  const answers = buildGoSide()(goldens.map((golden) => golden.case));
  // Go's order of maps lets one case end in several ways. Ours is among the recorded ones, as `npm test` sees; here among today's.
  for (const [index, golden] of goldens.entries()) {
    assert.deepEqual(judge(golden.case, answers[index] ?? []), { kind: "agrees" }, JSON.stringify(golden));
  }
});

test("controller-gen writes the CRDs that were recorded", () => {
  assertCommitted(generateCrds(), pathToFileURL(`${CONTROLLER_GEN_GOLDENS}/`));
});

function assertCommitted(recorded: Readonly<Record<string, string>>, folder: URL): void {
  for (const [file, text] of Object.entries(recorded)) {
    assert.equal(text, readFileSync(new URL(file, folder), "utf8"), file);
  }
}
