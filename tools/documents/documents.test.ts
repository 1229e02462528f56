/** Documents keep their word: examples type-check, run and print what is written below them; links lead somewhere. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { after, test } from "node:test";
import { codeBlocks } from "./code-blocks.ts";

const ROOT = resolve(import.meta.dirname, "../..");
const documents = [...globSync("*.md", { cwd: ROOT }), ...globSync("docs/**/*.md", { cwd: ROOT })]
  .sort()
  .map((path) => ({ path, text: readFileSync(join(ROOT, path), "utf8") }));
const examples = documents.flatMap(({ path, text }) =>
  codeBlocks(text).map((block) => ({
    ...block,
    place: `${path}:${block.line}`,
    file: `${path.replaceAll(/\W/g, "-")}-${block.line}.ts`,
  })),
);

const folder = examplesFolder();
after(() => rmSync(folder, { recursive: true }));

test("the examples of all documents type-check", () => {
  assert.ok(examples.length > 0);
  run("tsc", "-p", ".");
});

for (const { place, file, output } of examples) {
  test(`the example at ${place} runs and prints what is claimed`, () => {
    const printed = run(process.execPath, file);
    if (output !== undefined) assert.equal(printed, output);
  });
}

for (const { path: document, text } of documents) {
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

/** All examples, below the root, so that packages resolve as they do for the repository's own files. */
function examplesFolder(): string {
  mkdirSync(join(ROOT, ".cache"), { recursive: true });
  const made = mkdtempSync(join(ROOT, ".cache/examples-"));
  const include = { extends: "../../tsconfig.base.json", include: ["*.ts"] };
  writeFileSync(join(made, "tsconfig.json"), JSON.stringify(include));
  for (const { file, code } of examples) writeFileSync(join(made, file), code);
  return made;
}

function run(command: string, ...args: readonly string[]): string {
  const { status, stdout, stderr } = spawnSync(command, args, { cwd: folder, encoding: "utf8" });
  assert.equal(status, 0, `${command} failed\n${stdout}${stderr}`);
  return stdout;
}
