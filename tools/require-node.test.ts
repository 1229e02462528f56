import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { test } from "node:test";

const GUARD = new URL("./require-node.cjs", import.meta.url).pathname;

/** Loads the guard in a process that says it is Node.js `version`. */
function load(version: string): { readonly status: number | null; readonly stderr: string } {
  const pretend = `Object.defineProperty(process.versions, "node", { value: "${version}" });`;
  return spawnSync(process.execPath, ["-e", `${pretend} require(${JSON.stringify(GUARD)});`], { encoding: "utf8" });
}

test("an old Node.js is told what to do", () => {
  const { status, stderr } = load("20.20.2");
  assert.equal(status, 1);
  assert.match(stderr, /needs Node\.js 24 or newer; this is 20\.20\.2/);
  assert.match(stderr, /npm ci/);
});

test("Node.js 24 and newer pass in silence", () => {
  for (const version of ["24.0.0", "26.1.0"]) assert.deepEqual([load(version).status, load(version).stderr], [0, ""]);
});

test("every script that runs a TypeScript file is guarded", () => {
  const manifest = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8")) as {
    readonly scripts: Readonly<Record<string, string>>;
  };
  const unguarded = Object.entries(manifest.scripts).filter(
    ([, command]) => command.includes(".ts") && !command.startsWith("node -r ./tools/require-node.cjs "),
  );
  assert.deepEqual(unguarded, []);
});
