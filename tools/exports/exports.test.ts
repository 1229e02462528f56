import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { test } from "node:test";
import { exportLists } from "./export-list.ts";

for (const { path, text } of exportLists()) {
  test(`${path} says what the package exports; \`npm run exports\` rewrites it`, () => {
    const file = resolve(import.meta.dirname, "../..", path);
    const committed = linesOf(existsSync(file) ? readFileSync(file, "utf8") : "");
    const now = linesOf(text);
    const changed = { added: difference(now, committed), removed: difference(committed, now) };
    assert.deepEqual(changed, { added: [], removed: [] });
  });
}

/** "entry name" for each name, so that a name tells where it is from. */
function linesOf(list: string): ReadonlySet<string> {
  const entries = list.split("\n\n").map((entry) => entry.trimEnd().split("\n"));
  return new Set(entries.flatMap(([specifier, ...names]) => names.map((name) => `${specifier}: ${name.trim()}`)));
}

function difference(left: ReadonlySet<string>, right: ReadonlySet<string>): readonly string[] {
  return [...left].filter((line) => !right.has(line));
}
