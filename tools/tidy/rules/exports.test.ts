import { testRule } from "../test-rule.ts";
import { exportsInStep } from "./exports.ts";

testRule({
  rule: exportsInStep,
  broken: [
    [
      "a list that does not have a new name",
      {
        "packages/node/package.json": '{ "name": "@kubewright/node", "exports": { ".": "./src/index.ts" } }',
        "packages/node/exports.txt": "@kubewright/node\n  a\n",
        "packages/node/src/index.ts": 'export { a, type B } from "./a.ts";',
      },
      /node\/exports\.txt:1: .*added: type B; removed: nothing.*npm run exports/,
    ],
    [
      "a facade that lacks a name of the runtime",
      {
        "packages/runtime/src/index.ts": 'export { createClient } from "./client.ts";',
        "packages/kubewright/src/index.ts": 'export { a } from "@kubewright/runtime";',
      },
      /kubewright\/src\/index\.ts:1: lacks createClient of packages\/runtime/,
    ],
  ],
  kept: [
    [
      "lists in step, generated entries left out",
      {
        "packages/node/package.json":
          '{ "name": "@kubewright/node", "exports": { ".": "./src/index.ts", "./*": "./src/generated/*.ts" } }',
        "packages/node/exports.txt": "@kubewright/node\n  type B\n  a\n",
        "packages/node/src/index.ts": 'export { type B, a } from "./a.ts";',
        "packages/node/src/generated/c.ts": "export const c = 1;",
      },
    ],
  ],
});
