/**
 * Whatever zod schema is put into a definition, it is either refused with a path or becomes a CRD that is valid. Random
 * schemas of a seeded grammar; a failing one is printed as JSON Schema with its seed.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { type CrdInput, validateCrd } from "../src/crd/index.ts";
import { toCrd } from "../src/schema/crd.ts";
import { defineResource } from "../src/schema/define-resource.ts";
import { randomSpec } from "./random-schema.ts";

const SCHEMAS = 400;

for (const family of ["plain", "with unions"] as const) {
  test(`random schemas are refused or become valid CRDs: ${family}`, () => {
    let accepted = 0;
    for (let seed = 1; seed <= SCHEMAS; seed += 1) accepted += judge(seed, family === "with unions") ? 1 : 0;
    assert.ok(accepted > SCHEMAS / 3, `only ${accepted} of ${SCHEMAS} schemas were accepted`);
  });
}

/** True when the schema of this seed was accepted. Throws when it was accepted and is not valid. */
function judge(seed: number, unions: boolean): boolean {
  const spec = randomSpec(seed, { unions });
  let crd: CrdInput;
  try {
    const resource = defineResource({ group: "example.com", version: "v1", kind: "Sample", spec });
    crd = JSON.parse(JSON.stringify(toCrd(resource)));
  } catch (error) {
    assert.match(String(error), /^TypeError: cannot define Sample \(example\.com\/v1\): spec/, `seed ${seed}`);
    return false;
  }
  const errors = validateCrd({ ...crd, status: { storedVersions: ["v1"] } });
  assert.deepEqual(errors, [], `seed ${seed}: ${JSON.stringify(crd.spec?.versions?.[0]?.schema)}`);
  return true;
}
