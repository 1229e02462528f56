import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { test } from "node:test";

/** What a process that begins a run, does something and asks for leftovers prints. */
function leftoversOf(program: string): readonly string[] {
  const source = `
    import { spawn, spawnSync } from "node:child_process";
    import { mkdtempSync, rmdirSync } from "node:fs";
    import { tmpdir } from "node:os";
    import { beginRun } from ${JSON.stringify(join(import.meta.dirname, "leftovers.ts"))};
    const run = beginRun();
    const folder = () => mkdtempSync(tmpdir() + "/left-");
    ${program}
    console.log(JSON.stringify(await run.leftovers()));
    process.exit();`;
  const { stdout } = spawnSync(process.execPath, ["--input-type=module", "--eval", source], { encoding: "utf8" });
  return JSON.parse(stdout);
}

test("a run that ends what it started and removes its files leaves nothing", () => {
  assert.deepEqual(leftoversOf(`spawnSync("sleep", ["0"]); rmdirSync(folder());`), []);
});

test("what is about to end is waited for, with the processes it started", () => {
  assert.deepEqual(leftoversOf(`spawn("sh", ["-c", "sleep 0.3 & wait"]);`), []);
});

test("a temporary folder that nobody removed is told", () => {
  const [left = "", ...others] = leftoversOf("folder();");
  assert.match(left, /^temporary \S+\/left-\w+$/);
  assert.deepEqual(others, []);
});
