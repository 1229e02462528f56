import assert from "node:assert/strict";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { differences, writeOutput } from "./output.ts";

test("writing makes the folders hold exactly the output, and a second time changes nothing", () => {
  const root = mkdtempSync(join(tmpdir(), "generate-api-"));
  try {
    const file = (name: string) => `packages/api/src/generated/${name}.ts`;
    writeOutput(root, new Map([[file("old"), "old"]]));
    const output = new Map([
      [file("apps/v1"), "new"],
      ["packages/api/src/testdata/goldens.json", "[]"],
    ]);
    assert.deepEqual(differences(root, output), [
      `${file("old")}: no longer generated`,
      `${file("apps/v1")}: differs from what is generated`,
      "packages/api/src/testdata/goldens.json: differs from what is generated",
    ]);
    writeOutput(root, output);
    assert.deepEqual(differences(root, output), []);
    assert.equal(existsSync(join(root, file("old"))), false);
    writeFileSync(join(root, file("apps/v1")), "edited");
    assert.deepEqual(differences(root, output), [`${file("apps/v1")}: differs from what is generated`]);
  } finally {
    rmSync(root, { recursive: true });
  }
});
