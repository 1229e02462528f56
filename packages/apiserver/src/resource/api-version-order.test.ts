import assert from "node:assert/strict";
import { test } from "node:test";
import { compareApiVersions } from "./api-version-order.ts";

test("stable versions come before beta and alpha ones, later before earlier, others last", () => {
  const versions = [
    "foo1",
    "v1alpha2",
    "v10",
    "v1",
    "v3beta1",
    "v11alpha1",
    "v12alpha1",
    "v11beta2",
    "v10beta3",
    "v2",
    "bar",
  ];
  assert.deepEqual(versions.toSorted(compareApiVersions), [
    "v10",
    "v2",
    "v1",
    "v11beta2",
    "v10beta3",
    "v3beta1",
    "v12alpha1",
    "v11alpha1",
    "v1alpha2",
    "bar",
    "foo1",
  ]);
});
