/** The CRDs of nine resources are those that a real kube-apiserver accepted, and our own validation agrees with it. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { type CrdInput, validateCrd } from "../src/crd/index.ts";
import { toCrd } from "../src/schema/index.ts";
import { resources } from "./resources.ts";

const accepted: readonly CrdInput[] = JSON.parse(
  readFileSync(`${import.meta.dirname}/testdata/accepted-crds.json`, "utf8"),
);

for (const [index, resource] of resources.entries()) {
  test(`the CRD of ${resource.kind} is the one that kube-apiserver accepted`, () => {
    assert.deepEqual(JSON.parse(JSON.stringify(toCrd(resource))), accepted[index]);
  });

  test(`the CRD of ${resource.kind} is valid by our own rules`, () => {
    const crd: CrdInput = {
      ...JSON.parse(JSON.stringify(toCrd(resource))),
      status: { storedVersions: [resource.version] },
    };
    assert.deepEqual(validateCrd(crd), []);
  });
}

test("nine resources were accepted", () => {
  assert.equal(accepted.length, 9);
});
