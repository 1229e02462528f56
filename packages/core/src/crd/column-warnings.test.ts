import assert from "node:assert/strict";
import { test } from "node:test";
import { columnWarnings } from "./column-warnings.ts";

function crdWith(...jsonPaths: readonly string[]) {
  return { spec: { versions: [{ additionalPrinterColumns: jsonPaths.map((jsonPath) => ({ jsonPath })) }] } };
}

test("a column whose path cannot be read is named with the remedy, once", () => {
  const crd = crdWith(".spec.size", ".spec[x]");
  assert.deepEqual(columnWarnings(crd), [
    'spec.versions[0].additionalPrinterColumns[1].jsonPath: invalid JSONPath ".spec[x]": [x] is no index; write [0], [0:2], [*], [\'key\'] or [?(@.field=="value")]; this column and those after it are not shown',
  ]);
  assert.deepEqual(columnWarnings(crd, crd), []);
  assert.deepEqual(columnWarnings(crdWith(".spec.size")), []);
});
