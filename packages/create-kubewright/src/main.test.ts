import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";

test("npm create kubewright makes a project in a folder of its name", () => {
  const folder = mkdtempSync(join(tmpdir(), "create-kubewright-"));
  try {
    const args = [join(import.meta.dirname, "main.ts"), "memcached-operator", "--domain", "example.com"];
    const { status, stdout } = spawnSync(process.execPath, args, { cwd: folder, encoding: "utf8" });
    assert.equal(status, 0);
    assert.match(stdout, /Next:\n {2}cd memcached-operator\n {2}npm install/);
    assert.ok(existsSync(join(folder, "memcached-operator/src/main.ts")));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
