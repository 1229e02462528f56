import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { test } from "node:test";

test("npm start shows a definition and the CRD derived from it", () => {
  const start = new URL("./start.ts", import.meta.url).pathname;
  const { status, stdout } = spawnSync(process.execPath, [start], { encoding: "utf8" });
  assert.equal(status, 0);
  assert.match(stdout, /export const Memcached = defineResource/);
  assert.match(stdout, /\nkind: CustomResourceDefinition\n/);
  assert.match(stdout, /name: memcacheds\.cache\.example\.com/);
});
