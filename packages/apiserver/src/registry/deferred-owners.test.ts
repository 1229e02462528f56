import assert from "node:assert/strict";
import { test } from "node:test";
import type { JsonObject } from "@kubewright/core/meta";
import { DeferredOwners } from "./deferred-owners.ts";

/** Writes in a row, each of which adds its number to the owners before it; `worked` notes which were worked out. */
function chain(length: number, worked: number[]): DeferredOwners {
  let owners: DeferredOwners | undefined;
  for (let index = 0; index < length; index++) {
    owners = new DeferredOwners(owners, (before: readonly JsonObject[] = []) => {
      worked.push(index);
      return [...before, { manager: `writer-${index}` }];
    });
  }
  assert.ok(owners !== undefined);
  return owners;
}

test("owners are worked out when they are asked for, oldest write first, once", () => {
  const worked: number[] = [];
  const owners = chain(3, worked);
  assert.deepEqual(worked, []);
  assert.deepEqual(owners.managedFields, [{ manager: "writer-0" }, { manager: "writer-1" }, { manager: "writer-2" }]);
  void owners.managedFields;
  assert.deepEqual(worked, [0, 1, 2]);
});

test("not more than a few writes wait to be looked at", () => {
  const worked: number[] = [];
  const owners = chain(100, worked);
  assert.ok(worked.length > 80, `${worked.length} of 100 were worked out`);
  assert.equal(owners.managedFields?.length, 100);
});
