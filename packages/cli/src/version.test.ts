import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { TESTED_VERSIONS, VERSION } from "./version.ts";

test("scaffolds name the versions that the repository uses", () => {
  const own = readManifest("../package.json");
  const root = readManifest("../../../package.json");
  assert.equal(own.version, VERSION);
  for (const [name, version] of Object.entries(TESTED_VERSIONS)) assert.equal(root.devDependencies[name], version);
});

function readManifest(path: string): { version: string; devDependencies: Record<string, string> } {
  return JSON.parse(readFileSync(new URL(path, import.meta.url), "utf8"));
}
