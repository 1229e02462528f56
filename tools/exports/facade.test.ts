/** The facade keeps up with what operators' authors call: all of core/schema and runtime is in it. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { test } from "node:test";
import { blankLiterals } from "../tidy/blank.ts";
import { exportedNames } from "../tidy/imports.ts";

const namesOf = (path: string): readonly string[] =>
  exportedNames(blankLiterals(readFileSync(resolve(import.meta.dirname, "../../packages", path), "utf8")));

for (const entry of ["core/src/schema/index.ts", "runtime/src/index.ts"]) {
  test(`kubewright exports everything of packages/${entry}`, () => {
    const facade = new Set(namesOf("kubewright/src/index.ts"));
    const missing = namesOf(entry).filter((name) => !facade.has(name));
    assert.deepEqual(missing, [], "add these to packages/kubewright/src/index.ts");
  });
}
