import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { test } from "node:test";

const ROOT = new URL("..", import.meta.url).pathname;

/** Runs tools/test.ts as `npm test -- …` does, outside the test run that this file is part of. */
function run(...args: readonly string[]): { readonly status: number | null; readonly output: string } {
  return runTool("tools/test.ts", ...args);
}

function runTool(...args: readonly string[]): { readonly status: number | null; readonly output: string } {
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  const { status, stdout, stderr } = spawnSync(process.execPath, args, {
    cwd: ROOT,
    encoding: "utf8",
    env,
  });
  return { status, output: stdout + stderr };
}

test("a folder without tests is an error, not a success", () => {
  const { status, output } = run("packages/core/src/nowhere");
  assert.equal(status, 1);
  assert.match(output, /no test files in packages\/core\/src\/nowhere/);
});

test("paths narrow the run, flags go to node:test, and its closing lines are printed", () => {
  const { status, output } = run("tools/tidy/blank.test.ts", "--test-name-pattern=slash divides");
  assert.equal(status, 0);
  assert.match(output, /ℹ tests 1\n/);
  assert.match(output, /ℹ fail 0\n/);
});

for (const [tool, command] of [
  ["tools/test.ts", "npm test"],
  ["tools/test-real.ts", "npm run test:real"],
] as const) {
  test(`${command} answers an unknown flag with one line, the usage and code 2`, () => {
    const { status, output } = runTool(tool, "--nope");
    assert.equal(status, 2);
    assert.match(output, new RegExp(`^unknown flag --nope\\nusage: ${command} \\[-- path… --flag…\\].*\\n$`));
  });

  test(`${command} answers --help with its usage, and runs nothing`, () => {
    const { status, output } = runTool(tool, "--help");
    assert.equal(status, 0);
    assert.match(output, new RegExp(`^usage: ${command} \\[-- path… --flag…\\].*\\n$`));
  });
}

test("a flag without its value is told in one line, with the usage", () => {
  const { status, output } = run("tools/tidy/blank.test.ts", "--test-name-pattern");
  assert.equal(status, 2);
  assert.match(output, /^--test-name-pattern requires an argument\nusage: npm test/);
});
