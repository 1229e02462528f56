import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { test } from "node:test";

/** Runs tidy on a folder with these files. */
function tidy(files: Readonly<Record<string, string>>): { readonly status: number | null; readonly stdout: string } {
  const folder = mkdtempSync(join(tmpdir(), "kubewright-tidy-"));
  try {
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), text);
    }
    const program = new URL("./tidy.ts", import.meta.url).pathname;
    return spawnSync(process.execPath, [program, folder], { encoding: "utf8" });
  } finally {
    rmSync(folder, { recursive: true });
  }
}

test("findings are printed with file, line and rule, and the run fails", () => {
  const { status, stdout } = tidy({ "packages/runtime/src/a.ts": "/** A. */\nsetTimeout(f, 1);\n" });
  assert.equal(status, 1);
  assert.match(stdout, /^packages\/runtime\/src\/a\.ts:2: uses a timer .* \(global\)$/m);
  assert.match(stdout, /tidy: 1 findings in 1 files/);
});

test("folders of others are not looked at", () => {
  const { status } = tidy({ "node_modules/a/a.ts": "export * from 'b';", "packages/core/testdata/a.ts": "utils" });
  assert.equal(status, 0);
});
