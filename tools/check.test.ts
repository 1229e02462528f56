/** The linter's type-aware rules depend on settings that are easily lost; this proves that they still find something. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";

/** The repository's settings, for a folder that is no git repository. */
function settings(): string {
  const parsed = JSON.parse(readFileSync(new URL("../biome.json", import.meta.url), "utf8")) as object;
  return JSON.stringify({ ...parsed, vcs: { enabled: false } });
}

/** What `biome lint` says of a file that calls an async function of another one. */
function lint(statement: string): string {
  const folder = mkdtempSync(join(tmpdir(), "kubewright-lint-"));
  try {
    writeFileSync(join(folder, "biome.json"), settings());
    writeFileSync(join(folder, "work.ts"), "export async function work(): Promise<number> {\n  return 1;\n}\n");
    writeFileSync(join(folder, "call.ts"), `import { work } from "./work.ts";\n\n${statement}\n`);
    const { stdout, stderr } = spawnSync("biome", ["lint", "."], { cwd: folder, encoding: "utf8" });
    return stdout + stderr;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

test("a promise that nobody waits for is found, even one from another file", () => {
  assert.match(lint("work();"), /noFloatingPromises/);
});

test("a promise that is awaited is accepted", () => {
  const report = lint("await work();");
  assert.match(report, /Checked 3 files/);
  assert.doesNotMatch(report, /noFloatingPromises/);
});
