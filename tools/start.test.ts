import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { test } from "node:test";

const start = new URL("./start.ts", import.meta.url).pathname;

test("npm start -- --once runs every operator on an embedded cluster and ends when their samples are ready", () => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [start, "--once"], { encoding: "utf8" });
  assert.equal(status, 0, stderr);
  assert.match(stdout, /embedded cluster at https:\/\/127\.0\.0\.1:\d+/);
  assert.match(stdout, /everything is ready/);
  assert.match(stdout, /KIND +NAME +READY +CHILDREN/);
});

test("npm start says which arguments it takes", () => {
  const { status, stderr } = spawnSync(process.execPath, [start, "--onze"], { encoding: "utf8" });
  assert.equal(status, 2);
  assert.match(stderr, /unknown argument --onze; use: npm start \[-- --once\]/);
});

test("npm start -- --help prints its usage and starts nothing", () => {
  const { status, stdout } = spawnSync(process.execPath, [start, "--help"], { encoding: "utf8" });
  assert.equal(status, 0);
  assert.match(stdout, /^usage: npm start \[-- --once\].*\n$/);
});
