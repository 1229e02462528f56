import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { generateBootstrap, OUTPUT } from "./generate.ts";

test("a new cluster holds what posting its first objects gives; generate them again when kinds change", async () => {
  assert.equal(readFileSync(OUTPUT, "utf8"), await generateBootstrap());
});
