import assert from "node:assert/strict";
import { test } from "node:test";
import { blankLiterals } from "./blank.ts";

const samples: readonly string[] = [
  "a /* x\ny */ b // c",
  `f("it's // here") + 'x'`,
  `\`a\${\`b\${c}\`}d\n\` + e`,
  "x = /[/\"']/g.test(y) / 2",
  `"never closed`,
];

for (const text of samples) {
  test(`blanking keeps every offset and line of ${JSON.stringify(text)}`, () => {
    const code = blankLiterals(text);
    assert.equal(code.length, text.length);
    assert.equal(code.indexOf("\n"), text.indexOf("\n"));
  });
}

test("comments disappear and code stays", () => {
  assert.equal(blankLiterals("a // Date.now()\nb"), "a              \nb");
  assert.equal(blankLiterals("a /* x\ny */ b"), "a     \n     b");
});

test("the inside of strings disappears, whatever they hold", () => {
  assert.equal(blankLiterals(`f("it's // here", x)`), `f("            ", x)`);
  assert.equal(blankLiterals(`"a\\"b" + c`), `"    " + c`);
});

test("code inside a template stays", () => {
  assert.match(
    blankLiterals(`\`text \${call({ a: \`b\${c}\` })} more\` + rest`),
    /call\(\{ a: ` +.?\{c\}` \}\).* \+ rest/,
  );
  assert.doesNotMatch(blankLiterals(`\`text \${x} more\``), /text|more/);
});

test("a slash divides after a value and begins a regular expression elsewhere", () => {
  assert.equal(blankLiterals("a / b / c"), "a / b / c");
  assert.equal(blankLiterals("(a) / b; // c"), "(a) / b;     ");
  assert.doesNotMatch(blankLiterals("x = /[/\"']quoted/g.test(y)"), /quoted/);
  assert.match(blankLiterals("x = /[/\"']/g.test(y)"), /\.test\(y\)/);
  assert.doesNotMatch(blankLiterals("return /quoted/"), /quoted/);
});
