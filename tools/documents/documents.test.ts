/** Documents keep their word: examples type-check, run and print what is written below them; links lead somewhere. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { test } from "node:test";
import { type CodeBlock, codeBlocks } from "./code-blocks.ts";

const ROOT = resolve(import.meta.dirname, "../..");
const documents = [...globSync("*.md", { cwd: ROOT }), ...globSync("docs/**/*.md", { cwd: ROOT })].sort();

for (const document of documents) {
  const text = readFileSync(join(ROOT, document), "utf8");
  for (const block of codeBlocks(text)) {
    test(`the example at ${document}:${block.line} type-checks, runs and prints what is claimed`, () =>
      runExample(block));
  }
  test(`the links of ${document} lead to files that exist`, () => {
    const targets = Array.from(text.matchAll(/\]\((?!https?:|#)([^)#]+)[^)]*\)/g), ([, target = ""]) => target);
    const files = Array.from(text.matchAll(/`((?:packages|tools|docs|bench)\/[\w./-]*\w)`/g), ([, path = ""]) => path);
    const missing = [
      ...targets.filter((target) => !existsSync(join(ROOT, dirname(document), target))),
      ...files.filter((path) => !existsSync(join(ROOT, path))),
    ];
    assert.deepEqual(missing, []);
  });
}

test("a block takes the text block right after it as its output", () => {
  const blocks = codeBlocks(
    "# A\n\n```ts\na();\n```\n\nprints\n\n```text\n1\n```\n\n```sh\nls\n```\n\n```ts\nb();\n```\n",
  );
  assert.deepEqual(blocks, [
    { line: 4, code: "a();\n", output: "1\n" },
    { line: 18, code: "b();\n" },
  ]);
});

/** Below the root, so that packages resolve as they do for the repository's own files. */
function runExample({ code, output }: CodeBlock): void {
  mkdirSync(join(ROOT, ".cache"), { recursive: true });
  const folder = mkdtempSync(join(ROOT, ".cache/example-"));
  try {
    const include = { extends: "../../tsconfig.base.json", include: ["*.ts"] };
    writeFileSync(join(folder, "tsconfig.json"), JSON.stringify(include));
    writeFileSync(join(folder, "example.ts"), code);
    run(folder, "tsc", "-p", ".");
    const printed = run(folder, process.execPath, "example.ts");
    if (output !== undefined) assert.equal(printed, output);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function run(cwd: string, command: string, ...args: readonly string[]): string {
  const { status, stdout, stderr } = spawnSync(command, args, { cwd, encoding: "utf8" });
  assert.equal(status, 0, `${command} failed\n${stdout}${stderr}`);
  return stdout;
}
