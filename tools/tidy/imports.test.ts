import assert from "node:assert/strict";
import { test } from "node:test";
import { blankLiterals } from "./blank.ts";
import { boundNames, exportedNames, importedNames, referencesOf } from "./imports.ts";

const specifiersOf = (text: string): readonly string[] =>
  referencesOf(text, blankLiterals(text)).map((reference) => reference.specifier);

test("every form of import is found", () => {
  const text = [
    'import a from "a";',
    "import { b,\n  type C } from 'b';",
    'import type { D } from "d"; import * as e from "e";',
    'import "f";',
    'const g = await import("g"); type H = import("h").H;',
    'export { i } from "i"; export type { J } from "j"; export * from "k";',
  ].join("\n");
  assert.deepEqual(specifiersOf(text), ["a", "b", "d", "e", "f", "g", "h", "i", "j", "k"]);
});

test("what only looks like an import is not one", () => {
  assert.deepEqual(specifiersOf('x.import("a"); // import "b"\nconst from = "c"; f("import d from \'d\'");'), []);
});

test("clauses give the names they bind and the names they ask for", () => {
  assert.deepEqual(boundNames("a, { b as c, type D }"), ["a", "c", "D"]);
  assert.deepEqual(importedNames("a, { b as c, type D as E }"), ["b", "D"]);
  assert.deepEqual(boundNames("type { F }"), ["F"]);
});

test("exports are listed with types marked, and a value that is also a type as a value", () => {
  const code =
    "export { a, type B, c as d };\nexport type { E };\nexport const F = 1;\nexport type F = 1;\nexport async function g() {}";
  assert.deepEqual(exportedNames(code), ["a", "type B", "d", "type E", "F", "g"]);
});
