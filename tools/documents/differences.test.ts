/** docs/differences.md has no row that no test pins, and no test pins a row that is not there. */
import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { test } from "node:test";
import { differences } from "../../packages/cluster/test/differences/all.ts";

const ROOT = resolve(import.meta.dirname, "../..");
/** The title of a test that pins a row: "difference: ROW", and maybe more after another colon. */
const TITLE = /test\("difference: ([^:"]+)/g;

test("each difference is pinned by a test of its name", () => {
  const table = readFileSync(join(ROOT, "docs/differences.md"), "utf8");
  const rows = [...table.matchAll(/^\| (?!what |-)([^|]+?) \|/gm)].map(([, what = ""]) => what);
  const tests = globSync("packages/*/src/**/*.test.ts", { cwd: ROOT }).flatMap((file) =>
    Array.from(readFileSync(join(ROOT, file), "utf8").matchAll(TITLE), ([, what = ""]) => what),
  );
  assert.deepEqual([...tests, ...differences.map(({ what }) => what)].sort(), rows.sort());
});
