import assert from "node:assert/strict";
import { test } from "node:test";
import { PROJECTS } from "../../packages/cli/test/operator-projects.ts";
import { functionsOf, sourcesOf } from "./operator-sources.ts";

const LINES_MAX = 150;
/** It keeps eight kinds of children. */
const LINES_MAX_OF: Readonly<Record<string, number>> = { microservice: 250 };
/** Shorter ones are a call with a name. */
const FUNCTION_LINES_MIN = 4;

/** Operators that are written twice, each way read by itself. */
const STYLES: Readonly<Record<string, Readonly<Record<string, RegExp>>>> = {
  app: { declared: /^src\/program\.ts$/, "by hand": /^src\/controllers\// },
};

for (const operator of PROJECTS) {
  for (const [style, other] of Object.entries(STYLES[operator] ?? { "": undefined })) {
    test(`${operator}${style && `, ${style}`}: API and controller are read in one sitting`, () => {
      const read = [...sourcesOf(operator)].filter(([path]) => other?.test(path) !== true);
      const lines = read.reduce((sum, [, text]) => sum + text.trimEnd().split("\n").length, 0);
      const linesMax = LINES_MAX_OF[operator] ?? LINES_MAX;
      const what = read.map(([path]) => path).join(", ");
      assert.ok(
        lines > 0 && lines < linesMax,
        `${lines} lines in ${what}; what others need, too, belongs in the library`,
      );
    });
  }
}

test("no operator has a function that another one has, under whatever names", () => {
  const functions = PROJECTS.flatMap(functionsOf).filter(({ lines }) => lines >= FUNCTION_LINES_MIN);
  assert.ok(functions.length > PROJECTS.length);
  const alike = [...Map.groupBy(functions, ({ shape }) => shape).values()].filter((group) => group.length > 1);
  const copies = alike.map((group) => group.map(({ operator, name }) => `${operator}: ${name}`).join(" = "));
  assert.deepEqual(copies, []);
});
