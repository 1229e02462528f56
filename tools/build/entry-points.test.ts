import assert from "node:assert/strict";
import { test } from "node:test";
import { entryPoints } from "./entry-points.ts";

test("patterns stand for the files they match, folders included, tests left out", () => {
  const exports = { ".": "./src/index.ts", "./*": "./src/generated/*.ts" };
  const files = ["src/index.ts", "src/generated/apps/v1.ts", "src/generated/apps/v1.test.ts", "src/other.ts"];
  assert.deepEqual(entryPoints({ name: "sample", exports }, files), [
    { specifier: "sample", source: "src/index.ts" },
    { specifier: "sample/apps/v1", source: "src/generated/apps/v1.ts" },
  ]);
});

test("a pattern with an end gives the folders that have such a file", () => {
  const files = ["src/meta/index.ts", "src/meta/json.ts", "src/schema/index.ts"];
  assert.deepEqual(
    entryPoints({ name: "@a/core", exports: { "./*": "./src/*/index.ts" } }, files).map((each) => each.specifier),
    ["@a/core/meta", "@a/core/schema"],
  );
});
